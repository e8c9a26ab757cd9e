/// A part of a template.
indirect enum TemplateNode: Hashable, Sendable {
  case text(String)
  /// A value in place of what stands between the braces.
  case output(TemplateExpression)
  /// One of several parts; a branch without a condition always holds.
  case choice([Branch])
  /// A part for each element of a list or object, another one where there is none.
  case loop(TemplateLoop, body: [TemplateNode], otherwise: [TemplateNode])
  /// A call that is given what the block holds.
  case content(TemplateExpression, body: [TemplateNode])

  struct Branch: Hashable, Sendable {
    var condition: TemplateCondition?
    var body: [TemplateNode]
  }
}

/// What a branch asks for.
struct TemplateCondition: Hashable, Sendable {
  var expression: TemplateExpression
  /// Whether the expression must be false.
  var isNegated: Bool
}

/// What a loop goes over, and what its body calls the elements.
struct TemplateLoop: Hashable, Sendable {
  var list: TemplateExpression
  /// The names of the element and of its place; none, one or both.
  var names: [String]
  /// Whether it goes into one value instead of over its elements.
  var isOnce = false
  /// What stands between the elements; nil for nothing.
  var separator: TemplateExpression?
}
