internal import StubDBSupport

extension SchemaCompiler {
  mutating func read(_ reader: inout KeywordReader, into index: Int) throws(JSONSchemaError) {
    if let reference = try reader.string("$ref") {
      refer(
        from: index, to: reference, isDynamic: false, at: reader.pointer.appending("$ref"))
    }
    try readDefinitions(reader)
    // In draft 7, a reference replaces the whole schema.
    if dialect == .draft07, reader.members["$ref"] != nil { return }
    if dialect == .draft202012, let reference = try reader.string("$dynamicRef") {
      refer(
        from: index, to: reference, isDynamic: true, at: reader.pointer.appending("$dynamicRef"))
    }
    try readAssertions(reader, into: index)
    try readCombinations(reader, into: index)
    try readArrayKeywords(reader, into: index)
    try readObjectKeywords(reader, into: index)
  }

  private mutating func readDefinitions(_ reader: KeywordReader) throws(JSONSchemaError) {
    for keyword in ["$defs", "definitions"] {
      for (name, schema) in try reader.object(keyword) {
        _ = try child(schema, of: reader, keyword, name)
      }
    }
  }

  private mutating func readAssertions(
    _ reader: KeywordReader, into index: Int
  ) throws(JSONSchemaError) {
    var types: [String]?
    if case .string(let type) = reader.members["type"] {
      types = [type]
    } else {
      types = try reader.strings("type")
    }
    let known = ["null", "boolean", "object", "array", "number", "string", "integer"]
    if let unknown = types?.first(where: { !known.contains($0) }) {
      throw reader.error("type", "knows no type \"\(unknown)\"")
    }
    let enumeration = try reader.elements("enum")
    let multipleOf = try reader.number("multipleOf")
    if let multipleOf, multipleOf.doubleValue <= 0 {
      throw reader.error("multipleOf", "takes a number above zero")
    }
    let limits = [
      try reader.number("minimum"), try reader.number("exclusiveMinimum"),
      try reader.number("maximum"), try reader.number("exclusiveMaximum"),
    ]
    let lengths = [try reader.count("minLength"), try reader.count("maxLength")]
    let pattern = try pattern(reader, "pattern", try reader.string("pattern"))
    update(index) { node in
      node.types = types
      node.enumeration = enumeration
      node.constant = reader.members["const"]
      node.multipleOf = multipleOf
      (node.minimum, node.exclusiveMinimum) = (limits[0], limits[1])
      (node.maximum, node.exclusiveMaximum) = (limits[2], limits[3])
      (node.minLength, node.maxLength) = (lengths[0], lengths[1])
      node.pattern = pattern
    }
  }

  private func pattern(
    _ reader: KeywordReader, _ keyword: String, _ text: String?
  ) throws(JSONSchemaError) -> SchemaPattern? {
    guard let text else { return nil }
    do throws(RegexSyntaxError) {
      return try SchemaPattern(text)
    } catch {
      throw reader.error(
        keyword, "holds \"\(text)\", which is not a regular expression: \(error)")
    }
  }

  private mutating func readCombinations(
    _ reader: KeywordReader, into index: Int
  ) throws(JSONSchemaError) {
    let (all, any, one) = (
      try children(reader, "allOf"), try children(reader, "anyOf"), try children(reader, "oneOf")
    )
    let (not, condition, then, otherwise) = (
      try child(reader, "not"), try child(reader, "if"), try child(reader, "then"),
      try child(reader, "else")
    )
    update(index) { node in
      (node.allOf, node.anyOf, node.oneOf, node.not) = (all, any, one, not)
      (node.condition, node.then, node.otherwise) = (condition, then, otherwise)
    }
  }

  private mutating func readArrayKeywords(
    _ reader: KeywordReader, into index: Int
  ) throws(JSONSchemaError) {
    var prefix: [Int] = []
    var items: Int?
    if dialect == .draft07, case .array = reader.members["items"] {
      prefix = try children(reader, "items")
      items = try child(reader, "additionalItems")
    } else {
      items = try child(reader, "items")
      if dialect == .draft202012 { prefix = try children(reader, "prefixItems") }
    }
    let contains = try child(reader, "contains")
    let counts = [try reader.count("minItems"), try reader.count("maxItems")]
    let unique = try reader.bool("uniqueItems") ?? false
    var (minContains, maxContains, unevaluated): (Int?, Int?, Int?)
    if dialect == .draft202012 {
      minContains = try reader.count("minContains")
      maxContains = try reader.count("maxContains")
      unevaluated = try child(reader, "unevaluatedItems")
    }
    update(index) { node in
      (node.prefixItems, node.items, node.contains) = (prefix, items, contains)
      (node.minItems, node.maxItems, node.uniqueItems) = (counts[0], counts[1], unique)
      (node.minContains, node.maxContains) = (minContains, maxContains)
      node.unevaluatedItems = unevaluated
    }
  }

  private mutating func readObjectKeywords(
    _ reader: KeywordReader, into index: Int
  ) throws(JSONSchemaError) {
    var properties: [ByteText: Int] = [:]
    for (name, schema) in try reader.object("properties") {
      properties[ByteText(name)] = try child(schema, of: reader, "properties", name)
    }
    var patterns: [(SchemaPattern, Int)] = []
    for (text, schema) in try reader.object("patternProperties") {
      guard let pattern = try pattern(reader, "patternProperties", text) else { continue }
      patterns.append((pattern, try child(schema, of: reader, "patternProperties", text)))
    }
    let additional = try child(reader, "additionalProperties")
    let names = try child(reader, "propertyNames")
    let required = try reader.strings("required") ?? []
    let counts = [try reader.count("minProperties"), try reader.count("maxProperties")]
    let (dependentRequired, dependentSchemas) = try dependencies(reader)
    let unevaluated = dialect == .draft202012 ? try child(reader, "unevaluatedProperties") : nil
    update(index) { node in
      (node.properties, node.patternProperties) = (properties, patterns)
      (node.additionalProperties, node.propertyNames) = (additional, names)
      (node.required, node.minProperties, node.maxProperties) = (required, counts[0], counts[1])
      (node.dependentRequired, node.dependentSchemas) = (dependentRequired, dependentSchemas)
      node.unevaluatedProperties = unevaluated
    }
  }

  private mutating func dependencies(
    _ reader: KeywordReader
  ) throws(JSONSchemaError) -> ([String: [String]], [String: Int]) {
    var required: [String: [String]] = [:]
    var schemas: [String: Int] = [:]
    for keyword in dialect == .draft07
      ? ["dependencies"] : ["dependentRequired", "dependentSchemas"]
    {
      for (name, value) in try reader.object(keyword) {
        if keyword != "dependentSchemas", let names = value.strings {
          required[name] = names
        } else if keyword != "dependentRequired" {
          schemas[name] = try child(value, of: reader, keyword, name)
        } else {
          throw reader.error(keyword, "takes lists of strings")
        }
      }
    }
    return (required, schemas)
  }

  private mutating func child(
    _ schema: JSONValue, of reader: KeywordReader, _ keyword: String, _ name: String
  ) throws(JSONSchemaError) -> Int {
    try compile(
      schema, at: reader.pointer.appending(keyword).appending(name), resource: reader.resource,
      inResource: reader.inResource.appending(keyword).appending(name))
  }

  private mutating func child(
    _ reader: KeywordReader, _ keyword: String
  ) throws(JSONSchemaError) -> Int? {
    guard let schema = reader.members[keyword] else { return nil }
    return try compile(
      schema, at: reader.pointer.appending(keyword), resource: reader.resource,
      inResource: reader.inResource.appending(keyword))
  }

  private mutating func children(
    _ reader: KeywordReader, _ keyword: String
  ) throws(JSONSchemaError) -> [Int] {
    var children: [Int] = []
    for (offset, schema) in (try reader.elements(keyword) ?? []).enumerated() {
      children.append(try child(schema, of: reader, keyword, String(offset)))
    }
    return children
  }
}

/// Reads the keywords of a schema object.
struct KeywordReader {
  let members: JSONObject
  let pointer: JSONPointer
  var inResource: JSONPointer
  var resource: String

  func error(_ keyword: String, _ message: String) -> JSONSchemaError {
    JSONSchemaError(
      pointer: pointer.appending(keyword), message: "\"\(keyword)\" \(message)")
  }

  func string(_ keyword: String) throws(JSONSchemaError) -> String? {
    guard let value = members[keyword] else { return nil }
    guard case .string(let text) = value else { throw error(keyword, "takes a string") }
    return text
  }

  func bool(_ keyword: String) throws(JSONSchemaError) -> Bool? {
    guard let value = members[keyword] else { return nil }
    guard case .bool(let flag) = value else { throw error(keyword, "takes true or false") }
    return flag
  }

  func number(_ keyword: String) throws(JSONSchemaError) -> JSONNumber? {
    guard let value = members[keyword] else { return nil }
    guard case .number(let number) = value else { throw error(keyword, "takes a number") }
    return number
  }

  /// A non-negative integer; one that does not fit becomes the largest.
  func count(_ keyword: String) throws(JSONSchemaError) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard number.isWhole, number.doubleValue >= 0 else {
      throw error(keyword, "takes a whole number, zero or more")
    }
    return number.integerValue ?? (number.doubleValue < 1e15 ? Int(number.doubleValue) : .max)
  }

  func strings(_ keyword: String) throws(JSONSchemaError) -> [String]? {
    guard let value = members[keyword] else { return nil }
    guard let strings = value.strings else { throw error(keyword, "takes a list of strings") }
    return strings
  }

  func elements(_ keyword: String) throws(JSONSchemaError) -> [JSONValue]? {
    guard let value = members[keyword] else { return nil }
    guard case .array(let elements) = value else { throw error(keyword, "takes a list") }
    return elements
  }

  /// The members of a keyword that takes an object, sorted by name.
  func object(_ keyword: String) throws(JSONSchemaError) -> [(key: String, value: JSONValue)] {
    guard let value = members[keyword] else { return [] }
    guard case .object(let members) = value else { throw error(keyword, "takes an object") }
    return members.sorted { $0.key < $1.key }
  }
}

extension JSONValue {
  /// The elements, if it is a list of strings.
  var strings: [String]? {
    guard case .array(let elements) = self else { return nil }
    var strings: [String] = []
    for element in elements {
      guard case .string(let text) = element else { return nil }
      strings.append(text)
    }
    return strings
  }
}
