internal import Foundation
internal import StubDBJSON
internal import StubDBModel

extension WireMockPatternWriter {
  /// A pattern with an operator that only bodies have.
  func body(
    _ operation: any BodyOperator, _ place: Place, at value: SourceValue
  ) throws -> JSONValue {
    let name = type(of: operation).name
    let operand = value[name] ?? value
    switch operation {
    case is BinaryOperator where place == .body: return [name: operand.json]
    case is BinaryOperator: throw Untranslatable(name)
    case let json as EqualToJSONOperator:
      value.keep()
      return equalToJSON(json, operand)
    case let path as JSONPathOperator: return try jsonPath(path, operand)
    case let schema as JSONSchemaOperator:
      value.keep()
      return jsonSchema(schema, operand)
    case is XMLPattern:
      guard case .object(var members) = value.json else { break }
      // As stubdb compares; WireMock overlooks namespaces otherwise.
      members["namespaceAwareness"] = "STRICT"
      return .object(members)
    case let path as XPathPattern: return try xPath(path, operand)
    default: break
    }
    throw Untranslatable(name, "WireMock has it only for the content as a whole")
  }

  private func equalToJSON(_ json: EqualToJSONOperator, _ operand: SourceValue) -> JSONValue {
    var members: JSONObject = [:]
    // WireMock's schema has objects and texts; a text is parsed there.
    if case .object = json.value {
      members["equalToJson"] = json.value
    } else {
      members["equalToJson"] = .string(json.value.canonicalText)
    }
    if json.ignoreExtraElements { members["ignoreExtraElements"] = true }
    if json.ignoreArrayOrder { members["ignoreArrayOrder"] = true }
    if json.ignoreExtraElements, !json.ignoreArrayOrder, json.value.holdsArray {
      operand.change(
        .matcher, "WireMock allows further elements anywhere in an array, not only at its end")
    }
    return .object(members)
  }

  private func jsonPath(_ operation: JSONPathOperator, _ operand: SourceValue) throws -> JSONValue {
    let expression = operand["expression"] ?? operand
    expression.keep()
    let isAbsent = operation.pattern == .value(.absent)
    guard
      let path = WrittenJaywayPath(
        operation.query, selects: operation.pattern != nil && !isAbsent)
    else { throw Untranslatable("matchesJsonPath", "\(operation.query) has no form there") }
    settle(expression, operation.query, as: path)
    let simple: JSONValue = ["matchesJsonPath": .string(path.text)]
    guard let inner = operation.pattern else {
      if path.isDefinite {
        expression.change(.jsonPathDialect, "WireMock does not match where the value is null")
      }
      return simple
    }
    // What an import makes of a definite path, because null matches here.
    if path.isDefinite, inner == .not(.equalToJSON(.null)) {
      operand.keep()
      return simple
    }
    guard case .object(var members)? = try selected(inner, operand) else {
      throw Untranslatable("matchesJsonPath", "of anything")
    }
    if path.isDefinite, !(inner.operation is EqualToJSONOperator) {
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

  /// The pattern of what a query selects.
  ///
  /// An import has guarded one that the text of a list or an object might satisfy; the guard is left out.
  private func selected(_ inner: BodyPattern, _ operand: SourceValue) throws -> JSONValue? {
    if case .and(let both) = inner.storage, both.count == 2 {
      let places = operand.list("and")
      if both[0] == .matchesJSONSchema(SelectedValue.scalarSchema) {
        places[0].keep()
        return try pattern(both[1], .nestedBody, at: places[1])
      }
    }
    return try pattern(inner, .nestedBody, at: operand)
  }

  private func jsonSchema(_ operation: JSONSchemaOperator, _ operand: SourceValue) -> JSONValue {
    let schema = operation.schema
    // WireMock's own schema has texts only.
    var members: JSONObject = ["matchesJsonSchema": .string(schema.canonicalText)]
    var dialect = operation.dialect
    if dialect == nil, case .object(let keywords) = schema,
      case .string(let name) = keywords["$schema"], name.contains("draft-07")
    {
      dialect = .draft07
    }
    if dialect == .draft07 { members["schemaVersion"] = "V7" }
    if schema.mayAcceptText {
      operand.change(.matcher, "WireMock takes content that is not JSON for a string")
    }
    return .object(members)
  }

  private func xPath(_ operation: XPathPattern, _ operand: SourceValue) throws -> JSONValue {
    let expression = operand["expression"] ?? operand
    expression.keep()
    let text = operation.expression
    var members: JSONObject = [:]
    if let namespaces = operand["namespaces"] {
      members["xPathNamespaces"] = namespaces.json
    } else if !text.contains(":") {
      expression.change(
        .matcher, "Without namespaces WireMock also selects elements that have a prefix")
    }
    guard let value = operation.value else {
      members["matchesXPath"] = .string(text)
      return .object(members)
    }
    guard case .object(var inner)? = try pattern(value, .single, at: operand) else {
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
  var holdsArray: Bool {
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
