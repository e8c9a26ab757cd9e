internal import StubDBJSON
internal import StubDBXML

/// Translates the operators that select parts of a body.
enum WireMockQueries {
  // MARK: JSONPath

  static func jsonPath(
    _ operand: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    guard let expression = operand.isObject ? operand["expression"] : operand,
      let text = expression.text
    else { throw Untranslatable("matchesJsonPath") }
    guard let path = JaywayPath(text) else {
      throw Untranslatable(
        "matchesJsonPath", "\(text) has no counterpart in RFC 9535")
    }
    if path.isRewritten {
      expression.change(.jsonPathDialect, "\(text) was rewritten as \(path.query)")
    }
    guard operand.isObject, operand.members.contains(where: { $0.name != "expression" }) else {
      try patterns.note(path.difference, at: expression)
      // A path to null matches here, not in WireMock.
      return [
        "matchesJsonPath": path.isDefinite
          ? SelectedValue.pattern(path.query, SelectedValue.notNull) : .string(path.query)
      ]
    }
    guard case .object(let inner) = try patterns.body(operand) else {
      throw Untranslatable("matchesJsonPath")
    }
    if inner["absent"] != nil {
      try patterns.note(path.difference, at: expression)
      let absence = try Self.absence(
        inner, of: path, isFilter: text.hasSuffix(")]"), operand, patterns)
      return ["matchesJsonPath": SelectedValue.pattern(path.query, absence)]
    }
    try patterns.note(path.difference ?? path.lessInValues, at: expression)
    return try [
      "matchesJsonPath": SelectedValue.pattern(
        path.values, selected(inner, by: path, operand, patterns))
    ]
  }

  /// The pattern of a path that selects nothing.
  private static func absence(
    _ inner: [String: JSONValue], of path: JaywayPath, isFilter: Bool, _ operand: SourceValue,
    _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    // In a stub of WireMock's own, null is absent, too.
    if path.isDefinite, !patterns.isExported {
      return ["or": [["absent": true], ["equalToJson": .null]]]
    }
    // What a filter selects has members, so it is not null.
    if !patterns.isExported, !isFilter {
      try patterns.narrow(operand, "null among several values is a value, and not absent")
    }
    return inner
  }

  /// The pattern of what a path selects.
  ///
  /// WireMock tests a list element by element, and an object as it prints it; here both are tested as JSON without spaces.
  private static func selected(
    _ inner: [String: JSONValue], by path: JaywayPath, _ operand: SourceValue,
    _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    if !path.isDefinite, let expected = inner["equalToJson"] {
      guard case .array = expected else {
        throw Untranslatable("equalToJson", "WireMock compares it with the list of all values")
      }
      try patterns.narrow(operand, "A single value is not compared as a list of one")
      return inner
    }
    let isOfBodies =
      inner == SelectedValue.notNull
      || inner.keys.contains { WireMockBodyOperators.names.contains($0) }
    guard !isOfBodies, SelectedValue.mayBeOfListOrObject(inner) else {
      // Where nothing is selected, WireMock matches no other operator; null is nothing there.
      return SelectedValue.refusingNothing(inner, refusesNull: path.isDefinite) {
        ["matchesJsonPath": SelectedValue.pattern("$.value", $0)]
      }
    }
    try patterns.narrow(
      operand, "Only texts, numbers and booleans match; WireMock looks into lists and objects")
    return ["and": [.object(SelectedValue.isScalar), .object(inner)]]
  }

  // MARK: XPath

  static func xPath(
    _ operand: SourceValue, of value: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    guard let expression = operand.isObject ? operand["expression"] : operand,
      let written = expression.text
    else { throw Untranslatable("matchesXPath") }
    // An expression that cannot be read is refused later, with its place.
    var query = try? XPath(written)
    var members: [String: JSONValue] = [:]
    if let namespaces = value["xPathNamespaces"], !namespaces.isNull, !namespaces.members.isEmpty {
      members["namespaces"] = namespaces.json
    } else if !patterns.isExported, let names = query?.byLocalNames {
      // WireMock selects elements with a prefix, too.
      query = try? XPath(names)
    }
    let text = query?.text ?? written
    members["expression"] = .string(text)
    guard operand.isObject, operand.members.contains(where: { $0.name != "expression" }) else {
      if let query { try noteKind(query, expression, patterns) }
      return ["matchesXPath": members.count == 1 ? .string(text) : .object(members)]
    }
    guard case .object(var inner) = try patterns.value(operand) else {
      throw Untranslatable("matchesXPath")
    }
    if let query { try narrow(&inner, &members, of: query, operand, patterns) }
    let demanding = SelectedValue.refusingNothing(inner, refusesNull: false) {
      ["matchesXPath": SelectedValue.pattern("/r/a", $0)]
    }
    members.merge(demanding) { first, _ in first }
    return ["matchesXPath": .object(members)]
  }

  /// Makes the pattern one of texts that WireMock compares, too: it compares elements as XML, and numbers with separators.
  private static func narrow(
    _ inner: inout [String: JSONValue], _ members: inout [String: JSONValue], of query: XPath,
    _ operand: SourceValue, _ patterns: WireMockPatternReader
  ) throws {
    let text = query.text
    switch query.kind {
    case .nodes where !query.selectsOnlyTexts:
      guard let part = SelectedValue.plainPart(inner) else {
        throw Untranslatable("matchesXPath", "WireMock compares the XML of what \(text) selects")
      }
      try patterns.narrow(operand, "The text is looked for inside of elements, not in their XML")
      members["expression"] = .string("(\(text))//text()")
      inner = ["contains": .string(part)]
    case .number where !SelectedValue.isShortNumber(inner["equalTo"]):
      try patterns.narrow(
        operand, "Only numbers below 1000 match; WireMock writes others with separators")
      inner = ["and": [["matches": .string(SelectedValue.shortNumber)], .object(inner)]]
    default: break
    }
  }

  /// Notes what a value that is no set of nodes must be; in WireMock any value matches, also `false` and 0.
  private static func noteKind(
    _ query: XPath, _ expression: SourceValue, _ patterns: WireMockPatternReader
  ) throws {
    let demand: String
    switch query.kind {
    case .nodes: return
    case .boolean: demand = "true"
    case .number: demand = "a number but 0"
    case .text: demand = "a text that is not empty"
    }
    try patterns.narrow(
      expression, "\(query.text) selects no nodes: WireMock matches any value, the stub \(demand)")
  }
}
