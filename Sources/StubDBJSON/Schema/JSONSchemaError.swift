/// An error in a JSON Schema, with its place.
public struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the schema.
  public let pointer: JSONPointer
  /// A phrase that says what is wrong there.
  public let message: String

  /// The place and the message.
  public var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
