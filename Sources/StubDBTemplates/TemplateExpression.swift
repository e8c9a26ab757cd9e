/// An expression: it yields a value.
struct TemplateExpression: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case literal(TemplateValue)
    /// A path from `request` or `answer`.
    case root([String])
    /// A path from a value that the run keeps.
    case captured([String])
    /// A path from a loop's element (`this`, `@index` or a name of its own) or from a value that the template has kept.
    case local(String, [String])
    case call(TemplateHelper, [TemplateExpression], [String: TemplateExpression])
    /// The content of the block around the call.
    case content
  }

  var kind: Kind
  /// The offset of its first character, in bytes.
  var offset: Int
}

extension TemplateExpression {
  /// The value if it is a literal; nil if it is known only when the template is rendered.
  var literal: TemplateValue? {
    if case .literal(let value) = kind { value } else { nil }
  }
}
