import StubDBJSON
package import StubDBModel

/// How large requests may be that patterns surely compare in a short time, in bytes.
///
/// All work on a request is bounded (``WorkBudget``), but by seconds. A front end that must not wait asks here before.
/// A pattern of unknown cost counts as slow, since comparing on another thread costs some microseconds only.
package enum PatternCost {
  /// The time grows with the request, or not even that.
  static let linear = Int.max
  /// The time grows with the square of the size.
  private static let quadratic = 2_000
  private static let cubic = 150
  /// The time depends on more than the size.
  static let unbounded = 0

  /// The size for patterns that go on after a number of places where the text before may end.
  static func size(loopCount: Int) -> Int {
    switch loopCount {
    case ...1: linear
    case 2: quadratic
    case 3: cubic
    default: unbounded
    }
  }

  /// The size for a regular expression of Java's dialect.
  static func size(expression: String) -> Int {
    var reader = ExpressionLoops(expression)
    return reader.count().map(size(loopCount:)) ?? unbounded
  }

  /// The size for a JSONPath: every descent and every filter visits all values below those that it begins with.
  static func size(jsonPath: String) -> Int {
    if jsonPath.contains("match(") || jsonPath.contains("search(") { return unbounded }
    return size(loopCount: count("..", in: jsonPath) + count("?", in: jsonPath))
  }

  /// The size for an XPath: so does every step but a child, and every predicate.
  static func size(xPath: String) -> Int {
    size(loopCount: count("//", in: xPath) + count("::", in: xPath) + count("[", in: xPath))
  }

  /// The size for all parts of a request.
  package static func size(of request: RequestPattern) -> Int {
    RequestPart.all.reduce(linear) { size, part in
      switch part.demand(of: request) {
      case .value(let pattern): min(size, pattern.map { Self.size(of: $0) } ?? linear)
      case .named(let patterns): min(size, Self.size(of: patterns))
      case .bodies(let patterns): min(size, Self.size(of: patterns))
      case .methods, .other: size
      }
    }
  }

  /// The size for patterns of one content.
  package static func size(of patterns: [BodyPattern]) -> Int {
    patterns.reduce(linear) { min($0, size(of: $1)) }
  }

  private static func size(of pattern: BodyPattern) -> Int {
    switch pattern.storage {
    case .value(let value): size(of: value)
    case .and(let patterns), .or(let patterns): size(of: patterns)
    case .not(let pattern): size(of: pattern)
    case .operation(let operation): size(of: operation.base)
    }
  }

  private static func size(of operation: any BodyOperator) -> Int {
    switch operation {
    case is BinaryOperator: linear
    case let form as FormOperator: size(of: form.fields)
    case let multipart as MultipartOperator:
      multipart.parts.reduce(linear) { size, part in
        min(
          size, part.filename.map { Self.size(of: $0) } ?? linear,
          Self.size(of: part.headers.map(\.named)), Self.size(of: part.body))
      }
    case let graphQL as GraphQLPattern:
      min(
        graphQL.operationName.map { size(of: $0) } ?? linear,
        graphQL.variables.map { size(of: $0) } ?? linear)
    case let json as EqualToJSONOperator:
      min(size(of: json.value), json.ignoreArrayOrder ? quadratic : linear)
    case let path as JSONPathOperator:
      min(size(jsonPath: path.query), path.pattern.map { size(of: $0) } ?? linear)
    // Elements are compared in any order.
    case let xml as XMLPattern: xml.enablePlaceholders ? unbounded : quadratic
    case let path as XPathPattern:
      min(size(xPath: path.expression), path.value.map { size(of: $0) } ?? linear)
    default: unbounded
    }
  }

  private static func size(of patterns: [NamedPattern]) -> Int {
    patterns.reduce(linear) { min($0, size(of: $1.pattern)) }
  }

  private static func size(of pattern: ValuePattern) -> Int {
    switch pattern.operator {
    case .matches, .doesNotMatch: size(expression: pattern.text)
    default: pattern.patterns.reduce(linear) { min($0, size(of: $1)) }
    }
  }

  /// The size for a JSON value, whose texts may be placeholders with an expression.
  private static func size(of value: JSONValue) -> Int {
    switch value {
    case .string(let text):
      JSONPlaceholder(text).map { size(expression: $0.expression) } ?? linear
    case .array(let elements): elements.reduce(linear) { min($0, size(of: $1)) }
    case .object(let members): members.values.reduce(linear) { min($0, size(of: $1)) }
    case .null, .bool, .number: linear
    }
  }

  private static func count(_ part: String, in text: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}

/// Counts the repetitions of a regular expression by which a text can be divided in several ways.
private struct ExpressionLoops {
  private struct Group {
    var hasLoop = false
    var hasAlternative = false
  }

  /// How often something may be repeated without counting as a loop.
  private static let fewest = 4

  private var rest: Substring
  private var groups = [Group()]
  private var loops = 0
  private var optionals = 0

  init(_ expression: String) {
    rest = expression[...]
  }

  /// The number of loops; nil if loops are nested, or if that is not known.
  mutating func count() -> Int? {
    while let character = rest.popFirst() {
      var content = Group()
      switch character {
      case "\\":
        // A reference to a group, or a quotation.
        guard let next = rest.popFirst(), !next.isNumber, next != "k", next != "Q" else {
          return nil
        }
        if next == "p" || next == "P" || next == "x" || next == "u" { skipBraces() }
      case "[": guard skipClass() else { return nil }
      case "(":
        // Flags, conditions and names: only those are known that change nothing.
        if rest.first == "?" {
          guard let opening = ["?:", "?=", "?!", "?<=", "?<!"].first(where: rest.hasPrefix) else {
            return nil
          }
          rest.removeFirst(opening.count)
        }
        groups.append(Group())
        continue
      case "|":
        groups[groups.count - 1].hasAlternative = true
        continue
      case ")":
        guard groups.count > 1, let group = groups.popLast() else { return nil }
        content = group
      default: break
      }
      guard add(content) else { return nil }
    }
    return groups.count == 1 && optionals <= 8 ? loops : nil
  }

  /// Takes the quantifier behind an atom; false if it makes loops of loops.
  private mutating func add(_ content: Group) -> Bool {
    let last = groups.count - 1
    switch quantifier() {
    case .none:
      groups[last].hasLoop = groups[last].hasLoop || content.hasLoop
      groups[last].hasAlternative = groups[last].hasAlternative || content.hasAlternative
    case .optional:
      optionals += 1
      groups[last].hasLoop = true
    case .loop:
      guard !content.hasLoop, !content.hasAlternative else { return false }
      loops += 1
      groups[last].hasLoop = true
    case .count:
      guard !content.hasLoop, !content.hasAlternative else { return false }
    case .unknown: return false
    }
    return true
  }

  private enum Quantifier {
    case none
    case optional
    case loop
    /// Always as often.
    case count
    case unknown
  }

  private mutating func quantifier() -> Quantifier {
    let quantifier: Quantifier
    switch rest.first {
    case "*", "+":
      rest.removeFirst()
      quantifier = .loop
    case "?":
      rest.removeFirst()
      quantifier = .optional
    case "{":
      guard let end = rest.firstIndex(of: "}") else { return .unknown }
      let bounds = rest[rest.index(after: rest.startIndex)..<end]
        .split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      rest = rest[rest.index(after: end)...]
      quantifier = Self.quantifier(bounds)
    default: return .none
    }
    // Lazy or possessive.
    if let next = rest.first, next == "?" || next == "+" { rest.removeFirst() }
    return quantifier
  }

  private static func quantifier(_ bounds: [Int?]) -> Quantifier {
    guard let first = bounds.first, let fewest = first else { return .unknown }
    guard bounds.count > 1 else { return .count }
    guard let most = bounds[1] else { return .loop }
    return most - fewest <= Self.fewest && fewest > 0 ? .count : .loop
  }

  /// Skips a class, with those inside of it; false if it has no end.
  private mutating func skipClass() -> Bool {
    if rest.first == "^" { rest.removeFirst() }
    // A bracket that comes first is a member.
    if rest.first == "]" { rest.removeFirst() }
    var depth = 1
    while let character = rest.popFirst() {
      switch character {
      case "\\": _ = rest.popFirst()
      case "[": depth += 1
      case "]": depth -= 1
      default: break
      }
      if depth == 0 { return true }
    }
    return false
  }

  /// Skips `{…}`, which is not a quantifier behind some escapes.
  private mutating func skipBraces() {
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return }
    rest = rest[rest.index(after: end)...]
  }
}
