/// A JSON Schema that cannot be used, and where.
public struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the schema.
  public let pointer: JSONPointer
  /// What is wrong there, as a phrase.
  public let message: String

  /// The place and the phrase.
  public var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
