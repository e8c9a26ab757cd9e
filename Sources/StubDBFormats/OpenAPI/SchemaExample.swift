internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON

/// Makes an example of a schema: the same schema always gives the same value.
struct SchemaExample {
  /// How deep a schema is followed.
  static let maximumDepth = 12
  private static let maximumNodes = 2_000
  private static let maximumProperties = 200

  let references: OpenAPIReferences
  let isSwagger: Bool
  /// The places where a schema refers to itself and something must stand there all the same.
  private(set) var cuts: [String] = []
  private var nodeCount = 0
  /// The schemas around the current one.
  private var open: [SourceValue] = []

  init(references: OpenAPIReferences, isSwagger: Bool) {
    self.references = references
    self.isSwagger = isSwagger
  }

  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  mutating func value(of schema: SourceValue) throws(FormatError) -> JSONValue {
    try made(schema) ?? .object([:])
  }

  /// The value; nil where the schema is cut.
  private mutating func made(_ reference: SourceValue) throws(FormatError) -> JSONValue? {
    let schema = try references.resolved(reference)
    let isRecursive = open.contains { $0.isSame(schema) }
    nodeCount += 1
    guard !isRecursive, open.count < Self.maximumDepth, nodeCount < Self.maximumNodes else {
      return nil
    }
    open.append(schema)
    defer { open.removeLast() }
    if schema.bool == true || schema.isObject && schema.members.isEmpty {
      return open.count == 1 ? .object([:]) : "string"
    }
    if let given = Self.given(schema) { return given }
    if schema["allOf"]?.isArray == true { return try merged(schema) }
    if let branches = schema.first(of: "oneOf", "anyOf")?.elements, !branches.isEmpty {
      return try branch(branches, of: schema)
    }
    return try typed(schema)
  }

  /// The value that the author wrote.
  private static func given(_ schema: SourceValue) -> JSONValue? {
    if let value = schema["const"] { return value.json }
    if let value = schema.first(of: "example", "x-example") { return value.json }
    if let value = schema["examples"]?.elements.first { return value.json }
    if let value = schema["default"], !value.isNull { return value.json }
    let values = schema["enum"]?.elements ?? []
    return (values.first { !$0.isNull } ?? values.first)?.json
  }

  /// The value of all parts; nil if a part is cut and no other says what the value is.
  private mutating func merged(_ schema: SourceValue) throws(FormatError) -> JSONValue? {
    var object: JSONObject = [:]
    var other: JSONValue?
    var isCut = false
    for part in schema["allOf"]?.elements ?? [] where try saysValue(part) {
      switch try made(part) {
      case .object(let members)?: object.merge(members) { _, last in last }
      case let value?: other = value
      case nil: isCut = true
      }
    }
    // Keywords beside allOf are one more part.
    if schema["properties"] != nil, case .object(let members) = try typed(schema) {
      object.merge(members) { _, last in last }
    }
    guard object.isEmpty else { return .object(object) }
    if other == nil, isCut { return Optional.none }
    return other ?? .object([:])
  }

  /// Whether a part of a schema says more than what the value is for.
  private func saysValue(_ part: SourceValue) throws(FormatError) -> Bool {
    let schema = try references.resolved(part)
    return !schema.isObject
      || schema.members.contains {
        !Self.annotations.contains($0.name) && !$0.name.hasPrefix("x-")
      }
  }

  /// The keywords that say nothing about a value.
  private static let annotations: Set<String> = [
    "title", "description", "nullable", "readOnly", "writeOnly", "deprecated", "externalDocs",
    "xml", "required", "discriminator", "$comment", "$id", "$schema", "$anchor",
  ]

  private mutating func branch(
    _ branches: [SourceValue], of schema: SourceValue
  ) throws(FormatError) -> JSONValue? {
    var candidates: [SourceValue] = []
    for branch in branches where try references.resolved(branch)["type"]?.peekedText != "null" {
      candidates.append(branch)
    }
    // A branch that leads back here is passed over for one that does not.
    var made: (branch: SourceValue, value: JSONValue)?
    for branch in candidates.isEmpty ? branches : candidates {
      guard let value = try self.made(branch) else { continue }
      made = (branch, value)
      break
    }
    guard let (chosen, value) = made else { return nil }
    guard case .object(var members) = value, let discriminator = schema["discriminator"],
      let name = discriminator["propertyName"]?.text ?? discriminator.text
    else { return value }
    let reference = chosen["$ref"]?.peekedText
    let mapped = discriminator["mapping"]?.members.first { $0.value.peekedText == reference }?.name
    if let tag = mapped ?? reference?.split(separator: "/").last.map(String.init) {
      members[name] = .string(tag)
    }
    return .object(members)
  }

  private mutating func typed(_ schema: SourceValue) throws(FormatError) -> JSONValue {
    switch Self.type(of: schema) {
    case "object": return try object(schema)
    case "array": return try array(schema)
    case "integer": return SchemaNumber.value(schema, isInteger: true)
    case "number": return SchemaNumber.value(schema, isInteger: false)
    case "boolean": return true
    case "null": return .null
    default: return .string(SchemaText.value(schema))
    }
  }

  private static func type(of schema: SourceValue) -> String {
    let types =
      schema["type"].map { $0.isArray ? $0.elements.compactMap(\.text) : [$0.text ?? ""] } ?? []
    if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
    if schema.first(of: "properties", "additionalProperties") != nil { return "object" }
    if schema.first(of: "items", "prefixItems") != nil { return "array" }
    if schema.first(of: "minimum", "maximum", "multipleOf") != nil { return "number" }
    return "string"
  }

  private mutating func object(_ schema: SourceValue) throws(FormatError) -> JSONValue {
    var members: JSONObject = [:]
    let required = Set(schema["required"]?.elements.compactMap(\.text) ?? [])
    for property in (schema["properties"]?.members ?? []).prefix(Self.maximumProperties) {
      let inner = try references.resolved(property.value)
      if inner["writeOnly"]?.bool == true { continue }
      if let value = try made(property.value) {
        members[property.name] = value
      } else if required.contains(property.name) {
        members[property.name] = cutValue(inner, property.name)
      }
    }
    if members.isEmpty, let additional = schema["additionalProperties"], additional.isObject,
      let value = try made(additional)
    {
      members["key"] = value
    }
    return .object(members)
  }

  /// What stands in place of a schema that refers to itself.
  private mutating func cutValue(_ schema: SourceValue, _ name: String) -> JSONValue {
    let parts = [schema] + (schema["allOf"]?.elements ?? [])
    if parts.contains(where: { $0["nullable"]?.bool == true }) { return .null }
    let branches = schema.first(of: "oneOf", "anyOf")?.elements ?? []
    if branches.contains(where: { $0["type"]?.peekedText == "null" }) { return .null }
    if Self.type(of: schema) == "array" { return .array([]) }
    cuts.append(schema.pointer.description)
    return .object([:])
  }

  private mutating func array(_ schema: SourceValue) throws(FormatError) -> JSONValue {
    if schema["maxItems"]?.integer == 0 { return .array([]) }
    var elements: [JSONValue] = []
    for item in schema["prefixItems"]?.elements ?? [] {
      if let value = try made(item) { elements.append(value) }
    }
    guard let items = schema["items"], items.isObject else { return .array(elements) }
    let count = min(5, max(1, schema["minItems"]?.integer ?? 1))
    let isUnique = schema["uniqueItems"]?.bool == true
    guard let value = try made(items) else { return .array(elements) }
    while elements.count < count {
      elements.append(isUnique ? value.numbered(elements.count) : value)
    }
    return .array(elements)
  }
}

extension JSONValue {
  /// A different value for each number.
  fileprivate func numbered(_ number: Int) -> JSONValue {
    guard number > 0 else { return self }
    switch self {
    case .string(let text): return .string("\(text)-\(number + 1)")
    case .number(let value): return .number(JSONNumber((value.integerValue ?? 0) + number))
    default: return self
    }
  }
}
