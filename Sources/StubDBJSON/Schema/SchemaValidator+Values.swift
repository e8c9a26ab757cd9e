internal import StubDBSupport

extension SchemaValidator {
  mutating func check(_ number: JSONNumber, _ node: SchemaNode, at pointer: JSONPointer) -> Bool {
    var isValid = true
    if let limit = node.minimum, number.isNumericallyLess(than: limit) {
      isValid = fail("minimum", "\(limit.text) or more", at: pointer)
    }
    if let limit = node.exclusiveMinimum, !limit.isNumericallyLess(than: number) {
      isValid = fail("exclusiveMinimum", "more than \(limit.text)", at: pointer)
    }
    if let limit = node.maximum, limit.isNumericallyLess(than: number) {
      isValid = fail("maximum", "\(limit.text) or less", at: pointer)
    }
    if let limit = node.exclusiveMaximum, !number.isNumericallyLess(than: limit) {
      isValid = fail("exclusiveMaximum", "less than \(limit.text)", at: pointer)
    }
    if let divisor = node.multipleOf, !number.isMultiple(of: divisor) {
      isValid = fail("multipleOf", "a multiple of \(divisor.text)", at: pointer)
    }
    return isValid
  }

  mutating func check(_ text: String, _ node: SchemaNode, at pointer: JSONPointer) -> Bool {
    var isValid = true
    if let least = node.minLength, text.unicodeScalars.count < least {
      isValid = fail("minLength", "\(least) characters or more", at: pointer)
    }
    if let most = node.maxLength, text.unicodeScalars.count > most {
      isValid = fail("maxLength", "\(most) characters or fewer", at: pointer)
    }
    if let pattern = node.pattern, !isFound(pattern, in: text) {
      isValid = fail(
        "pattern", "text matching \(pattern.text)", at: pointer)
    }
    return isValid
  }

  mutating func check(
    _ elements: [JSONValue], _ node: SchemaNode, at pointer: JSONPointer,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    if let least = node.minItems, elements.count < least {
      isValid = fail("minItems", "\(least) items or more", at: pointer)
    }
    if let most = node.maxItems, elements.count > most {
      isValid = fail("maxItems", "\(most) items or fewer", at: pointer)
    }
    if node.uniqueItems, Set(elements.map { Array($0.semanticText.utf8) }).count < elements.count {
      isValid = fail("uniqueItems", "items that all differ", at: pointer)
    }
    for (index, element) in elements.enumerated() {
      guard let child = index < node.prefixItems.count ? node.prefixItems[index] : node.items
      else { continue }
      var ignored = Annotations()
      isValid = check(child, element, at: pointer.appending(index), &ignored) && isValid
      annotations.items.insert(index)
    }
    isValid = checkContains(elements, node, at: pointer, &annotations) && isValid
    if let child = node.unevaluatedItems {
      for (index, element) in elements.enumerated() where !annotations.items.contains(index) {
        var ignored = Annotations()
        isValid = check(child, element, at: pointer.appending(index), &ignored) && isValid
        annotations.items.insert(index)
      }
    }
    return isValid
  }

  private mutating func checkContains(
    _ elements: [JSONValue], _ node: SchemaNode, at pointer: JSONPointer,
    _ annotations: inout Annotations
  ) -> Bool {
    guard let child = node.contains else { return true }
    var count = 0
    for (index, element) in elements.enumerated() {
      var ignored = Annotations()
      if holds(child, element, at: pointer.appending(index), &ignored) {
        count += 1
        annotations.items.insert(index)
      }
    }
    let least = node.minContains ?? 1
    if count < least {
      return fail("contains", "\(least) or more of the wanted items, not \(count)", at: pointer)
    }
    if let most = node.maxContains, count > most {
      return fail("maxContains", "\(most) or fewer of the wanted items, not \(count)", at: pointer)
    }
    return true
  }

  mutating func check(
    _ members: JSONObject, _ node: SchemaNode, at pointer: JSONPointer,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = checkNames(members, node, at: pointer)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let place = pointer.appending(name)
      var ignored = Annotations()
      var isEvaluated = false
      if let child = node.properties[ByteText(name)] {
        isValid = check(child, value, at: place, &ignored) && isValid
        isEvaluated = true
      }
      for (pattern, child) in node.patternProperties where isFound(pattern, in: name) {
        isValid = check(child, value, at: place, &ignored) && isValid
        isEvaluated = true
      }
      if !isEvaluated, let child = node.additionalProperties {
        isValid = check(child, value, at: place, &ignored) && isValid
        isEvaluated = true
      }
      if isEvaluated { annotations.properties.insert(ByteText(name)) }
    }
    for (name, child) in node.dependentSchemas.sorted(by: { $0.key < $1.key })
    where members[name] != nil {
      isValid = check(child, .object(members), at: pointer, &annotations) && isValid
    }
    if let child = node.unevaluatedProperties {
      for (name, value) in members where !annotations.properties.contains(ByteText(name)) {
        var ignored = Annotations()
        isValid = check(child, value, at: pointer.appending(name), &ignored) && isValid
        annotations.properties.insert(ByteText(name))
      }
    }
    return isValid
  }

  private mutating func checkNames(
    _ members: JSONObject, _ node: SchemaNode, at pointer: JSONPointer
  ) -> Bool {
    var isValid = true
    if let least = node.minProperties, members.count < least {
      isValid = fail("minProperties", "\(least) members or more", at: pointer)
    }
    if let most = node.maxProperties, members.count > most {
      isValid = fail("maxProperties", "\(most) members or fewer", at: pointer)
    }
    for name in node.required where members[name] == nil {
      isValid = fail("required", "the member \"\(name)\"", at: pointer)
    }
    for (name, needed) in node.dependentRequired where members[name] != nil {
      for other in needed where members[other] == nil {
        isValid = fail(
          "dependentRequired", "the member \"\(other)\" beside \"\(name)\"", at: pointer)
      }
    }
    if let child = node.propertyNames {
      for name in members.keys.sorted() {
        var ignored = Annotations()
        if !holds(child, .string(name), at: pointer, &ignored) {
          isValid = fail("propertyNames", "no member \"\(name)\"", at: pointer)
        }
      }
    }
    return isValid
  }
}

extension JSONValue {
  /// Whether two values are equal by JSON Schema: numbers by quantity, strings by scalars.
  func isSemanticallyEqual(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left.isNumericallyEqual(to: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSemanticallyEqual(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          right[name]?.isSemanticallyEqual(to: value) ?? false
        }
    default: self == other
    }
  }

  /// A text that is equal for values that are equal by JSON Schema.
  var semanticText: String {
    switch self {
    case .number(let number): number.canonicalText
    case .array(let elements): "[" + elements.map(\.semanticText).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { JSONValue.string($0.key).canonicalText + ":" + $0.value.semanticText }
        .joined(separator: ",") + "}"
    default: canonicalText
    }
  }

  func isOf(type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && number.isWhole
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
