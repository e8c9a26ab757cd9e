#if canImport(Testing)
  public import Testing

  /// Names the catalog that the scenarios of a test or suite are loaded from.
  public struct CatalogTrait: TestTrait, SuiteTrait {
    let lookup: CatalogLookup

    /// Holds for everything inside a suite that names no other.
    public let isRecursive = true
  }

  extension Trait where Self == CatalogTrait {
    /// Names the catalog that the scenarios of a test or suite are loaded from.
    ///
    /// A relative path is looked up from the folder of the test's source file upward, then in the resources of the test
    /// bundle. The innermost one counts.
    public static func catalog(_ path: String, filePath: String = #filePath) -> Self {
      CatalogTrait(lookup: CatalogLookup(path: path, sourceFile: filePath))
    }
  }
#endif
