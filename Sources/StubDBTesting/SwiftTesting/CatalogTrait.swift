#if canImport(Testing)
  public import StubDB
  public import Testing

  /// Names the catalog for the scenarios of a test or suite.
  public struct CatalogTrait: TestTrait, SuiteTrait {
    let reference: CatalogReference

    /// True: it applies to everything inside a suite, except where another trait names a catalog.
    public let isRecursive = true
  }

  extension Trait where Self == CatalogTrait {
    /// Names the catalog for the scenarios of a test or suite.
    ///
    /// A relative path is looked up in the folder of the test's source file, then in each folder above it, then in the
    /// resources of the test bundle. The innermost trait counts.
    public static func catalog(_ path: String, filePath: String = #filePath) -> Self {
      CatalogTrait(reference: CatalogReference(path: path, sourceFile: filePath))
    }

    /// Gives the catalog that the scenarios of a test or suite are loaded from; the innermost one counts.
    public static func catalog(_ catalog: Catalog) -> Self {
      CatalogTrait(reference: .value(catalog))
    }
  }
#endif
