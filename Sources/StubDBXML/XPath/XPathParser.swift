/// A recursive-descent parser of the grammar of XPath 1.0.
struct XPathParser {
  private static let maximumDepth = 32
  private static let levels: [[String]] = [
    ["or"], ["and"], ["=", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "div", "mod"],
  ]

  private let tokens: [(token: XPathToken, offset: Int)]
  private let end: Int
  private let prefixes: Set<String>?
  private var place = 0
  private var depth = 0

  /// `prefixes` are the prefixes with a namespace; nil if names are compared as written.
  init(_ text: String, prefixes: Set<String>?) throws(XPathSyntaxError) {
    let lexer = try XPathLexer(text)
    tokens = lexer.tokens
    end = lexer.end
    self.prefixes = prefixes
  }

  mutating func parse() throws(XPathSyntaxError) -> XPathExpression {
    let expression = try parseExpression()
    if place < tokens.count { throw failure("unexpected text after the expression") }
    return expression
  }

  private mutating func parseExpression() throws(XPathSyntaxError) -> XPathExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw failure("more than \(Self.maximumDepth) expressions inside each other")
    }
    return try parseBinary(0)
  }

  /// Parses the operators of one precedence level, left to right; the operands of the last level are unary expressions.
  private mutating func parseBinary(_ level: Int) throws(XPathSyntaxError) -> XPathExpression {
    guard level < Self.levels.count else { return try parseUnary() }
    var left = try parseBinary(level + 1)
    while case .sign(let sign)? = peek(), Self.levels[level].contains(sign) {
      place += 1
      let right = try parseBinary(level + 1)
      if let comparison = XPathComparison(rawValue: sign) {
        left = .comparison(left, comparison, right)
      } else if let arithmetic = XPathArithmetic(rawValue: sign) {
        left = .arithmetic(left, arithmetic, right)
      } else {
        left = sign == "or" ? .or(left, right) : .and(left, right)
      }
    }
    return left
  }

  private mutating func parseUnary() throws(XPathSyntaxError) -> XPathExpression {
    var isNegative = false
    var isSigned = false
    while take("-") {
      isNegative.toggle()
      isSigned = true
    }
    var left = try parsePath()
    while take("|") {
      guard left.isNodeSet else { throw failure("'|' joins paths only") }
      let right = try parsePath()
      guard right.isNodeSet else { throw failure("'|' joins paths only") }
      left = .union(left, right)
    }
    guard isSigned else { return left }
    return isNegative ? .negative(left) : .negative(.negative(left))
  }

  private mutating func parsePath() throws(XPathSyntaxError) -> XPathExpression {
    switch peek() {
    case .sign("/"):
      place += 1
      return .path(.root, isAtStep ? try parseSteps() : [])
    case .sign("//"):
      place += 1
      return .path(.root, [.anyDescendant] + (try parseSteps()))
    case .sign("("), .literal, .number:
      return try parseFilter()
    case .name(let name) where isAtCall && !Self.nodeTypes.contains(name):
      return try parseFilter()
    case nil: throw failure("expected an expression, found the end")
    default: return .path(.context, try parseSteps())
    }
  }

  private mutating func parseFilter() throws(XPathSyntaxError) -> XPathExpression {
    var expression = try parsePrimary()
    let predicates = try parsePredicates()
    if !predicates.isEmpty {
      guard expression.isNodeSet else { throw failure("only nodes can have a predicate") }
      expression = .filter(expression, predicates)
    }
    let isDescendant = take("//")
    guard isDescendant || take("/") else { return expression }
    guard expression.isNodeSet else { throw failure("only nodes can be followed by a path") }
    return .path(
      .expression(expression), (isDescendant ? [.anyDescendant] : []) + (try parseSteps()))
  }

  private mutating func parsePrimary() throws(XPathSyntaxError) -> XPathExpression {
    let start = place
    place += 1
    switch tokens[start].token {
    case .literal(let text): return .literal(text)
    case .number(let number): return .number(number)
    case .sign:
      let inner = try parseExpression()
      guard take(")") else { throw failure("expected ')'") }
      return inner
    case .name(let name):
      guard let function = XPathFunction(rawValue: name) else {
        throw failure("unknown function \(name)()", at: start)
      }
      return .function(function, try parseArguments(of: function, named: name, at: start))
    }
  }

  private mutating func parseArguments(
    of function: XPathFunction, named name: String, at start: Int
  ) throws(XPathSyntaxError) -> [XPathExpression] {
    place += 1
    var arguments: [XPathExpression] = []
    if !take(")") {
      repeat { arguments.append(try parseExpression()) } while take(",")
      guard take(")") else { throw failure("expected ',' or ')'") }
    }
    guard function.arguments.contains(arguments.count) else {
      throw failure("\(name)() does not take \(arguments.count) arguments", at: start)
    }
    if function.takesNodes, let first = arguments.first, !first.isNodeSet {
      throw failure("\(name)() takes a path", at: start)
    }
    return arguments
  }

  private mutating func parseSteps() throws(XPathSyntaxError) -> [XPathStep] {
    var steps = [try parseStep()]
    while true {
      if take("//") {
        steps.append(.anyDescendant)
      } else if !take("/") {
        return steps
      }
      steps.append(try parseStep())
    }
  }

  private mutating func parseStep() throws(XPathSyntaxError) -> XPathStep {
    if take(".") { return XPathStep(axis: .self, test: .node) }
    if take("..") { return XPathStep(axis: .parent, test: .node) }
    var axis = XPathAxis.child
    if take("@") {
      axis = .attribute
    } else if case .name(let name)? = peek(), peek(1) == .sign("::") {
      guard let named = XPathAxis(rawValue: name) else {
        throw failure(
          name == "namespace" ? "the namespace axis is not supported" : "unknown axis \(name)")
      }
      axis = named
      place += 2
    }
    return XPathStep(axis: axis, test: try parseTest(), predicates: try parsePredicates())
  }

  private mutating func parseTest() throws(XPathSyntaxError) -> XPathNodeTest {
    guard case .name(let name)? = peek() else { throw failure("expected a step of a path") }
    if isAtCall, Self.nodeTypes.contains(name) { return try parseNodeType(name) }
    let start = place
    place += 1
    if name == "*" { return .any }
    let pieces = name.split(separator: ":").map(String.init)
    guard pieces.count == 2 else { return .name(prefix: "", local: name) }
    if let prefixes, !prefixes.contains(pieces[0]) {
      throw failure("the prefix \(pieces[0]) is not in \"namespaces\"", at: start)
    }
    return pieces[1] == "*" ? .prefix(pieces[0]) : .name(prefix: pieces[0], local: pieces[1])
  }

  private mutating func parseNodeType(_ name: String) throws(XPathSyntaxError) -> XPathNodeTest {
    place += 2
    var target: String?
    if name == "processing-instruction", case .literal(let text)? = peek() {
      target = text
      place += 1
    }
    guard take(")") else { throw failure("expected ')'") }
    switch name {
    case "text": return .text
    case "comment": return .comment
    case "node": return .node
    default: return .processingInstruction(target)
    }
  }

  private mutating func parsePredicates() throws(XPathSyntaxError) -> [XPathExpression] {
    var predicates: [XPathExpression] = []
    while take("[") {
      predicates.append(try parseExpression())
      guard take("]") else { throw failure("expected ']'") }
    }
    return predicates
  }

  private static let nodeTypes = ["node", "text", "comment", "processing-instruction"]

  private func peek(_ offset: Int = 0) -> XPathToken? {
    place + offset < tokens.count ? tokens[place + offset].token : nil
  }

  private var isAtCall: Bool { peek(1) == .sign("(") }

  private var isAtStep: Bool {
    switch peek() {
    case .name, .sign("."), .sign(".."), .sign("@"): true
    default: false
    }
  }

  private mutating func take(_ sign: String) -> Bool {
    guard peek() == .sign(sign) else { return false }
    place += 1
    return true
  }

  private func failure(_ message: String, at token: Int? = nil) -> XPathSyntaxError {
    let index = token ?? place
    return XPathSyntaxError(
      message: message, offset: index < tokens.count ? tokens[index].offset : end)
  }
}

extension XPathExpression {
  /// Whether the value of the expression is a node set.
  var isNodeSet: Bool {
    switch self {
    case .path, .union, .filter: true
    default: false
    }
  }
}
