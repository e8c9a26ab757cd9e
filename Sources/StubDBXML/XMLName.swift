/// The name of an element or an attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as it is written; empty for none.
  package var prefix: String
  /// The name behind the prefix.
  package var local: String
  /// The namespace that the prefix stands for; empty for none.
  package var namespace: String

  /// The name as it is written.
  package var qualified: String { prefix.isEmpty ? local : "\(prefix):\(local)" }

  /// Whether two names mean the same: prefixes do not count.
  package func isSame(as other: XMLName) -> Bool {
    local == other.local && local.utf8.elementsEqual(other.local.utf8)
      && namespace == other.namespace
  }
}
