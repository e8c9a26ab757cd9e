/// The name of an element or an attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as written; empty without a prefix.
  package var prefix: String
  /// The part after the prefix.
  package var local: String
  /// The namespace that the prefix refers to; empty if the name is in no namespace.
  package var namespace: String

  /// The name as written, with its prefix.
  package var qualified: String { prefix.isEmpty ? local : "\(prefix):\(local)" }

  /// Whether two names are the same, regardless of their prefixes.
  package func isSame(as other: XMLName) -> Bool {
    local == other.local && local.utf8.elementsEqual(other.local.utf8)
      && namespace == other.namespace
  }
}
