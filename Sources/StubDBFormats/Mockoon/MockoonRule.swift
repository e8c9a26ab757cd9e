internal import Foundation
internal import StubDBJSON

/// Translates a rule of a response.
///
/// https://mockoon.com/docs/latest/route-responses/dynamic-rules/
struct MockoonRule {
  private let rule: SourceValue
  let environment: MockoonEnvironment
  let target: String
  let name: String
  let value: String
  let comparison: String
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
    self.rule = rule
    self.environment = environment
    target = rule.text("target") ?? ""
    name = rule.text("modifier") ?? ""
    value = rule.text("value") ?? ""
    comparison =
      rule.text("operator") ?? (rule["isRegex"]?.bool == true ? "regex" : "equals")
    isInverted = rule.flag("invert")
    if value.contains("{{") { throw Untranslatable("a rule whose value is a template") }
  }

  /// Adds what the rule asks for, of requests with a content of a kind; false if it never holds for these.
  ///
  /// Without a kind, the rule does not look into the content.
  func apply(to request: inout MockoonRequest, in content: MockoonContent? = nil) throws -> Bool {
    if let content, readsContent { return try apply(to: &request, reading: content) }
    switch target {
    case "query", "header", "cookie", "params":
      let parts = [
        "query": "query", "header": "headers", "cookie": "cookies", "params": "pathParameters",
      ]
      guard let part = parts[target], !name.isEmpty, !name.hasPrefix("$"),
        target == "header" || !name.contains(".")
      else { throw Untranslatable("a rule on \(target) \(name)") }
      try request.add(try isInverted ? inverted(pattern()) : pattern(), to: part, name)
    case "body":
      let pattern = try pattern()
      request.addBody(isInverted ? .object(["not": pattern]) : pattern)
    case "method": try request.setMethods(try methods())
    case "path":
      let pattern = try urlPattern(isLiteral: request.hasLiteralPath)
      try request.setURL(isInverted ? .object(["not": pattern]) : pattern)
    default: throw Untranslatable("a rule on \(target.isEmpty ? "nothing" : target)")
    }
    return true
  }

  /// The opposite of a pattern, for every value of a name that comes several times.
  func inverted(_ pattern: JSONValue) -> JSONValue {
    let isOfOneValue = target != "params" && ["equals", "regex", "regex_i"].contains(comparison)
    return .object(["not": isOfOneValue ? .object(["includes": .array([pattern])]) : pattern])
  }

  /// The pattern of a whole URL.
  ///
  /// Mockoon compares path and query, and also the endpoint as it is written. Without placeholders that is the path.
  private func urlPattern(isLiteral: Bool) throws -> JSONValue {
    let expression: String
    switch comparison {
    case "equals" where !value.contains(":"):
      expression =
        ForeignExpression.quoted(value) + (isLiteral ? "(?:\\?.*)?" : "")
    case "regex" where !isInverted, "regex_i" where !isInverted: expression = try wholeExpression
    default: throw Untranslatable("a rule on the path")
    }
    return .object(["matches": .string(try TargetExpression(expression).url)])
  }

  private func methods() throws -> [String] {
    let names = value.split(separator: "|").map { $0.uppercased() }
    guard !isInverted, ["equals", "regex", "regex_i"].contains(comparison), !names.isEmpty,
      names.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isLetter } })
    else { throw Untranslatable("a rule on the method") }
    return names
  }

  private var wholeExpression: String {
    get throws {
      try ForeignExpression(value, .singleLine).anywhere(ignoresCase: comparison == "regex_i")
    }
  }

  /// The pattern of a text, which may be one of several values of a name.
  func pattern() throws -> JSONValue {
    switch comparison {
    case "equals": return .object(["equalTo": .string(value)])
    case "regex", "regex_i": return .object(["matches": .string(try wholeExpression)])
    case "null": return .object(["or": .array([.object(["absent": true]), ""])])
    case "array_includes" where ["query", "body"].contains(target):
      // One value alone is no list there.
      let list = JSONValue.array([.string(value)])
      return ["and": [["includes": list], ["not": ["hasExactly": list]]]]
    default: throw Untranslatable("a rule with \(comparison)", "on \(target)")
    }
  }
}
