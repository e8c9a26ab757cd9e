internal import StubDBSupport

extension JSONPath.Parser {
  /// Parses a logical expression: `||` over `&&` over negation, parentheses and tests.
  mutating func parseCondition() throws(JSONPathSyntaxError) -> JSONPath.Condition {
    try descend()
    var conditions = [try parseConjunction()]
    while takeOperator("||") {
      skipWhiteSpace()
      conditions.append(try parseConjunction())
    }
    depth -= 1
    return conditions.count == 1 ? conditions[0] : .or(conditions)
  }

  private mutating func parseConjunction() throws(JSONPathSyntaxError) -> JSONPath.Condition {
    var conditions = [try parseBasic()]
    while takeOperator("&&") {
      skipWhiteSpace()
      conditions.append(try parseBasic())
    }
    return conditions.count == 1 ? conditions[0] : .and(conditions)
  }

  private mutating func parseBasic() throws(JSONPathSyntaxError) -> JSONPath.Condition {
    if take("!") {
      skipWhiteSpace()
      if peek() == "(" { return .not(try parseParenthesized()) }
      return .not(try parseTest(try parseTerm()))
    }
    if peek() == "(" { return try parseParenthesized() }
    let start = position
    let left = try parseTerm()
    let afterLeft = position
    skipWhiteSpace()
    guard let comparison = takeComparison() else {
      position = afterLeft
      return try parseTest(left, at: start)
    }
    skipWhiteSpace()
    let rightStart = position
    let right = try parseTerm()
    return .comparison(
      try operand(left, at: start), comparison, try operand(right, at: rightStart))
  }

  private mutating func parseParenthesized() throws(JSONPathSyntaxError) -> JSONPath.Condition {
    position += 1
    skipWhiteSpace()
    let condition = try parseCondition()
    skipWhiteSpace()
    guard take(")") else { throw failure("expected ')'") }
    return condition
  }

  /// A literal, a query or a call, before its use is known.
  private enum Term {
    case literal(JSONValue)
    case query(JSONPath.Query)
    case function(JSONPath.FunctionCall)
  }

  private func parseTest(_ term: Term, at place: Int? = nil) throws(JSONPathSyntaxError)
    -> JSONPath.Condition
  {
    switch term {
    case .query(let query): return .exists(query)
    case .function(let function) where !function.isValue: return .test(function)
    case .function: throw failure("the result of the function must be compared", at: place)
    case .literal: throw failure("a literal must be compared", at: place)
    }
  }

  private func operand(_ term: Term, at place: Int) throws(JSONPathSyntaxError) -> JSONPath.Operand
  {
    switch term {
    case .literal(let literal): return .literal(literal)
    case .query(let query) where query.isSingular: return .singular(query)
    case .query: throw failure("only a query for a single value can be compared", at: place)
    case .function(let function) where function.isValue: return .function(function)
    case .function: throw failure("the result of the function cannot be compared", at: place)
    }
  }

  private mutating func parseTerm() throws(JSONPathSyntaxError) -> Term {
    switch peek() {
    case "@":
      position += 1
      return .query(JSONPath.Query(isRelative: true, segments: try parseSegments()))
    case "$":
      position += 1
      return .query(JSONPath.Query(isRelative: false, segments: try parseSegments()))
    case "'", "\"":
      return .literal(.string(try parseString()))
    case let scalar? where scalar == "-" || Self.isDigit(scalar):
      return .literal(.number(try parseNumber()))
    case let scalar? where ("a"..."z").contains(scalar):
      return try parseWord()
    default:
      throw failure("expected a query, a literal or a function")
    }
  }

  private mutating func parseWord() throws(JSONPathSyntaxError) -> Term {
    let start = position
    while let scalar = peek(),
      ("a"..."z").contains(scalar) || Self.isDigit(scalar) || scalar == "_"
    { position += 1 }
    let word = text(from: start)
    if take("(") { return .function(try parseArguments(of: word, at: start)) }
    switch word {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: throw failure("\"\(word)\" is neither a literal nor a call", at: start)
    }
  }

  private mutating func parseArguments(
    of name: String, at start: Int
  ) throws(JSONPathSyntaxError) -> JSONPath.FunctionCall {
    try descend()
    var terms: [Term] = []
    skipWhiteSpace()
    if !take(")") {
      repeat {
        skipWhiteSpace()
        terms.append(try parseTerm())
        skipWhiteSpace()
      } while take(",")
      guard take(")") else { throw failure("expected ',' or ')'") }
    }
    depth -= 1
    switch (name, terms.count) {
    case ("length", 1): return .length(try operand(terms[0], at: start))
    case ("count", 1): return .count(try nodes(terms[0], at: start))
    case ("value", 1): return .value(try nodes(terms[0], at: start))
    case ("match", 2), ("search", 2):
      let isWhole = name == "match"
      let text = try operand(terms[0], at: start)
      return .find(in: text, try expression(terms[1], isWhole, at: start), isWhole: isWhole)
    case ("length", _), ("count", _), ("value", _), ("match", _), ("search", _):
      throw failure("\(name)() does not take \(terms.count) arguments", at: start)
    default:
      throw failure("unknown function \(name)()", at: start)
    }
  }

  private func expression(
    _ term: Term, _ isWhole: Bool, at place: Int
  ) throws(JSONPathSyntaxError) -> JSONPath.Expression {
    guard case .literal(.string(let text)) = term else {
      return .computed(try operand(term, at: place))
    }
    return .compiled(BoundedRegex(interoperable: text, isWhole: isWhole))
  }

  private func nodes(_ term: Term, at place: Int) throws(JSONPathSyntaxError) -> JSONPath.Query {
    guard case .query(let query) = term else {
      throw failure("the argument must be a query", at: place)
    }
    return query
  }

  private mutating func parseNumber() throws(JSONPathSyntaxError) -> JSONNumber {
    let start = position
    _ = take("-")
    let digits = position
    try skipDigits()
    if scalars[digits] == "0", position > digits + 1 {
      throw failure("a number may not begin with 0", at: start)
    }
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try skipDigits()
    }
    return JSONNumber(unchecked: text(from: start))
  }

  private mutating func skipDigits() throws(JSONPathSyntaxError) {
    guard let first = peek(), Self.isDigit(first) else { throw failure("expected a digit") }
    while let scalar = peek(), Self.isDigit(scalar) { position += 1 }
  }

  private mutating func takeComparison() -> JSONPath.Comparison? {
    for comparison in [
      JSONPath.Comparison.equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater,
    ] where takeWord(comparison.rawValue) {
      return comparison
    }
    return nil
  }

  /// Consumes white space and the operator, or nothing.
  private mutating func takeOperator(_ text: String) -> Bool {
    let start = position
    skipWhiteSpace()
    if takeWord(text) { return true }
    position = start
    return false
  }
}
