/// A text that is not a JSONPath query, and where.
public struct JSONPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a phrase.
  public let message: String
  /// Where, in Unicode scalars from 0.
  public let offset: Int

  /// The phrase with its place.
  public var description: String { "\(message) at character \(offset + 1)" }
}
