/// What gives a value.
struct TemplateExpression: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case literal(TemplateValue)
    /// A path from `request` or `answer`.
    case root([String])
    /// A path from a value that the run keeps.
    case captured([String])
    /// A path from what a loop gives (`this`, `@index` or a name of its own) or from a value kept under a name.
    case local(String, [String])
    case call(TemplateHelper, [TemplateExpression], [String: TemplateExpression])
    /// What a block around the call holds.
    case content
  }

  var kind: Kind
  /// Where it begins, in bytes.
  var offset: Int
}

extension TemplateExpression {
  /// The value that stands in the template; nil for what is only known later.
  var literal: TemplateValue? {
    if case .literal(let value) = kind { value } else { nil }
  }
}
