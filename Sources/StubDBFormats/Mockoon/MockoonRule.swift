internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Translates a rule of a response.
///
/// https://mockoon.com/docs/latest/route-responses/dynamic-rules/
struct MockoonRule {
  /// What a rule is about.
  enum Target: String { case body, query, header, cookie, params, method, path }

  enum Comparison: String {
    case equals, regex, null
    case regexI = "regex_i"
    case emptyArray = "empty_array"
    case arrayIncludes = "array_includes"
    case schema = "valid_json_schema"
  }

  let environment: MockoonEnvironment
  let target: Target
  let name: String
  let value: String
  let comparison: Comparison
  let isInverted: Bool

  private static let members: Set<String> = [
    "target", "modifier", "value", "operator", "invert", "isRegex",
  ]

  init(_ rule: SourceValue, environment: MockoonEnvironment) throws {
    guard rule.isObject else { throw Untranslatable("a rule", "it is \(rule.typeName)") }
    // A response may be read several times, so this does not wait for what was not read.
    for member in rule.members where !member.value.isNull {
      guard Self.members.contains(member.name), member.value.isScalar else {
        throw Untranslatable("\(member.name) of a rule", "stubdb does not know what it is")
      }
    }
    self.environment = environment
    name = rule.text("modifier") ?? ""
    value = rule.text("value") ?? ""
    isInverted = rule.flag("invert")
    if value.contains("{{") { throw Untranslatable("a rule whose value is a template") }
    let target = rule.text("target") ?? ""
    let comparison =
      rule.text("operator") ?? (rule["isRegex"]?.bool == true ? "regex" : "equals")
    guard let knownTarget = Target(rawValue: target) else {
      throw Untranslatable("a rule on \(target.isEmpty ? "nothing" : target)")
    }
    guard let known = Comparison(rawValue: comparison) else {
      throw Untranslatable("a rule with \(comparison)", "on \(target)")
    }
    (self.target, self.comparison) = (knownTarget, known)
  }

  /// Adds what the rule asks for, of requests with a content of a kind; false if it never holds for these.
  ///
  /// Without a kind, the rule does not look into the content.
  func apply(to request: inout MockoonRequest, in content: MockoonContent? = nil) throws -> Bool {
    if let content, readsContent { return try apply(to: &request, reading: content) }
    switch target {
    case .query: try add(to: &request.pattern.query)
    case .cookie: try add(to: &request.pattern.cookies)
    case .params:
      guard request.path.names?.contains(name) == true else {
        throw Untranslatable("the parameter \(name) of the path")
      }
      try add(to: &request.pattern.pathParameters)
    case .header:
      var field = request.pattern.headers.filter { $0.name.rawName == name }.map(\.named)
      try add(to: &field)
      for named in field { try request.pattern.setHeader(name, named.pattern) }
    case .body: request.pattern.body.append(try bodyPattern())
    case .method: try request.setMethods(try methods())
    case .path: try request.setURL(try urlPattern(isLiteral: request.hasLiteralPath))
    }
    return true
  }

  /// Adds what the rule asks of a name, to what other rules ask of it.
  private func add(to patterns: inout [NamedPattern]) throws {
    guard !name.isEmpty, !name.hasPrefix("$"), target == .header || !name.contains(".") else {
      throw Untranslatable("a rule on \(target) \(name)")
    }
    let pattern = try isInverted ? inverted(pattern()) : pattern()
    patterns[name] = patterns[name].map { .and([$0, pattern]) } ?? pattern
  }

  /// The opposite of a pattern, for every value of a name that comes several times.
  func inverted(_ pattern: ValuePattern) -> ValuePattern {
    let isOfOneValue = target != .params && [.equals, .regex, .regexI].contains(comparison)
    return .not(isOfOneValue ? .includes([pattern]) : pattern)
  }

  /// The pattern of a whole URL.
  ///
  /// Mockoon compares path and query, and also the endpoint as it is written. Without placeholders that is the path.
  private func urlPattern(isLiteral: Bool) throws -> ValuePattern {
    let expression: String
    switch comparison {
    case .equals where !value.contains(":"):
      expression =
        ForeignExpression.quoted(value) + (isLiteral ? "(?:\\?.*)?" : "")
    case .regex where !isInverted, .regexI where !isInverted: expression = try wholeExpression
    default: throw Untranslatable("a rule on the path")
    }
    let pattern = ValuePattern.matches(try TargetExpression(expression).url)
    return isInverted ? .not(pattern) : pattern
  }

  private func methods() throws -> [HTTPRequest.Method] {
    guard !isInverted, [.equals, .regex, .regexI].contains(comparison),
      let methods = HTTPRequest.Method.list(value)
    else { throw Untranslatable("a rule on the method") }
    return methods
  }

  private var wholeExpression: String {
    get throws {
      try ForeignExpression(value, .singleLine).anywhere(ignoresCase: comparison == .regexI)
    }
  }

  /// The pattern of a text, which may be one of several values of a name.
  func pattern() throws -> ValuePattern {
    switch comparison {
    case .equals: return .equalTo(value)
    case .regex, .regexI: return .matches(try wholeExpression)
    case .null: return .or([.absent, ""])
    case .arrayIncludes where target == .query || target == .body:
      // One value alone is no list there.
      let list = [ValuePattern.equalTo(value)]
      return .and([.includes(list), .not(.hasExactly(list))])
    case .arrayIncludes, .emptyArray, .schema:
      throw Untranslatable("a rule with \(comparison.rawValue)", "on \(target)")
    }
  }
}
