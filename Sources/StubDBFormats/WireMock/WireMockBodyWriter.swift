internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The operators of documents.
enum DocumentOperators {
  static let names = Set(
    ValueOperator.allCases.map(\.rawValue) + BodyPattern.operators.map { $0.name })
}

extension WireMockPatternWriter {
  /// A pattern with an operator that only bodies have.
  func body(_ name: String, _ operand: SourceValue, of value: SourceValue) throws -> JSONValue {
    switch name {
    case "binaryEqualTo": return [name: operand.json]
    case "equalToJson": return equalToJSON(operand, of: value)
    case "matchesJsonPath": return try jsonPath(operand)
    case "matchesJsonSchema": return jsonSchema(operand, of: value)
    case "equalToXml":
      guard case .object(var members) = value.json else { break }
      // As stubdb compares; WireMock overlooks namespaces otherwise.
      members["namespaceAwareness"] = "STRICT"
      return .object(members)
    case "matchesXPath": return try xPath(operand)
    default: break
    }
    throw Untranslatable(name, "WireMock has it only for the content as a whole")
  }

  private func equalToJSON(_ operand: SourceValue, of value: SourceValue) -> JSONValue {
    let expected = operand.json
    var members: [String: JSONValue] = [:]
    // WireMock's schema has objects and texts; a text is parsed there.
    if case .object = expected {
      members["equalToJson"] = expected
    } else {
      members["equalToJson"] = .string(expected.canonicalText)
    }
    let ignoresExtra = value.flag("ignoreExtraElements")
    let ignoresOrder = value.flag("ignoreArrayOrder")
    if ignoresExtra { members["ignoreExtraElements"] = true }
    if ignoresOrder { members["ignoreArrayOrder"] = true }
    if ignoresExtra, !ignoresOrder, expected.holdsArray {
      operand.change(
        .matcher, "WireMock allows further elements anywhere in an array, not only at its end")
    }
    return .object(members)
  }

  private func jsonPath(_ operand: SourceValue) throws -> JSONValue {
    let expression = operand.isObject ? operand["expression"] : operand
    let inner = operand.isObject ? operand.mainOperator : nil
    guard let expression, let text = expression.text,
      let path = WrittenJaywayPath(text, selects: inner != nil && inner?.name != "absent")
    else {
      throw Untranslatable(
        "matchesJsonPath",
        "\(operand["expression"]?.peekedText ?? operand.peekedText ?? "it") has no form there")
    }
    settle(expression, text, as: path)
    let simple: JSONValue = ["matchesJsonPath": .string(path.text)]
    guard let (name, inner) = inner else {
      if path.isDefinite {
        expression.change(.jsonPathDialect, "WireMock does not match where the value is null")
      }
      return simple
    }
    // What an import makes of a definite path, because null matches here.
    if path.isDefinite, name == "not", inner.members.count == 1,
      inner["equalToJson"]?.isNull == true
    {
      operand.keep()
      return simple
    }
    let selected = name == "and" ? Self.withoutGuard(inner) ?? operand : operand
    guard case .object(var members)? = try pattern(selected, .nestedBody) else {
      throw Untranslatable("matchesJsonPath", "of anything")
    }
    if path.isDefinite, name != "equalToJson" {
      operand.change(
        .jsonPathDialect, "WireMock looks at a list element by element, and takes null for absent")
    }
    members["expression"] = .string(path.text)
    return ["matchesJsonPath": .object(members)]
  }

  /// Notes what a JSONPath has become.
  private func settle(_ expression: SourceValue, _ text: String, as path: WrittenJaywayPath) {
    if path.hasFilter {
      expression.change(
        .jsonPathDialect, "In WireMock a filter of an object tests the object, not its members")
    } else if path.text != text {
      expression.change(.jsonPathDialect, "\(text) was rewritten as \(path.text)")
    }
  }

  /// The pattern that an import has guarded, because the text of a list or an object might satisfy it.
  private static func withoutGuard(_ both: SourceValue) -> SourceValue? {
    guard both.elements.count == 2,
      both.elements[0].peekedJSON == .object(SelectedValue.isScalar)
    else { return nil }
    both.elements[0].keep()
    return both.elements[1]
  }

  private func jsonSchema(_ operand: SourceValue, of value: SourceValue) -> JSONValue {
    let schema = operand.json
    // WireMock's own schema has texts only.
    var members: [String: JSONValue] = ["matchesJsonSchema": .string(schema.canonicalText)]
    var version = value.text("schemaVersion")
    if version == nil, case .object(let keywords) = schema,
      case .string(let dialect) = keywords["$schema"], dialect.contains("draft-07")
    {
      version = "draft-07"
    }
    if version == "draft-07" { members["schemaVersion"] = "V7" }
    if schema.mayAcceptText {
      operand.change(.matcher, "WireMock takes content that is not JSON for a string")
    }
    return .object(members)
  }

  private func xPath(_ operand: SourceValue) throws -> JSONValue {
    let expression = operand.isObject ? operand["expression"] : operand
    guard let expression, let text = expression.text else { throw Untranslatable("matchesXPath") }
    var members: [String: JSONValue] = [:]
    if let namespaces = operand["namespaces"] {
      members["xPathNamespaces"] = namespaces.json
    } else if !text.contains(":") {
      expression.change(
        .matcher, "Without namespaces WireMock also selects elements that have a prefix")
    }
    guard operand.isObject, operand.mainOperator != nil else {
      members["matchesXPath"] = .string(text)
      return .object(members)
    }
    guard case .object(var inner)? = try pattern(operand, .single) else {
      throw Untranslatable("matchesXPath", "of anything")
    }
    if !["text()", ")"].contains(where: text.hasSuffix), !text.contains("@") {
      operand.change(.matcher, "WireMock compares an element's XML, not the text inside of it")
    }
    inner["expression"] = .string(text)
    members["matchesXPath"] = .object(inner)
    return .object(members)
  }
}

extension JSONValue {
  /// Whether there is an array anywhere in the value.
  fileprivate var holdsArray: Bool {
    switch self {
    case .array: true
    case .object(let members): members.values.contains { $0.holdsArray }
    default: false
    }
  }

  /// Whether a schema may accept a string; false only where its `type` says so.
  fileprivate var mayAcceptText: Bool {
    guard case .object(let keywords) = self else { return self != .bool(false) }
    switch keywords["type"] {
    case .string(let type): return type == "string"
    case .array(let types): return types.contains("string")
    default: return true
    }
  }
}
