// So that `import StubDBTesting` is all that a test needs.
@_exported public import StubDB
