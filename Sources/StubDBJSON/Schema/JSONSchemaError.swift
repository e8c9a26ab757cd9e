/// An error in a JSON Schema, with its place.
package struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the schema.
  package let pointer: JSONPointer
  /// A phrase that says what is wrong there.
  package let message: String

  /// The place and the message.
  package var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
