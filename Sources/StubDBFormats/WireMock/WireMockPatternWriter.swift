internal import Foundation
internal import StubDBJSON

/// Writes patterns of values and bodies, which WireMock mostly calls by the same names.
///
/// https://wiremock.org/docs/request-matching/
struct WireMockPatternWriter {
  /// What a pattern is about, because WireMock treats missing and repeated values differently.
  enum Place {
    /// One value: a host, a placeholder, what a query selects.
    case single
    /// A cookie, which must be there for all operators but `absent`.
    case cookie
    /// Query parameters, form fields.
    case multiple
    /// Header fields.
    case header
    /// The content.
    case body
    /// The content inside of another operator, where WireMock knows texts only.
    case nestedBody
  }

  private static let asTheyAre: Set<String> = [
    "contains", "doesNotContain", "matches", "doesNotMatch", "absent",
  ]
  private static let numbers: Set<String> = [
    "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber",
    "lessThanEqualNumber",
  ]
  private static let dates: Set<String> = ["before", "after", "equalToDateTime"]

  /// Patterns by name; those that any value and none satisfies are left out.
  func named(_ value: SourceValue, _ place: Place) throws -> [String: JSONValue] {
    var patterns: [String: JSONValue] = [:]
    for member in value.members { patterns[member.name] = try pattern(member.value, place) }
    return patterns
  }

  /// A pattern of a document; nil if it is satisfied by everything.
  ///
  /// - Throws: ``Untranslatable`` for a pattern that WireMock does not have.
  func pattern(_ value: SourceValue, _ place: Place) throws -> JSONValue? {
    if value.isString { return ["equalTo": value.json] }
    if value.isArray { return try list("hasExactly", value, of: value, place) }
    guard let (name, operand) = value.mainOperator else {
      throw Untranslatable(value.members.first?.name ?? "an empty pattern")
    }
    if place == .cookie, name != "absent", value.mayBeAbsent {
      value.change(.matcher, "WireMock does not match where the cookie is missing")
    }
    switch name {
    case "equalTo":
      var members = ["equalTo": operand.json]
      if value.flag("caseInsensitive") { members["caseInsensitive"] = true }
      return .object(members)
    case "anything":
      operand.keep()
      return nil
    case "and": return try all(operand.elements.compactMap { try pattern($0, place.inside) })
    case "or": return try any(operand, place)
    case "not":
      guard let inner = try pattern(operand, place.inside) else {
        throw Untranslatable("not", "nothing satisfies it")
      }
      return ["not": inner]
    case "hasExactly", "includes": return try list(name, operand, of: value, place)
    case _ where Self.asTheyAre.contains(name): return .object([name: operand.json])
    case _ where Self.numbers.contains(name): return number(name, operand)
    case _ where Self.dates.contains(name): return value.json
    default:
      if place == .body || place == .nestedBody, name != "binaryEqualTo" || place == .body {
        return try body(name, operand, of: value)
      }
      throw Untranslatable(name)
    }
  }

  private func all(_ patterns: [JSONValue]) throws -> JSONValue? {
    switch patterns.count {
    case 0: nil
    case 1: patterns[0]
    default: ["and": .array(patterns)]
    }
  }

  private func any(_ operand: SourceValue, _ place: Place) throws -> JSONValue? {
    guard !operand.elements.isEmpty else { throw Untranslatable("or", "nothing satisfies it") }
    var patterns: [JSONValue] = []
    var isFree = false
    for element in operand.elements {
      if let inner = try pattern(element, place.inside) {
        patterns.append(inner)
      } else {
        isFree = true
      }
    }
    return isFree ? nil : ["or": .array(patterns)]
  }

  private func number(_ name: String, _ operand: SourceValue) -> JSONValue {
    let json = operand.json
    if case .number(let number) = json,
      JSONNumber(number.doubleValue).map({ !$0.isNumericallyEqual(to: number) }) ?? true
    {
      operand.change(.matcher, "WireMock compares numbers in double precision")
    }
    return .object([name: json])
  }

  /// `hasExactly` and `includes`.
  private func list(
    _ name: String, _ operand: SourceValue, of value: SourceValue, _ place: Place
  ) throws -> JSONValue? {
    guard place == .multiple || place == .header else {
      throw Untranslatable(name, "WireMock has it for query parameters, fields and forms only")
    }
    guard !operand.elements.isEmpty else { return name == "includes" ? nil : ["absent": true] }
    let patterns = try operand.elements.map {
      try pattern($0, .single) ?? ["matches": "(?s).*"]
    }
    let literals = operand.elements.compactMap(\.literal)
    if name == "hasExactly", Set(literals).count < operand.elements.count {
      value.change(.matcher, "WireMock lets one value satisfy several of these patterns")
    } else if place == .header {
      value.change(.matcher, "WireMock does not cut the lines of a field at commas")
    }
    return .object([name: .array(patterns)])
  }
}

extension WireMockPatternWriter.Place {
  /// What the operands of `and`, `or` and `not` are about: WireMock knows only single values there.
  fileprivate var inside: Self { self == .body || self == .nestedBody ? .nestedBody : .single }
}

extension SourceValue {
  /// The operator of a pattern's object, and what it is applied with.
  var mainOperator: (name: String, operand: SourceValue)? {
    let names = DocumentOperators.names
    return members.first { names.contains($0.name) }.map { ($0.name, $0.value) }
  }

  /// The text of a pattern that only this text satisfies; nil for others.
  var literal: String? {
    if isString { return peekedText }
    guard isObject, self["caseInsensitive"]?.peekedText != "true" else { return nil }
    return self["equalTo"]?.peekedText
  }

  /// Whether a pattern is also satisfied if there is no value.
  var mayBeAbsent: Bool {
    guard isObject, let (name, operand) = mainOperator else {
      return isArray && elements.isEmpty
    }
    switch name {
    case "absent", "anything", "doesNotContain", "doesNotMatch": return true
    case "not": return !operand.mayBeAbsent
    case "and": return operand.elements.allSatisfy(\.mayBeAbsent)
    case "or": return operand.elements.contains(where: \.mayBeAbsent)
    case "hasExactly", "includes": return operand.elements.isEmpty
    default: return false
    }
  }
}
