/// Parses a template into nodes.
struct TemplateParser {
  /// How deep blocks may nest.
  private static let maximumDepth = 32

  /// A block whose body is being read.
  private struct Frame {
    var offset: Int
    var kind: Kind
    var nodes: [TemplateNode] = []
    /// The head, after `#`.
    var word = ""
    /// The names that are known in it.
    var names: TemplateNames

    enum Kind {
      case top
      /// The branches that are complete, and the condition of the current one.
      case choice([TemplateNode.Branch], TemplateCondition?)
      case loop(TemplateLoop)
      /// The part after `{{else}}`, for an empty list.
      case otherwise(TemplateLoop, body: [TemplateNode])
      /// The call that takes the content of the block.
      case content(TemplateExpression)
    }
  }

  private var scanner: TemplateScanner
  private var stack: [Frame]
  /// Whether the next text loses its leading white space.
  private var trimsNext = false
  private(set) var needs = TemplateNeeds()
  /// The names under which calls have kept values so far.
  private var assigned: Set<String> = []

  init(_ text: String, names: TemplateNames) {
    scanner = TemplateScanner(text)
    stack = [Frame(offset: 0, kind: .top, names: names)]
  }

  mutating func parse() throws(TemplateError) -> [TemplateNode] {
    while let part = try scanner.next() {
      switch part {
      case .text(let text): append(text)
      case .tag(let tag): try append(tag)
      }
    }
    guard stack.count == 1 else {
      let open = stack[stack.count - 1]
      throw scanner.error(
        "{{#\(open.word)}} is not closed; write {{/\(open.word)}} after it", at: open.offset)
    }
    return stack[0].nodes
  }

  private mutating func append(_ text: String) {
    let rest = trimsNext ? String(text.drop { $0.isWhitespace }) : text
    trimsNext = false
    guard !rest.isEmpty else { return }
    if case .text(let before)? = stack[stack.count - 1].nodes.last {
      stack[stack.count - 1].nodes[stack[stack.count - 1].nodes.count - 1] = .text(before + rest)
    } else {
      stack[stack.count - 1].nodes.append(.text(rest))
    }
  }

  private mutating func append(_ tag: TemplateTag) throws(TemplateError) {
    if tag.trims.before, case .text(let before)? = stack[stack.count - 1].nodes.last {
      stack[stack.count - 1].nodes.removeLast()
      append(before.droppingTrailingSpace)
    }
    trimsNext = tag.trims.after
    // A comment has no content.
    guard !tag.content.isEmpty else {
      if scanner.bytes[tag.content.lowerBound...].starts(with: "}}".utf8) {
        throw scanner.error("there is nothing between the braces", at: tag.offset)
      }
      return
    }
    var names = stack[stack.count - 1].names
    names.variables = assigned
    var parser = TemplateExpressionParser(scanner.bytes, tag.content, names: names)
    parser.skipSpaces()
    if parser.take("#") {
      try openBlock(&parser, tag)
    } else if parser.take("/") {
      try closeBlock(&parser, tag)
    } else if parser.isNext("else") {
      try otherwise(&parser, tag)
    } else {
      let expression = try parser.wholeExpression()
      try parser.expectEnd()
      stack[stack.count - 1].nodes.append(.output(expression))
    }
    needs.add(parser.needs)
    assigned.formUnion(parser.assigned)
  }

  private mutating func openBlock(
    _ parser: inout TemplateExpressionParser, _ tag: TemplateTag
  ) throws(TemplateError) {
    guard stack.count <= Self.maximumDepth else {
      throw scanner.error("more than \(Self.maximumDepth) blocks inside each other", at: tag.offset)
    }
    var reader = parser
    let word = reader.takeWord()
    let outer = stack[stack.count - 1].names
    let (kind, names): (Frame.Kind, TemplateNames) =
      switch try TemplateOpening(&parser) {
      case .condition(let condition): (.choice([], condition), outer)
      case .loop(let loop): (.loop(loop), outer.inside(loop))
      case .content(let expression): (.content(expression), outer)
      }
    stack.append(Frame(offset: tag.offset, kind: kind, word: word, names: names))
  }

  private mutating func otherwise(
    _ parser: inout TemplateExpressionParser, _ tag: TemplateTag
  ) throws(TemplateError) {
    _ = parser.takeWord()
    parser.skipSpaces()
    let condition: TemplateCondition?
    if parser.isAtEnd {
      condition = nil
    } else {
      guard case .condition(let next) = try TemplateOpening(&parser) else {
        throw scanner.error("{{else}} goes with \"if\" and \"unless\"", at: tag.offset)
      }
      condition = next
    }
    var frame = stack[stack.count - 1]
    switch frame.kind {
    case .choice(let branches, let current):
      guard current != nil else {
        throw scanner.error("a second {{else}} in one block", at: tag.offset)
      }
      let branch = TemplateNode.Branch(condition: current, body: frame.nodes)
      frame.kind = .choice(branches + [branch], condition)
    case .loop(let loop) where condition == nil && loop.separator == nil:
      frame.kind = .otherwise(loop, body: frame.nodes)
      frame.names = stack[stack.count - 2].names
    default:
      throw scanner.error(
        "{{else}} is allowed once inside {{#if}}, {{#unless}}, {{#each}}, {{#with}} or a condition",
        at: tag.offset)
    }
    frame.nodes = []
    stack[stack.count - 1] = frame
  }

  private mutating func closeBlock(
    _ parser: inout TemplateExpressionParser, _ tag: TemplateTag
  ) throws(TemplateError) {
    let word = parser.takeWord()
    try parser.expectEnd()
    let frame = stack[stack.count - 1]
    guard stack.count > 1, frame.word == word else {
      let open = stack.count > 1 ? "{{#\(frame.word)}} is open here" : "no block is open here"
      throw scanner.error("{{/\(word)}} closes nothing: \(open)", at: tag.offset)
    }
    stack.removeLast()
    switch frame.kind {
    case .top: break
    case .choice(let branches, let condition):
      let last = TemplateNode.Branch(condition: condition, body: frame.nodes)
      stack[stack.count - 1].nodes.append(.choice(branches + [last]))
    case .loop(let loop):
      stack[stack.count - 1].nodes.append(.loop(loop, body: frame.nodes, otherwise: []))
    case .otherwise(let loop, let body):
      stack[stack.count - 1].nodes.append(.loop(loop, body: body, otherwise: frame.nodes))
    case .content(let expression):
      stack[stack.count - 1].nodes.append(.content(expression, body: frame.nodes))
    }
  }
}

extension String {
  fileprivate var droppingTrailingSpace: String {
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...end])
  }
}
