internal import StubDBSupport

/// Validates one value against a compiled schema.
struct SchemaValidator {
  /// How deep schemas may refer to each other for one value.
  static let maximumDepth = 512
  /// The depth that fits on any stack.
  static let shallowDepth = 32

  /// The largest number of violations that are kept.
  static let maximumViolations = 1_000

  let schema: JSONSchema
  private(set) var violations: [JSONSchemaViolation] = []
  private(set) var stepsLeft: Int
  private var resources: [String] = []
  private var depth = 0

  private let depthLimit: Int
  /// Whether a value was skipped because it was too deep.
  private(set) var isTooDeep = false

  init(schema: JSONSchema, steps limit: Int, depth: Int) {
    self.schema = schema
    depthLimit = depth
    stepsLeft = limit
  }

  /// Whether the validation was given up, so that the violations mean nothing.
  var isExhausted: Bool { stepsLeft < 0 }

  mutating func validate(_ value: JSONValue) {
    var annotations = Annotations()
    _ = check(schema.root, value, at: JSONPointer(), &annotations)
  }

  /// Validates a value against a node; returns whether it is valid, and the annotations if it is.
  mutating func check(
    _ index: Int, _ value: JSONValue, at pointer: JSONPointer, _ outer: inout Annotations
  ) -> Bool {
    guard stepsLeft > 0, !isTooDeep || depthLimit == Self.maximumDepth else {
      if stepsLeft == 0 { stepsLeft = -1 }
      return false
    }
    stepsLeft -= 1
    let node = schema.nodes[index]
    if let always = node.always {
      return always || fail("false", "nothing here", at: pointer)
    }
    depth += 1
    resources.append(node.resource)
    defer {
      depth -= 1
      resources.removeLast()
    }
    guard depth <= depthLimit else {
      isTooDeep = true
      return fail("$ref", "a schema that does not refer to itself without end", at: pointer)
    }
    var annotations = Annotations()
    var isValid = checkReferences(node, value, at: pointer, &annotations)
    isValid = checkAnyType(node, value, at: pointer) && isValid
    isValid = checkCombinations(node, value, at: pointer, &annotations) && isValid
    switch value {
    case .number(let number): isValid = check(number, node, at: pointer) && isValid
    case .string(let text): isValid = check(text, node, at: pointer) && isValid
    case .array(let elements):
      isValid = check(elements, node, at: pointer, &annotations) && isValid
    case .object(let members):
      isValid = check(members, node, at: pointer, &annotations) && isValid
    case .null, .bool: break
    }
    if isValid { outer.merge(annotations) }
    return isValid
  }

  /// Validates without recording the violations.
  mutating func holds(
    _ index: Int, _ value: JSONValue, at pointer: JSONPointer, _ outer: inout Annotations
  ) -> Bool {
    let count = violations.count
    let isValid = check(index, value, at: pointer, &outer)
    violations.removeSubrange(min(count, violations.count)...)
    return isValid
  }

  mutating func fail(_ keyword: String, _ message: String, at pointer: JSONPointer) -> Bool {
    if violations.count < Self.maximumViolations {
      violations.append(JSONSchemaViolation(pointer: pointer, keyword: keyword, message: message))
    }
    return false
  }

  /// Whether the pattern matches somewhere in the text; false if that takes more than the remaining steps.
  mutating func isFound(_ pattern: SchemaPattern, in text: String) -> Bool {
    let verdict = pattern.isFound(in: text, visiting: &stepsLeft)
    if verdict == nil { stepsLeft = -1 }
    return verdict ?? false
  }

  private mutating func checkReferences(
    _ node: SchemaNode, _ value: JSONValue, at pointer: JSONPointer,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    if let target = node.reference {
      isValid = check(target, value, at: pointer, &annotations)
    }
    if let reference = node.dynamicReference {
      isValid = check(target(of: reference), value, at: pointer, &annotations) && isValid
    }
    return isValid
  }

  /// The outermost schema resource in the dynamic scope that has the anchor decides.
  private func target(of reference: DynamicReference) -> Int {
    guard let anchor = reference.anchor else { return reference.target }
    for resource in resources {
      let key = DynamicAnchor(resource: resource, name: anchor)
      if let target = schema.dynamicAnchors[key] { return target }
    }
    return reference.target
  }

  private mutating func checkAnyType(
    _ node: SchemaNode, _ value: JSONValue, at pointer: JSONPointer
  ) -> Bool {
    var isValid = true
    if let types = node.types, !types.contains(where: { value.isOf(type: $0) }) {
      let wanted = types.joined(separator: " or ")
      isValid = fail("type", wanted, at: pointer)
    }
    if let enumeration = node.enumeration,
      !enumeration.contains(where: { $0.isSemanticallyEqual(to: value) })
    {
      let wanted = enumeration.prefix(10).map(\.canonicalText).joined(separator: ", ")
      isValid = fail("enum", "one of \(wanted)", at: pointer)
    }
    if let constant = node.constant, !constant.isSemanticallyEqual(to: value) {
      isValid = fail("const", constant.canonicalText, at: pointer)
    }
    return isValid
  }

  private mutating func checkCombinations(
    _ node: SchemaNode, _ value: JSONValue, at pointer: JSONPointer,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    for child in node.allOf {
      isValid = check(child, value, at: pointer, &annotations) && isValid
    }
    if !node.anyOf.isEmpty {
      var found = false
      // If annotations count, all are tried, since each valid one adds its own.
      for child in node.anyOf where !found || schema.collectsAnnotations {
        found = holds(child, value, at: pointer, &annotations) || found
      }
      if !found { isValid = fail("anyOf", "one of the alternatives", at: pointer) }
    }
    if !node.oneOf.isEmpty {
      var count = 0
      for child in node.oneOf where holds(child, value, at: pointer, &annotations) { count += 1 }
      if count != 1 {
        isValid = fail("oneOf", "just one of the alternatives, not \(count)", at: pointer)
      }
    }
    if let child = node.not {
      var ignored = Annotations()
      if holds(child, value, at: pointer, &ignored) {
        isValid = fail(
          "not", "something that the schema under \"not\" does not describe", at: pointer)
      }
    }
    if let condition = node.condition {
      let branch = holds(condition, value, at: pointer, &annotations) ? node.then : node.otherwise
      if let branch { isValid = check(branch, value, at: pointer, &annotations) && isValid }
    }
    return isValid
  }
}

/// The items and properties of a value that a schema evaluated.
struct Annotations {
  var properties: Set<ByteText> = []
  var items: Set<Int> = []

  mutating func merge(_ other: Annotations) {
    properties.formUnion(other.properties)
    items.formUnion(other.items)
  }
}
