/// A place in a value that violates a schema.
public struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The place in the value.
  public let pointer: JSONPointer
  /// The keyword that is violated.
  public let keyword: String
  /// A phrase that says what the schema requires there.
  public let message: String

  /// The place and the message.
  public var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
