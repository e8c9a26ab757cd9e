internal import StubDBJSON
internal import StubDBModel
internal import StubDBXML

/// Translates the operators that select parts of a body.
enum WireMockQueries {
  /// The expression of a query, and whether a pattern of what it selects stands beside it.
  private static func expression(
    of operand: SourceValue, _ name: String
  ) throws -> (value: SourceValue, text: String, hasPattern: Bool) {
    guard let value = operand.isObject ? operand["expression"] : operand, let text = value.text
    else { throw Untranslatable(name) }
    return (value, text, operand.members.contains { $0.name != "expression" })
  }

  // MARK: JSONPath

  static func jsonPath(
    _ operand: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> BodyPattern {
    let (expression, text, hasPattern) = try expression(of: operand, "matchesJsonPath")
    let path = try JaywayPath.read(expression, as: "matchesJsonPath", text)
    guard hasPattern else {
      try patterns.note(path.difference, at: expression)
      // A path to null matches here, not in WireMock.
      return .matchesJSONPath(path.query, path.isDefinite ? SelectedValue.notNull : nil)
    }
    let inner = try patterns.body(operand)
    if inner == .value(.absent) {
      try patterns.note(path.difference, at: expression)
      let absence = try absence(of: path, isFilter: text.hasSuffix(")]"), operand, patterns)
      return .matchesJSONPath(path.query, absence)
    }
    try patterns.note(path.difference ?? path.lessInValues, at: expression)
    return .matchesJSONPath(path.values, try selected(inner, by: path, operand, patterns))
  }

  /// The pattern of a path that selects nothing.
  private static func absence(
    of path: JaywayPath, isFilter: Bool, _ operand: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> BodyPattern {
    // In a stub of WireMock's own, null is absent, too.
    if path.isDefinite, !patterns.isExported {
      return .or([.value(.absent), .equalToJSON(.null)])
    }
    // What a filter selects has members, so it is not null.
    if !patterns.isExported, !isFilter {
      try patterns.narrow(operand, "null among several values is a value, and not absent")
    }
    return .value(.absent)
  }

  /// The pattern of what a path selects.
  ///
  /// WireMock tests a list element by element, and an object as it prints it; here both are tested as JSON without spaces.
  private static func selected(
    _ inner: BodyPattern, by path: JaywayPath, _ operand: SourceValue,
    _ patterns: WireMockPatternReader
  ) throws -> BodyPattern {
    if !path.isDefinite, let expected = inner.operation as? EqualToJSONOperator {
      guard case .array = expected.value else {
        throw Untranslatable("equalToJson", "WireMock compares it with the list of all values")
      }
      try patterns.narrow(operand, "A single value is not compared as a list of one")
      return inner
    }
    let isOfBodies = inner == SelectedValue.notNull || inner.operation != nil
    guard !isOfBodies, SelectedValue.mayBeOfListOrObject(inner) else {
      // Where nothing is selected, WireMock matches no other operator; null is nothing there.
      return SelectedValue.refusingNothing(inner, refusesNull: path.isDefinite)
    }
    try patterns.narrow(
      operand, "Only texts, numbers and booleans match; WireMock looks into lists and objects")
    return .and([.matchesJSONSchema(SelectedValue.scalarSchema), inner])
  }

  // MARK: XPath

  static func xPath(
    _ operand: SourceValue, of value: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> BodyPattern {
    let (expression, written, hasPattern) = try expression(of: operand, "matchesXPath")
    // An expression that cannot be read is refused later, with its place.
    var query = try? XPath(written)
    var path = XPathPattern(written)
    if let namespaces = value.given("xPathNamespaces"), !namespaces.members.isEmpty {
      for (prefix, name) in namespaces.members {
        guard let name = name.text else { throw Untranslatable("xPathNamespaces") }
        path.namespaces[prefix] = name
      }
    } else if !patterns.isExported, let names = query?.byLocalNames {
      // WireMock selects elements with a prefix, too.
      query = try? XPath(names)
    }
    path.expression = query?.text ?? written
    guard hasPattern else {
      if let query { try noteKind(query, expression, patterns) }
      return .matchesXPath(path)
    }
    var inner = try patterns.value(operand)
    if let query { try narrow(&inner, &path, of: query, operand, patterns) }
    path.value = SelectedValue.refusingNothing(inner)
    return .matchesXPath(path)
  }

  /// Makes the pattern one of texts that WireMock compares, too: it compares elements as XML, and numbers with separators.
  private static func narrow(
    _ inner: inout ValuePattern, _ path: inout XPathPattern, of query: XPath,
    _ operand: SourceValue, _ patterns: WireMockPatternReader
  ) throws {
    let text = query.text
    switch query.kind {
    case .nodes where !query.selectsOnlyTexts:
      guard let part = SelectedValue.plainPart(inner) else {
        throw Untranslatable("matchesXPath", "WireMock compares the XML of what \(text) selects")
      }
      try patterns.narrow(operand, "The text is looked for inside of elements, not in their XML")
      path.expression = "(\(text))//text()"
      inner = .contains(part)
    case .number where !SelectedValue.isShortNumber(inner):
      try patterns.narrow(
        operand, "Only numbers below 1000 match; WireMock writes others with separators")
      inner = .and([.matches(SelectedValue.shortNumber), inner])
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
