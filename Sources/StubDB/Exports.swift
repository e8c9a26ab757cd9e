// One `import StubDB` gives the model, the engine, the catalog and the interceptor.
@_exported public import StubDBCatalog
@_exported public import StubDBEngine
@_exported public import StubDBJSON
@_exported public import StubDBModel
@_exported public import StubDBPlayback
@_exported public import StubDBURLProtocol
