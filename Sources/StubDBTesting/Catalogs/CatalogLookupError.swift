/// The catalog that a test names is nowhere to be found.
public struct CatalogLookupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as the test gives it.
  public let path: String
  /// Where it was looked for, in order.
  public let places: [String]

  /// What failed, where it was looked, and what to do.
  public var description: String {
    """
    There is no catalog "\(path)". Give a path relative to a folder above the test's source file, \
    or add the file to the resources of the test target. It was looked for here:
    \(places.map { "  " + $0 }.joined(separator: "\n"))
    """
  }
}
