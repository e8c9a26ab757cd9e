// One `import StubDBTesting` gives a test all it needs.
@_exported public import StubDB
