internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Writes patterns of values and bodies, which WireMock mostly calls by the same names.
///
/// Each is written from its value; its place in the document is for the report.
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
    case header
    case body
    /// The content inside of another operator, where WireMock knows texts only.
    case nestedBody
  }

  /// Patterns by name; those that any value and none satisfies are left out.
  func named(
    _ patterns: [NamedPattern], _ place: Place, at object: SourceValue?
  ) throws -> JSONObject {
    var written: JSONObject = [:]
    let merged = NamedPattern.merged(patterns, isCaseSensitive: place != .header)
    for (named, member) in zip(merged, object?.members ?? []) {
      written[member.name] = try pattern(named.pattern, place, at: member.value)
    }
    return written
  }

  /// A pattern of a value; nil if it is satisfied by everything.
  ///
  /// - Throws: ``Untranslatable`` for a pattern that WireMock does not have.
  func pattern(
    _ pattern: ValuePattern, _ place: Place, at value: SourceValue
  ) throws -> JSONValue? {
    let name = pattern.operator.rawValue
    let operand = value[name] ?? value
    if place == .cookie, pattern.operator != .absent, pattern.mayBeAbsent {
      value.change(.matcher, "WireMock does not match where the cookie is missing")
    }
    func inner() throws -> [JSONValue?] {
      try zip(pattern.patterns, operand.elements).map {
        try self.pattern($0, place.inside, at: $1)
      }
    }
    switch pattern.operator {
    case .equalTo:
      value.keep()
      var members: JSONObject = [name: .string(pattern.text)]
      if pattern.literal == nil { members["caseInsensitive"] = true }
      return .object(members)
    case .contains, .doesNotContain, .matches, .doesNotMatch, .absent: return [name: operand.json]
    case .anything:
      operand.keep()
      return nil
    case .equalToCaptured: throw Untranslatable(name)
    case .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber,
      .lessThanEqualNumber:
      return number(pattern, operand)
    case .before, .after, .equalToDateTime: return value.json
    case .hasExactly, .includes: return try list(pattern, operand, of: value, place)
    case .and: return all(try inner())
    case .or: return try any(try inner())
    case .not:
      return try negation(
        pattern.patterns.first.flatMap {
          try self.pattern($0, place.inside, at: operand)
        })
    }
  }

  /// A pattern of a content; nil if it is satisfied by everything.
  ///
  /// - Throws: ``Untranslatable`` for a pattern that WireMock does not have.
  func pattern(
    _ pattern: BodyPattern, _ place: Place, at value: SourceValue
  ) throws -> JSONValue? {
    func inner(_ name: ValueOperator, _ patterns: [BodyPattern]) throws -> [JSONValue?] {
      try zip(patterns, value.list(name.rawValue)).map {
        try self.pattern($0, .nestedBody, at: $1)
      }
    }
    switch pattern.storage {
    case .value(let pattern): return try self.pattern(pattern, place, at: value)
    case .and(let patterns): return all(try inner(.and, patterns))
    case .or(let patterns): return try any(try inner(.or, patterns))
    case .not(let pattern):
      let operand = value[ValueOperator.not.rawValue] ?? value
      return try negation(try self.pattern(pattern, .nestedBody, at: operand))
    case .operation(let operation): return try body(operation.base, place, at: value)
    }
  }

  private func all(_ patterns: [JSONValue?]) -> JSONValue? {
    let patterns = patterns.compactMap(\.self)
    return patterns.count > 1 ? ["and": .array(patterns)] : patterns.first
  }

  private func any(_ patterns: [JSONValue?]) throws -> JSONValue? {
    guard !patterns.isEmpty else { throw Untranslatable("or", "nothing satisfies it") }
    return patterns.contains(nil) ? nil : ["or": .array(patterns.compactMap(\.self))]
  }

  private func negation(_ pattern: JSONValue?) throws -> JSONValue {
    guard let pattern else { throw Untranslatable("not", "nothing satisfies it") }
    return ["not": pattern]
  }

  private func number(_ pattern: ValuePattern, _ operand: SourceValue) -> JSONValue {
    let json = operand.json
    if case .number(_, let number) = pattern.storage, !number.isKeptByDoubles {
      operand.change(.matcher, "WireMock compares numbers in double precision")
    }
    return .object([pattern.operator.rawValue: json])
  }

  /// `hasExactly` and `includes`.
  private func list(
    _ pattern: ValuePattern, _ operand: SourceValue, of value: SourceValue, _ place: Place
  ) throws -> JSONValue? {
    let name = pattern.operator.rawValue
    guard place == .multiple || place == .header else {
      throw Untranslatable(name, "WireMock has it for query parameters, fields and forms only")
    }
    let isExact = pattern.operator == .hasExactly
    guard !pattern.patterns.isEmpty else {
      operand.keep()
      return isExact ? ["absent": true] : nil
    }
    let patterns = try zip(pattern.patterns, operand.elements).map {
      try self.pattern($0, .single, at: $1) ?? ["matches": "(?s).*"]
    }
    if isExact, Set(pattern.patterns.compactMap(\.literal)).count < patterns.count {
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

extension JSONNumber {
  /// Whether a `double` holds the number.
  var isKeptByDoubles: Bool {
    JSONNumber(doubleValue).map { $0.isNumericallyEqual(to: self) } ?? false
  }
}
