/// A place in a value that violates a schema.
package struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The place in the value.
  package let pointer: JSONPointer
  /// The keyword that is violated.
  package let keyword: String
  /// A phrase that says what the schema requires there.
  package let message: String

  /// The place and the message.
  package var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
