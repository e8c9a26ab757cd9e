import Foundation
import StubDBJSON
import StubDBModel
import StubDBXML

/// Decides whether the content of a request satisfies body patterns.
///
/// As with values, the answer is nil where it cannot be told: of content that cannot be seen, or that is no text, only
/// what is true of every content is true.
struct BodyMatching: Sendable {
  let values: ValueMatching

  func matches(_ body: PreparedBody, _ pattern: BodyPattern) -> Bool? {
    if pattern.needsJSON { _ = body.json }
    if case .graphQL = pattern { _ = body.graphQL }
    if pattern.needsXML { _ = body.xml }
    return body.context.going(deep: body.isDeep) { decide(body, pattern) }
  }

  private func decide(_ body: PreparedBody, _ pattern: BodyPattern) -> Bool? {
    switch pattern {
    case .value(let pattern):
      switch body.text {
      case .value(let text): return values.matches(text, pattern, in: body.context)
      case .empty: return values.matches(nil, pattern, in: body.context)
      case .malformed: return unseen(pattern, isPresent: true)
      case .unknown: return unseen(pattern, isPresent: false)
      }
    case .binaryEqualTo(let data): return matchesBytes(body, data)
    case .equalToJSON(let expected, let ignoreArrayOrder, let ignoreExtraElements):
      return decided(body.json) { actual in
        isEqual(
          expected, actual, ignoreArrayOrder: ignoreArrayOrder,
          ignoreExtraElements: ignoreExtraElements, body.context)
      }
    case .matchesJSONPath(let path, let operand): return matches(body, path: path, operand)
    case .matchesJSONSchema(let schema, let version):
      return matches(body, schema: schema, version: version)
    case .form(let fields): return matchesForm(body, fields)
    case .multipart(let patterns):
      return decided(body.parts) { parts in
        ValueMatching.all(patterns) { pattern in
          ValueMatching.any(parts) { matches($0, pattern) }
        }
      }
    case .graphQL(let pattern):
      return decided(body.graphQL) { GraphQLComparison(pattern, $0, self, body.context).isMatch }
    case .and(let patterns):
      return ValueMatching.all(patterns) { matches(body, $0) }
    case .or(let patterns):
      return ValueMatching.any(patterns) { matches(body, $0) }
    case .not(let inner):
      return matches(body, inner).map { !$0 }
    case .equalToXML(let pattern):
      return decided(body.xml) { actual in
        xml(body).comparison(pattern, actual).flatMap { $0.isExhausted ? nil : $0.count == 0 }
      }
    case .matchesXPath(let pattern): return matches(body, pattern)
    }
  }

  /// Compares JSON; nil where that takes too long.
  func isEqual(
    _ expected: JSONValue, _ actual: JSONValue, ignoreArrayOrder: Bool = false,
    ignoreExtraElements: Bool = false, _ context: MatchContext
  ) -> Bool? {
    var comparison = JSONComparison(
      ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
      placeholders: JSONPlaceholders(operands: values.operands, context: context))
    let isEqual = comparison.isEqual(expected, actual)
    return comparison.isExhausted ? nil : isEqual
  }

  /// What a test says of a content that has the form; a content without it fails, one that is not seen is undecided.
  private func decided<Value>(
    _ form: PreparedBody.Form<Value>, _ test: (Value) -> Bool?
  ) -> Bool? {
    switch form {
    case .value(let value): test(value)
    case .empty, .malformed: false
    case .unknown: nil
    }
  }

  /// The bytes as they came, or without their codings.
  private func matchesBytes(_ body: PreparedBody, _ data: Data) -> Bool? {
    guard case .bytes(let raw) = body.content else { return nil }
    if raw == data { return true }
    return switch body.bytes {
    case .value(let bytes): bytes == data
    case .empty: data.isEmpty
    case .malformed: false
    case .unknown: nil
    }
  }

  private func matches(_ body: PreparedBody, path: String, _ operand: BodyPattern?) -> Bool? {
    guard let query = values.operands.paths[path] else { return nil }
    return decided(body.selection(of: query)) { selection in
      switch operand {
      case nil: return !selection.values.isEmpty
      case .value(let pattern):
        return values.matches(FieldValues(selection.texts), pattern, in: body.context)
      case let operand?:
        let inside = ValueMatching.any(selection.bodies) { matches($0, operand) }
        if inside == true { return true }
        let embedded = ValueMatching.any(selection.embedded) { matches($0, operand) }
        guard case .equalToJSON = operand, selection.values.count > 1 else {
          return ValueMatching.or(inside, embedded)
        }
        return ValueMatching.or(
          ValueMatching.or(inside, embedded), matches(selection.list, operand))
      }
    }
  }

  private func matches(_ body: PreparedBody, _ pattern: XPathPattern) -> Bool? {
    let key = CompiledOperands.XPathOperand(pattern)
    guard let path = values.operands.xPaths[key] else { return nil }
    return decided(body.selection(of: path, key)) { selection in
      guard let value = pattern.value else { return selection.isSomething }
      return values.matches(FieldValues(selection.texts), value, in: body.context)
    }
  }

  func xml(_ body: PreparedBody) -> XMLMatching {
    XMLMatching(operands: values.operands, context: body.context)
  }

  /// Content that is no JSON is checked as a string, as WireMock does.
  private func matches(_ body: PreparedBody, schema: JSONValue, version: String?) -> Bool? {
    let key = CompiledOperands.SchemaOperand(schema: schema, version: version)
    guard let schema = values.operands.schemas[key] else { return nil }
    let value: JSONValue
    switch (body.json, body.text) {
    case (.value(let json), _): value = json
    case (.malformed, .value(let text)): value = .string(text)
    case (.empty, _), (.malformed, _): return false
    case (.unknown, _): return nil
    }
    return body.context.visiting { schema.violations(in: value, checks: &$0) }.map(\.isEmpty)
  }

  private func matchesForm(_ body: PreparedBody, _ fields: [NamedPattern]) -> Bool? {
    let items: [URLParts.QueryItem]
    switch body.form {
    case .value(let value): items = value
    case .empty: items = []
    case .malformed, .unknown: return nil
    }
    return ValueMatching.all(fields) { field in
      values.matches(Self.values(of: field.name, in: items), field.pattern, in: body.context)
    }
  }

  /// The values that a form has for a name.
  static func values(of name: String, in items: [URLParts.QueryItem]) -> FieldValues {
    FieldValues(items.compactMap { ByteText.isEqual($0.name, name) ? $0.value : nil })
  }

  /// Whether one part of a multipart content satisfies the pattern.
  func matches(_ part: PreparedPart, _ pattern: PartPattern) -> Bool? {
    if let name = pattern.name {
      guard let actual = part.name, ByteText.isEqual(name, actual) else { return false }
    }
    let context = part.body.context
    let filename = pattern.filename.map { values.matches(part.filename, $0, in: context) }
    let headers = ValueMatching.all(pattern.headers) {
      values.matches(part.values(ofHeader: $0.name), $0.pattern, in: context)
    }
    let body = ValueMatching.all(pattern.body) { matches(part.body, $0) }
    return ValueMatching.all([filename ?? true, headers, body]) { $0 }
  }

  /// What can be said of a value that cannot be read; `isPresent` says whether there is one for sure.
  private func unseen(_ pattern: ValuePattern, isPresent: Bool) -> Bool? {
    switch pattern {
    case .anything: true
    case .absent: isPresent ? false : nil
    case .and(let patterns): ValueMatching.all(patterns) { unseen($0, isPresent: isPresent) }
    case .or(let patterns): ValueMatching.any(patterns) { unseen($0, isPresent: isPresent) }
    case .not(let inner): unseen(inner, isPresent: isPresent).map { !$0 }
    default: nil
    }
  }
}
