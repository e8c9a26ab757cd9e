internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// An operator of WireMock; most have the name and the meaning of one of stubs.
enum WireMockOperator: Hashable {
  case value(ValueOperator)
  /// A template of a path, on any value.
  case pathTemplate
  case content(Content)

  /// The operators that only bodies have.
  enum Content: String {
    case binaryEqualTo, equalToJson, matchesJsonPath, matchesJsonSchema, equalToXml, matchesXPath
  }

  /// Nil for a name that is no operator there.
  init?(_ name: String) {
    if let known = ValueOperator(rawValue: name), known != .equalToCaptured {
      self = .value(known)
    } else if name == "matchesPathTemplate" {
      self = .pathTemplate
    } else if let known = Content(rawValue: name) {
      self = .content(known)
    } else {
      return nil
    }
  }

  /// What stands beside the operator and changes what it means.
  var options: [String] {
    switch self {
    case .value(let known): known.options
    case .content(.equalToJson): ["ignoreArrayOrder", "ignoreExtraElements"]
    case .content(.matchesJsonSchema): ["schemaVersion"]
    case .content(.equalToXml):
      [
        "enablePlaceholders", "ignoreOrderOfSameNode", "exemptedComparisons", "namespaceAwareness",
        "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
      ]
    case .content(.matchesXPath): ["xPathNamespaces"]
    case .content, .pathTemplate: []
    }
  }

  /// The options of all operators.
  static let allOptions = Set(
    ["before", "equalTo", "equalToJson", "matchesJsonSchema", "equalToXml", "matchesXPath"]
      .compactMap(WireMockOperator.init).flatMap(\.options))
}

/// Translates the patterns of values and bodies.
struct WireMockPatternReader {
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

  /// Notes that a pattern matches less than in WireMock.
  ///
  /// - Throws: ``Untranslatable`` below a `not`.
  func narrow(_ value: SourceValue, _ reason: String) throws {
    if isNegated { throw Untranslatable("not", reason) }
    value.change(.matcher, reason)
  }

  func named(_ value: SourceValue) throws -> [NamedPattern] {
    guard value.isObject else { throw Untranslatable("patterns", "they are \(value.typeName)") }
    return try value.members.map { NamedPattern($0.name, try self.value($0.value)) }
  }

  func headers(_ value: SourceValue) throws -> [HeaderPattern] {
    try named(value).reduce(into: RequestPattern()) { try $0.setHeader($1.name, $1.pattern) }
      .headers
  }

  func bodies(_ value: SourceValue) throws -> [BodyPattern] {
    try list(value).map { pattern in
      guard pattern.isObject else {
        throw Untranslatable("a pattern of the body", "it is \(pattern.typeName)")
      }
      return try body(pattern)
    }
  }

  func list(_ value: SourceValue, of known: ValueOperator? = nil) throws -> [SourceValue] {
    guard value.isArray else { throw Untranslatable("patterns", "they are \(value.typeName)") }
    // All of no patterns would be satisfied by anything, also by nothing.
    if let known, [.and, .includes].contains(known), value.elements.isEmpty {
      throw Untranslatable(known.rawValue, "it is empty")
    }
    return value.elements
  }

  func value(_ value: SourceValue) throws -> ValuePattern {
    if value.isString { return .equalTo(value.text ?? "") }
    for (name, operand) in value.members where !operand.isNull {
      guard let known = WireMockOperator(name) else { continue }
      if case .content = known { continue }
      defer { ignoreRest(of: value, beside: name, known) }
      return try pattern(known, operand, of: value)
    }
    let unknown = value.members.first { $0.name != "expression" } ?? value.members.first
    throw Untranslatable(unknown?.name ?? "an empty pattern")
  }

  func body(_ value: SourceValue) throws -> BodyPattern {
    // The first operator that is known counts, as in WireMock; others have no effect there.
    for (name, operand) in value.members where !operand.isNull {
      guard let known = WireMockOperator(name) else { continue }
      defer { ignoreRest(of: value, beside: name, known) }
      switch known {
      case .content(let known): return try content(known, operand, of: value)
      case .value(.and): return .and(try list(operand, of: .and).map(body))
      case .value(.or): return .or(try list(operand).map(body))
      case .value(.not):
        var negated = self
        negated.isNegated = true
        return .not(try negated.body(operand))
      case .value, .pathTemplate: return .value(try pattern(known, operand, of: value))
      }
    }
    return .value(try self.value(value))
  }

  /// Ignores other operators than the one that counts, and options that it does not have, as WireMock does.
  private func ignoreRest(of value: SourceValue, beside name: String, _ known: WireMockOperator) {
    let own = Set(known.options + [name])
    value.ignoreUnread { other in
      !own.contains(other)
        && (WireMockOperator(other) != nil || WireMockOperator.allOptions.contains(other))
    }
  }

  private func pattern(
    _ known: WireMockOperator, _ operand: SourceValue, of value: SourceValue
  ) throws -> ValuePattern {
    guard case .value(let known) = known else {
      return .matches(Self.expression(ofTemplate: try Self.text(operand, "matchesPathTemplate")))
    }
    let text = { try Self.text(operand, known.rawValue) }
    let patterns = { try self.list(operand, of: known).map(self.value) }
    let number = { (comparison: NumberComparison) throws -> ValuePattern in
      guard let number = operand.number, let json = JSONNumber(number) else {
        throw Untranslatable(known.rawValue)
      }
      return .number(
        comparison, operand.isNumber ? JSONNumber(unchecked: operand.text ?? "0") : json)
    }
    switch known {
    case .equalTo:
      return .equalTo(try text(), caseInsensitive: value.flag("caseInsensitive"))
    case .contains: return .contains(try text())
    case .doesNotContain: return .doesNotContain(try text())
    case .matches: return .matches(try text())
    case .doesNotMatch: return .doesNotMatch(try text())
    case .equalToCaptured: return .equalToCaptured(try text())
    case .absent, .anything:
      // The name decides, whatever its value is.
      operand.keep()
      return known == .absent ? .absent : .anything
    case .equalToNumber: return try number(.equalTo)
    case .greaterThanNumber: return try number(.greaterThan)
    case .greaterThanEqualNumber: return try number(.greaterThanOrEqual)
    case .lessThanNumber: return try number(.lessThan)
    case .lessThanEqualNumber: return try number(.lessThanOrEqual)
    case .before, .after, .equalToDateTime: return try date(known, operand, of: value)
    case .hasExactly: return .hasExactly(try patterns())
    case .includes: return .includes(try patterns())
    case .and: return .and(try patterns())
    case .or: return .or(try patterns())
    case .not: return .not(try self.value(operand))
    }
  }

  private func date(
    _ known: ValueOperator, _ operand: SourceValue, of value: SourceValue
  ) throws -> ValuePattern {
    var members = [known.rawValue: operand.json]
    for option in known.options { members[option] = value.given(option)?.json }
    do {
      return try RequestPattern.reading(.host, .object(members)).host ?? .anything
    } catch let error as DocumentError {
      throw Untranslatable(known.rawValue, error.message)
    }
  }

  private static func text(_ operand: SourceValue, _ name: String) throws -> String {
    guard let text = operand.text else { throw Untranslatable(name) }
    return text
  }

  private static func expression(ofTemplate template: String) -> String {
    template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? "[^/]+" : NSRegularExpression.escapedPattern(for: String(segment))
    }.joined(separator: "/")
  }
}
