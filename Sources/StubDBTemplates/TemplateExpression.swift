/// What gives a value.
struct TemplateExpression: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case literal(TemplateValue)
    /// A path from `request` or `answer`.
    case root([String])
    /// A path from a value that the run keeps.
    case captured([String])
    /// A path from what a loop gives: `this`, `@index` or a name of its own.
    case local(String, [String])
    case call(TemplateHelper, [TemplateExpression], [String: TemplateExpression])
  }

  var kind: Kind
  /// Where it begins, in bytes.
  var offset: Int
}
