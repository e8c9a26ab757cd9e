package import StubDBJSON

/// What a description says of one place in the content of an answer: all schemas that are about it.
package struct DescribedPlace: Sendable {
  /// How many schemas one place may have; more are left out.
  private static let maximumCount = 64

  private let schemas: [JSONObject]
  private let definitions: JSONObject

  /// Nil if the schema says nothing.
  package init?(_ schema: JSONValue, definitions: JSONObject) {
    self.init([schema], definitions)
  }

  private init?(_ given: [JSONValue], _ definitions: JSONObject) {
    var (found, open) = ([JSONObject](), given)
    var references: Set<String> = []
    while let next = open.popLast(), found.count < Self.maximumCount {
      guard case .object(let schema) = next else { continue }
      found.append(schema)
      if case .string(let reference)? = schema["$ref"], references.insert(reference).inserted,
        let target = definitions[String(reference.dropFirst("#/$defs/".count))]
      {
        open.append(target)
      }
      for keyword in ["allOf", "anyOf", "oneOf"] { open += schema[keyword]?.elements ?? [] }
    }
    guard !found.isEmpty else { return nil }
    (schemas, self.definitions) = (found, definitions)
  }

  /// The strings that an enumeration allows, sorted; nil if the place is not one.
  package var constants: [String]? {
    let values = schemas.flatMap { $0["enum"]?.elements ?? [] }.compactMap(\.text)
    return values.isEmpty ? nil : Set(values).sorted()
  }

  /// The integers that an enumeration allows, sorted; nil if the place is not one of integers.
  package var integerConstants: [Int]? {
    let values = schemas.flatMap { $0["enum"]?.elements ?? [] }.compactMap(\.integer)
    return values.isEmpty ? nil : Set(values).sorted()
  }

  /// Whether null is allowed.
  package var allowsNull: Bool {
    schemas.contains { schema in
      schema["type"] == "null" || schema["type"]?.elements.contains("null") == true
        || schema["enum"]?.elements.contains(.null) == true
    }
  }

  /// Whether any integer is allowed: there is neither an upper bound, nor an enumeration, nor a size of 32 bits.
  package var allowsLargeIntegers: Bool {
    isOfType("integer")
      && !schemas.contains { schema in
        ["maximum", "exclusiveMaximum", "enum", "const"].contains { schema[$0] != nil }
          || schema["format"] == "int32"
      }
  }

  /// The length that lists have at least and at most; nil if no list is described, or one with fixed elements.
  package var lengths: ClosedRange<Int>? {
    guard isOfType("array"), !schemas.contains(where: { $0["prefixItems"] != nil }) else {
      return nil
    }
    let least = schemas.compactMap { $0["minItems"]?.integer }.max() ?? 0
    let most = schemas.compactMap { $0["maxItems"]?.integer }.min() ?? .max
    return max(0, least)...max(0, least, most)
  }

  /// Whether the names of members are data, since a schema is for members of any name.
  package var isMap: Bool {
    schemas.contains { schema in
      if case .object? = schema["additionalProperties"] { true } else { false }
    }
  }

  /// Whether every object must have the member.
  package func requires(_ name: String) -> Bool {
    schemas.contains { $0["required"]?.elements.contains(.string(name)) == true }
  }

  /// What is said of a member; nil if it is not described.
  package func member(_ name: String) -> DescribedPlace? {
    let own = schemas.compactMap { schema in
      if case .object(let members)? = schema["properties"] { members[name] } else { nil }
    }
    let any = own.isEmpty ? schemas.compactMap { $0["additionalProperties"] } : []
    return DescribedPlace(own + any, definitions)
  }

  /// Whether the member is described by its name.
  package func describes(_ name: String) -> Bool {
    schemas.contains { schema in
      if case .object(let members)? = schema["properties"] { members[name] != nil } else { false }
    }
  }

  /// What is said of the elements of lists; nil if nothing is.
  package var element: DescribedPlace? {
    DescribedPlace(schemas.compactMap { $0["items"] }, definitions)
  }

  private func isOfType(_ name: JSONValue) -> Bool {
    schemas.contains { $0["type"] == name || $0["type"]?.elements.contains(name) == true }
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  fileprivate var integer: Int? {
    if case .number(let number) = self { number.integerValue } else { nil }
  }
}
