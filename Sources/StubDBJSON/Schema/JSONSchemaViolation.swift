/// A place in a value that breaks a schema.
public struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The place in the value.
  public let pointer: JSONPointer
  /// The keyword that is broken.
  public let keyword: String
  /// What the schema wants there, as a phrase.
  public let message: String

  /// The place and the phrase.
  public var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
