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

/// An expression: it yields a value.
struct TemplateExpression: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case literal(TemplateValue)
    /// A path from `request` or `answer`.
    case root([String])
    /// A path from a value that the run keeps.
    case captured([String])
    /// A path from a loop's element (`this`, `@index` or its own name) or from a value that the template has kept.
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

/// The content between two pairs of braces.
struct TemplateTag {
  /// The offset of its first brace, in bytes.
  var offset: Int
  /// The text between the braces, without the marks that trim white space.
  var content: Range<Int>
  /// Whether the white space before and after the tag is dropped.
  var trims: (before: Bool, after: Bool)
}
