internal import Foundation
internal import StubDBJSON

/// Translates a rule of a response.
///
/// https://mockoon.com/docs/latest/route-responses/dynamic-rules/
struct MockoonRule {
  private let rule: SourceValue
  private let environment: MockoonEnvironment
  private let target: String
  private let name: String
  private let value: String
  private let comparison: String
  private let isInverted: Bool

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

  func apply(to request: inout MockoonRequest) throws {
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
      let pattern = try bodyPattern()
      request.addBody(isInverted ? .object(["not": pattern]) : pattern)
    case "method": try request.setMethods(try methods())
    case "path":
      let pattern = try urlPattern(isLiteral: request.hasLiteralPath)
      try request.setURL(isInverted ? .object(["not": pattern]) : pattern)
    default: throw Untranslatable("a rule on \(target.isEmpty ? "nothing" : target)")
    }
  }

  /// The opposite of a pattern, for every value of a name that comes several times.
  private func inverted(_ pattern: JSONValue) -> JSONValue {
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
        NSRegularExpression.escapedPattern(for: value).replacing("\\/", with: "/")
        + (isLiteral ? "(?:\\?.*)?" : "")
    case "regex" where !isInverted, "regex_i" where !isInverted: expression = try wholeExpression
    default: throw Untranslatable("a rule on the path")
    }
    // The host keeps all of its characters, so that none of them is taken for a part of the path.
    return .object(["matches": .string("[a-z]+://[^/?]*+(?:\(expression))")])
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

  /// The pattern of a text.
  private func pattern() throws -> JSONValue {
    switch comparison {
    case "equals": return .object(["equalTo": .string(value)])
    case "regex", "regex_i": return .object(["matches": .string(try wholeExpression)])
    case "null": return .object(["or": .array([.object(["absent": true]), ""])])
    case "array_includes" where target == "query":
      // One value alone is no list there.
      let list = JSONValue.array([.string(value)])
      return ["and": [["includes": list], ["not": ["hasExactly": list]]]]
    default: throw Untranslatable("a rule with \(comparison)", "on \(target)")
    }
  }

  private func bodyPattern() throws -> JSONValue {
    if comparison == "valid_json_schema" {
      guard name.isEmpty, let schema = environment.bucket(value) else {
        throw Untranslatable("a rule with a schema", "there is no data bucket \(value)")
      }
      return .object(["matchesJsonSchema": schema])
    }
    let isArray = comparison == "array_includes"
    guard !name.isEmpty || isArray || comparison == "empty_array" else {
      if comparison == "null" {
        return .object(["or": .array([.object(["absent": true]), .object(["equalTo": ""])])])
      }
      return try pattern()
    }
    // A JSONPath gives a list of what it finds.
    let isQuery = name.hasPrefix("$")
    let path = try Self.path(name) + (isArray && !isQuery ? "[:]" : "")
    var members: [String: JSONValue] = [:]
    switch comparison {
    case "empty_array" where isQuery, "null" where isQuery:
      throw Untranslatable("a rule with \(comparison) on \(name)")
    case "empty_array":
      members["and"] = [["not": ["absent": true]], ["equalToJson": []]]
    case "array_includes": members["equalTo"] = .string(value)
    case "null":
      members["or"] = [["absent": true], ["equalToJson": .null], ["equalTo": ""]]
    default:
      guard case .object(let pattern) = try pattern() else { throw Untranslatable(comparison) }
      members = pattern
    }
    members["expression"] = .string(path)
    return .object(["matchesJsonPath": .object(members)])
  }

  /// `a.b.0` as a JSONPath; what begins with `$` is one.
  static func path(_ name: String) throws -> String {
    if name.hasPrefix("$") {
      guard let path = JaywayPath(name) else {
        throw Untranslatable("the path \(name)", "it has no counterpart in RFC 9535")
      }
      return path.query
    }
    // A dot after a backslash is part of a name.
    let parts = name.replacing("\\.", with: "\u{0}").split(separator: ".")
    return "$"
      + parts.map { part in
        let part = part.replacing("\u{0}", with: ".")
        if part.allSatisfy({ ("0"..."9").contains($0) }) { return "[\(part)]" }
        let isPlain =
          !(part.first?.isNumber ?? true)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isPlain
          ? ".\(part)"
          : "['\(part.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
      }.joined()
  }
}
