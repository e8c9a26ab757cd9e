#if canImport(Testing)
  public import Testing

  /// Names the catalog for the scenarios of a test or suite.
  public struct CatalogTrait: TestTrait, SuiteTrait {
    let lookup: CatalogLookup

    /// True: it applies to everything inside a suite, except where another trait names a catalog.
    public let isRecursive = true
  }

  extension Trait where Self == CatalogTrait {
    /// Names the catalog for the scenarios of a test or suite.
    ///
    /// A relative path is looked up in the folder of the test's source file, then in each folder above it, then in the
    /// resources of the test bundle. The innermost trait counts.
    public static func catalog(_ path: String, filePath: String = #filePath) -> Self {
      CatalogTrait(lookup: CatalogLookup(path: path, sourceFile: filePath))
    }
  }
#endif
