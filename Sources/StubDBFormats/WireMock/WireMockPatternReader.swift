internal import Foundation
internal import StubDBJSON

/// Translates the patterns of values and bodies; most have the same names in documents.
struct WireMockPatternReader {
  private static let texts: Set<String> = [
    "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch",
  ]
  static let numbers: Set<String> = [
    "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber",
    "lessThanEqualNumber",
  ]
  static let dates: Set<String> = ["before", "after", "equalToDateTime"]
  static let dateOptions = [
    "actualFormat", "truncateExpected", "truncateActual", "applyTruncationLast", "expectedOffset",
    "expectedOffsetUnit",
  ]

  /// Whether an export of stubdb wrote the patterns: names of elements in an XPath mean what they mean here.
  let isExported: Bool
  /// Whether the patterns are below a `not`, where one that matches less makes a stub that answers more.
  private var isNegated = false

  init(isExported: Bool = false) { self.isExported = isExported }

  /// Notes that a pattern matches other values than in WireMock; nil for one that does not.
  ///
  /// - Throws: ``Untranslatable`` below a `not`.
  func note(_ difference: String?, at value: SourceValue) throws {
    guard let difference else { return }
    if isNegated { throw Untranslatable("not", difference) }
    value.change(.jsonPathDialect, difference)
  }

  /// - Throws: ``Untranslatable`` below a `not`, for a pattern that may match less than in WireMock.
  func refuseNegation(_ reason: String) throws {
    if isNegated { throw Untranslatable("not", reason) }
  }

  /// Notes that a pattern matches less than in WireMock.
  ///
  /// - Throws: ``Untranslatable`` below a `not`.
  func narrow(_ value: SourceValue, _ reason: String) throws {
    try refuseNegation(reason)
    value.change(.matcher, reason)
  }

  /// Patterns by name.
  func named(_ value: SourceValue) throws -> JSONValue {
    guard value.isObject else { throw Untranslatable("patterns", "they are \(value.typeName)") }
    var patterns: [String: JSONValue] = [:]
    for member in value.members { patterns[member.name] = try self.value(member.value) }
    return .object(patterns)
  }

  /// The elements of a list.
  func list(_ value: SourceValue, of name: String = "") throws -> [SourceValue] {
    guard value.isArray else { throw Untranslatable("patterns", "they are \(value.typeName)") }
    // All of no patterns would be satisfied by anything, also by nothing.
    if ["and", "includes"].contains(name), value.elements.isEmpty {
      throw Untranslatable(name, "it is empty")
    }
    return value.elements
  }

  /// A pattern of a value.
  func value(_ value: SourceValue) throws -> JSONValue {
    if value.isString { return value.json }
    guard let (name, operand) = main(value, where: isValueOperator) else {
      let unknown = value.members.first { $0.name != "expression" } ?? value.members.first
      throw Untranslatable(unknown?.name ?? "an empty pattern")
    }
    defer { ignoreRest(of: value, beside: name) }
    return try .object(valueMembers(name, operand, of: value))
  }

  /// A pattern of a body.
  func body(_ value: SourceValue) throws -> JSONValue {
    guard
      let (name, operand) = main(
        value, where: { WireMockBodyOperators.names.contains($0) || isValueOperator($0) })
    else { return try self.value(value) }
    defer { ignoreRest(of: value, beside: name) }
    switch name {
    case _ where WireMockBodyOperators.names.contains(name):
      return try .object(WireMockBodyOperators.members(name, operand, of: value, patterns: self))
    case "and", "or": return .object([name: .array(try list(operand, of: name).map(body))])
    case "not":
      var negated = self
      negated.isNegated = true
      return .object(["not": try negated.body(operand)])
    default: return try .object(valueMembers(name, operand, of: value))
    }
  }

  /// Ignores other operators than the one that counts, and options that it does not have, as WireMock does.
  private func ignoreRest(of value: SourceValue, beside name: String) {
    let own = Set(Self.options(of: name) + [name])
    value.ignoreUnread { other in
      !own.contains(other)
        && (isValueOperator(other) || WireMockBodyOperators.names.contains(other)
          || Self.allOptions.contains(other))
    }
  }

  private static func options(of name: String) -> [String] {
    if dates.contains(name) { return dateOptions }
    return name == "equalTo" ? ["caseInsensitive"] : WireMockBodyOperators.options[name] ?? []
  }

  private static let allOptions = Set(
    dateOptions + ["caseInsensitive"] + WireMockBodyOperators.options.values.flatMap(\.self))

  /// The operator of an object: the first that is known, as in WireMock; others have no effect there.
  func main(
    _ value: SourceValue, where isOperator: (String) -> Bool
  ) -> (name: String, operand: SourceValue)? {
    value.members.first { isOperator($0.name) && !$0.value.isNull }.map { ($0.name, $0.value) }
  }

  private func isValueOperator(_ name: String) -> Bool {
    Self.texts.contains(name) || Self.numbers.contains(name) || Self.dates.contains(name)
      || [
        "absent", "anything", "and", "or", "not", "hasExactly", "includes", "matchesPathTemplate",
      ].contains(name)
  }

  private func valueMembers(
    _ name: String, _ operand: SourceValue, of value: SourceValue
  ) throws -> [String: JSONValue] {
    switch name {
    case "absent":
      // The name decides, whatever its value is.
      operand.keep()
      return ["absent": true]
    case "anything":
      operand.keep()
      return ["anything": true]
    case "and", "or", "hasExactly", "includes":
      return [name: .array(try list(operand, of: name).map(self.value))]
    case "not": return [name: try self.value(operand)]
    case "matchesPathTemplate":
      guard let text = operand.text else { throw Untranslatable(name) }
      return ["matches": .string(Self.expression(ofTemplate: text))]
    case _ where Self.numbers.contains(name):
      guard let number = operand.number, let json = JSONNumber(number) else {
        throw Untranslatable(name)
      }
      return [name: .number(operand.isNumber ? JSONNumber(unchecked: operand.text ?? "0") : json)]
    case _ where Self.dates.contains(name):
      var members = [name: operand.json]
      for option in Self.dateOptions {
        if let value = value[option], !value.isNull { members[option] = value.json }
      }
      return members
    default:
      guard let text = operand.text else { throw Untranslatable(name) }
      var members: [String: JSONValue] = [name: .string(text)]
      if name == "equalTo", value.flag("caseInsensitive") { members["caseInsensitive"] = true }
      return members
    }
  }

  private static func expression(ofTemplate template: String) -> String {
    template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? "[^/]+" : NSRegularExpression.escapedPattern(for: String(segment))
    }.joined(separator: "/")
  }
}
