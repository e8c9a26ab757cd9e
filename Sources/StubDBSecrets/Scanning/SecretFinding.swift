package import StubDBModel

/// A secret in a scenario.
///
/// Says where and what, and not which: the text itself is never printed by accident.
package struct SecretFinding: Hashable, Sendable {
  /// The scenario.
  package let scenario: ScenarioName
  /// The stub's key; nil for a place in the scenario itself.
  package let key: String?
  /// The place in the scenario's document, as `stubdb show --json` prints it.
  package let pointer: JSONPointer
  /// What it seems to be.
  package let kind: SecretKind
  /// The secret.
  package let secret: SecretText
}

/// A text that is not shown: neither in a message, nor by a debugger's description.
package struct SecretText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The text.
  package let revealed: String

  package init(_ text: String) {
    revealed = text
  }

  /// The number of bytes.
  package var byteCount: Int { revealed.utf8.count }
  /// How long it is.
  package var description: String { "\(byteCount) bytes" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
