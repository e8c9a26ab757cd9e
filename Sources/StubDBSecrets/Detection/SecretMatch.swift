/// A secret in a text, by its bytes.
struct SecretMatch: Hashable {
  let kind: SecretKind
  /// The secret itself, without what names it.
  let range: Range<Int>
}
