/// Reports that the catalog of a test was not found.
public struct CatalogLookupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path that the test gives.
  public let path: String
  /// The places that were searched, in order.
  public let places: [String]

  /// The path, the places, and what to do.
  public var description: String {
    """
    There is no catalog "\(path)". Give a path relative to a folder above the test's source file, \
    or add the file to the resources of the test target. It was looked for here:
    \(places.map { "  " + $0 }.joined(separator: "\n"))
    """
  }
}
