/// A part of a template.
indirect enum TemplateNode: Hashable, Sendable {
  case text(String)
  /// A tag that is replaced by a value.
  case output(TemplateExpression)
  /// Alternatives, of which the first that holds is rendered; a branch without a condition always holds.
  case choice([Branch])
  /// A body rendered for each element of a list or object, and another one rendered if there are no elements.
  case loop(TemplateLoop, body: [TemplateNode], otherwise: [TemplateNode])
  /// A call that takes the content of the block as an argument.
  case content(TemplateExpression, body: [TemplateNode])

  struct Branch: Hashable, Sendable {
    var condition: TemplateCondition?
    var body: [TemplateNode]
  }
}

/// The condition of a branch.
struct TemplateCondition: Hashable, Sendable {
  var expression: TemplateExpression
  /// Whether the branch holds if the expression is false.
  var isNegated: Bool
}

/// What a loop iterates over, and the names of its elements.
struct TemplateLoop: Hashable, Sendable {
  var list: TemplateExpression
  /// The names of the element and of its index: neither, the first, or both.
  var names: [String]
  /// Whether it enters a single value (`with`) instead of iterating over elements (`each`).
  var isOnce = false
  /// The text between the elements; nil for nothing.
  var separator: TemplateExpression?
}
