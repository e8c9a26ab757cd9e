/// An error in text that is not a JSONPath query, with its place.
public struct JSONPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong.
  public let message: String
  /// The offset in Unicode scalars, from 0.
  public let offset: Int

  /// The message with its place.
  public var description: String { "\(message) at character \(offset + 1)" }
}
