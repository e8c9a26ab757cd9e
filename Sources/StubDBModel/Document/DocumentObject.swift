internal import StubDBJSON
internal import StubDBSupport

/// An object of a document whose keys were checked against its kind.
package struct DocumentObject {
  let members: JSONObject
  let kind: DocumentObjectKind
  package let node: DocumentNode

  init(_ node: DocumentNode, _ kind: DocumentObjectKind) throws(DocumentError) {
    guard case .object(let members) = node.value else {
      throw node.failure(
        .wrongType, "expected an object (\(kind.name)), found \(node.value.typeName)")
    }
    self.members = members
    self.kind = kind
    self.node = node
    if isTrusted { return }
    for key in members.keys where !kind.has(key) { throw unknownKey() }
  }

  var isTrusted: Bool { node.context.isTrusted }
  var rules: (any DocumentRules)? { node.context.rules }

  /// The value of a key; nil if the key is missing.
  package subscript(key: String) -> DocumentNode? {
    guard let value = members[key] else { return nil }
    return DocumentNode(value: value, place: .member(key, of: node.place), context: node.context)
  }

  package func required(_ key: String) throws(DocumentError) -> DocumentNode {
    if let node = self[key] { return node }
    throw node.failure(.missingKey, "\"\(key)\" is missing; \(kind.name) needs it")
  }

  package func flag(_ key: String) throws(DocumentError) -> Bool {
    try self[key]?.bool() ?? false
  }

  package func has(_ key: String) -> Bool { members[key] != nil }

  /// The error for the first unknown key by name, so that the same document always gives the same error.
  private func unknownKey() -> DocumentError {
    let unknown = members.keys.filter { !kind.has($0) }.min() ?? ""
    let place = DocumentPlace.member(unknown, of: node.place)
    return DocumentError(
      .unknownKey, pointer: place.pointer,
      message: "unknown key \"\(unknown)\"; \(advice(on: unknown))")
  }

  private func advice(on unknown: String) -> String {
    if let advice = rules?.advice(on: unknown, in: self) { return advice }
    if let name = kind.keys.nearest(to: unknown) { return "did you mean \"\(name)\"?" }
    return "\(kind.name) has \(kind.summary)"
  }
}

extension DocumentNode {
  package func object(_ kind: DocumentObjectKind) throws(DocumentError) -> DocumentObject {
    try DocumentObject(self, kind)
  }
}
