package import StubDBDocuments
package import StubDBJSON
package import StubDBModel

/// A secret in a scenario.
///
/// Shows where it is and of what kind. The text itself is never printed by accident.
package struct SecretFinding: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The scenario; its name may be a secret.
  package let scenario: ScenarioName
  /// The stub's key, which may be a secret; nil for a place in the scenario itself.
  package let key: String?
  /// The place in the scenario's document; a name in it may be a secret.
  package let pointer: JSONPointer
  /// The same for printing, without secrets.
  package let place: SecretPlace
  package let kind: SecretKind
  package let secret: SecretText

  /// The place, the kind and the length.
  package var description: String {
    let stub = [place.scenario, place.key].compactMap { $0 }.joined(separator: " ")
    return "\(stub) \(place.pointer): \(kind.title), \(secret)"
  }

  /// The finding as `{scenario, key, pointer, kind, length, fingerprint}`, without the last if it is nil.
  package func json(fingerprint: String?) -> OrderedJSON {
    var members = place.jsonMembers
    members.append(("kind", .string(kind.rawValue)))
    members.append(("length", .integer(secret.byteCount)))
    if let fingerprint { members.append(("fingerprint", .string(fingerprint))) }
    return .object(members)
  }

  /// Empty, so that a debugger's dump does not show the text.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text that is not shown, neither in a message nor in a debugger's description.
package struct SecretText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The text.
  package let revealed: String

  package init(_ text: String) {
    revealed = text
  }

  /// The number of bytes.
  package var byteCount: Int { revealed.utf8.count }
  /// The length, in words.
  package var description: String { "\(byteCount) bytes" }
  /// Empty, so that a debugger's dump does not show the text.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
