internal import StubDBJSON

/// The schema of a description as one of JSON Schema 2020-12.
///
/// What it refers to becomes part of it, under `$defs`. https://spec.openapis.org/oas/v3.0.4.html#schema-object
///
/// Descriptions have schemas that refer to nearly all others, so only as many levels of members and elements are
/// translated as the values have that are compared with it.
struct OpenAPISchema {
  /// How many values a schema and what it refers to may have.
  static let maximumCount = 20_000
  /// How many values all schemas of a description may have: each stub has its own.
  private static let maximumTotal = 1_000_000
  private static let maximumDepth = 128

  /// Keywords with a schema, with a list of them, and with schemas by name.
  private static let single: Set<String> = [
    "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties",
  ]
  /// Those that are about members or elements.
  private static let below: Set<String> = [
    "items", "prefixItems", "contains", "additionalProperties", "propertyNames", "properties",
    "patternProperties", "unevaluatedItems", "unevaluatedProperties",
  ]
  private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
  private static let maps: Set<String> = ["properties", "patternProperties", "dependentSchemas"]
  /// Keywords that say which values are allowed, as they are.
  private static let plain: Set<String> = [
    "type", "enum", "const", "required", "multipleOf", "maximum", "minimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties",
    "minProperties", "dependentRequired", "maxContains", "minContains", "exclusiveMaximum",
    "exclusiveMinimum",
  ]

  private struct Place: Hashable {
    var tree: ObjectIdentifier
    var index: Int
  }

  /// Where a schema is inside of others.
  private struct Nesting {
    var depth: Int
    /// The level of the values that it is about; the whole content is at level 0.
    var level: Int

    /// For a schema that is about the same value.
    var inner: Nesting { Nesting(depth: depth + 1, level: level) }
    /// For a schema that is about members or elements.
    var below: Nesting { Nesting(depth: depth + 1, level: level + 1) }
  }

  /// What the values are content of.
  enum Direction: Hashable {
    /// Members that only answers have need not be there.
    case request
    /// Members that only requests have must not be there.
    case response
  }

  let references: OpenAPIReferences
  /// Whether schemas are those of OpenAPI 3.0 and before.
  let isOld: Bool
  let direction: Direction
  private var names: [Place: String] = [:]
  private var unique = UniqueNames(limit: 100)
  /// What was referred to, by its name under `$defs`.
  private(set) var definitions: JSONObject = [:]
  /// The schemas that are referred to and not translated yet, by their lowest levels.
  private var pending: [Int: [(name: String, schema: SourceValue)]] = [:]
  /// How many levels of members and elements the values have.
  private let levelCount: Int
  /// Whether anything below the levels was left out.
  private(set) var isCut = false
  /// Whether there was more than is translated.
  private(set) var isTooMuch = false
  private var count = 0
  private let limit: Int

  init(
    references: OpenAPIReferences, isOld: Bool, direction: Direction = .request,
    levelCount: Int = .max, limit: Int = OpenAPISchema.maximumCount
  ) {
    self.limit = limit
    (self.references, self.isOld, self.direction) = (references, isOld, direction)
    self.levelCount = levelCount
  }

  /// The schema with all that it refers to; nil if that is too much.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  mutating func schema(of value: SourceValue) throws(FormatError) -> JSONValue? {
    var root = try sharedSchema(of: value)
    guard !isTooMuch else { return nil }
    if case .object(var members) = root, !definitions.isEmpty {
      members["$defs"] = .object(definitions)
      root = .object(members)
    }
    return root
  }

  /// The schema, whose references are to ``definitions``, as are those of the other schemas of this translation.
  mutating func sharedSchema(of value: SourceValue) throws(FormatError) -> JSONValue {
    let root = try translated(value, Nesting(depth: 0, level: 0))
    // The lowest level first, so that a schema is translated as far as any value needs it.
    while let level = pending.keys.min() {
      for next in pending.removeValue(forKey: level) ?? [] where definitions[next.name] == nil {
        definitions[next.name] = try translated(next.schema, Nesting(depth: 0, level: level))
      }
    }
    return root
  }

  private mutating func translated(
    _ value: SourceValue, _ nesting: Nesting
  ) throws(FormatError) -> JSONValue {
    guard nesting.level <= levelCount else {
      isCut = true
      return true
    }
    count += 1
    if count >= limit { isTooMuch = true }
    references.translatedCount += 1
    guard !isTooMuch, references.translatedCount < Self.maximumTotal,
      nesting.depth < Self.maximumDepth
    else {
      isTooMuch = true
      return true
    }
    if let truth = value.bool { return .bool(truth) }
    guard value.isObject else { return true }
    var members: JSONObject = [:]
    let reference = try name(of: value, nesting.level)
    // In 3.0 and before, nothing beside a reference counts.
    if isOld, let reference { return ["$ref": reference] }
    for member in value.members {
      members[member.name] = try keyword(member.name, member.value, of: value, nesting)
    }
    members["$ref"] = reference
    if isOld { settleOld(value, &members) }
    return .object(members)
  }

  private mutating func keyword(
    _ name: String, _ value: SourceValue, of schema: SourceValue, _ nesting: Nesting
  ) throws(FormatError) -> JSONValue? {
    let inside = Self.below.contains(name) ? nesting.below : nesting.inner
    if Self.single.contains(name), !value.isArray { return try translated(value, inside) }
    if Self.lists.contains(name) {
      var list: [JSONValue] = []
      for element in value.elements { list.append(try translated(element, inside)) }
      return list.isEmpty ? nil : .array(list)
    }
    if Self.maps.contains(name) {
      var schemas: JSONObject = [:]
      for member in value.members {
        // What only requests have is not answered.
        if direction == .response, name == "properties",
          try references.resolved(member.value).flag("writeOnly")
        {
          schemas[member.name] = false
        } else {
          schemas[member.name] = try translated(member.value, inside)
        }
      }
      return .object(schemas)
    }
    if name == "required", value.isArray {
      var sent: [JSONValue] = []
      for name in value.elements.compactMap(\.text) {
        // What only answers have is not asked for, and the other way round.
        let property = schema["properties"]?[name]
        let mark = direction == .request ? "readOnly" : "writeOnly"
        if let property, try references.resolved(property).flag(mark) { continue }
        sent.append(.string(name))
      }
      return sent.isEmpty ? nil : .array(sent)
    }
    // It allows all values, but says which integers have 32 bits.
    if name == "format", direction == .response { return value.json }
    return Self.plain.contains(name) && (!value.isNull || name == "const") ? value.json : nil
  }

  /// `#/$defs/Pet` for what a schema refers to; nil for what is not read.
  private mutating func name(
    of reference: SourceValue, _ level: Int
  ) throws(FormatError) -> JSONValue? {
    let target = try references.resolved(reference)
    guard !target.isSame(reference) else { return nil }
    let place = Place(tree: ObjectIdentifier(target.tree), index: target.index)
    if let name = names[place] {
      if definitions[name] == nil { pending[level, default: []].append((name, target)) }
      return .string("#/$defs/\(name)")
    }
    let last = target.pointer.tokens.last ?? "root"
    let plain = String(last.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    let name = unique.unique(plain.isEmpty ? "schema" : plain)
    names[place] = name
    pending[level, default: []].append((name, target))
    return .string("#/$defs/\(name)")
  }

  /// `nullable`, and bounds that are truth values.
  private func settleOld(_ value: SourceValue, _ members: inout JSONObject) {
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
      guard let given = value[flag]?.bool else { continue }
      members[flag] = given ? members[bound] : nil
      if given { members[bound] = nil }
    }
    guard value.flag("nullable") || value.flag("x-nullable") else { return }
    if case .string(let type) = members["type"] { members["type"] = [.string(type), "null"] }
    if case .array(let values) = members["enum"], !values.contains(.null) {
      members["enum"] = .array(values + [.null])
    }
    if members["type"] == nil, !members.isEmpty {
      members = ["anyOf": [.object(members), ["type": "null"]]]
    }
  }
}
