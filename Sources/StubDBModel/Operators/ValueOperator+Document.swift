internal import StubDBJSON
internal import StubDBSupport

// An operator of a value is read and written by what it is applied with, so that a new one needs nothing here.

extension DocumentNode {
  /// A pattern in any of its forms: a string, a list, or an operator object.
  func valuePattern() throws(DocumentError) -> ValuePattern {
    switch value {
    case .string(let text): return .equalTo(text)
    case .array: return .hasExactly(try valuePatterns())
    case .object(let members):
      let name = try mainOperator(of: members, .value)
      return try valueOperator(name, of: members)
    default:
      throw wrongType("a string, a list, or an operator such as {\"matches\": \"…\"}")
    }
  }

  private func valuePatterns() throws(DocumentError) -> [ValuePattern] {
    var patterns: [ValuePattern] = []
    for node in try list("a list of patterns") { patterns.append(try node.valuePattern()) }
    return patterns
  }

  /// The pattern of an object whose operator is known.
  func valueOperator(
    _ name: String, of members: JSONObject
  ) throws(DocumentError) -> ValuePattern {
    guard let known = ValueOperator(rawValue: name) else {
      throw failure(.unknownKey, "unknown operator \"\(name)\"")
    }
    let node = member(name, of: members)
    switch known {
    case .equalTo:
      return .equalTo(
        try node.string(), caseInsensitive: try flag("caseInsensitive", of: members))
    case .contains: return .contains(try node.string())
    case .doesNotContain: return .doesNotContain(try node.string())
    case .matches: return .matches(try node.regularExpression())
    case .doesNotMatch: return .doesNotMatch(try node.regularExpression())
    case .absent:
      try node.checkTrue(name)
      return .absent
    case .anything:
      try node.checkTrue(name)
      return .anything
    case .equalToCaptured: return .equalToCaptured(try node.line("the name"))
    case .equalToNumber: return .number(.equalTo, try node.number())
    case .greaterThanNumber: return .number(.greaterThan, try node.number())
    case .greaterThanEqualNumber: return .number(.greaterThanOrEqual, try node.number())
    case .lessThanNumber: return .number(.lessThan, try node.number())
    case .lessThanEqualNumber: return .number(.lessThanOrEqual, try node.number())
    case .before: return .date(.before, try datePattern(node, of: members))
    case .after: return .date(.after, try datePattern(node, of: members))
    case .equalToDateTime: return .date(.equalTo, try datePattern(node, of: members))
    case .hasExactly: return .hasExactly(try node.valuePatterns())
    case .includes: return .includes(try node.valuePatterns())
    case .and: return .and(try node.valuePatterns())
    case .or: return .or(try node.valuePatterns())
    case .not: return .not(try node.valuePattern())
    }
  }

  private func checkTrue(_ name: String) throws(DocumentError) {
    guard try bool() else {
      throw failure(.invalidValue, "\"\(name)\" takes true only; leave it out instead of false")
    }
  }

  private func regularExpression() throws(DocumentError) -> String {
    let pattern = try filledString("the regular expression")
    guard context.compilesExpressions else { return pattern }
    do throws(RegexSyntaxError) {
      _ = try BoundedRegex(pattern, dialect: .java, isWhole: true)
    } catch {
      throw failure(.invalidValue, "this is not a valid regular expression: \(error)")
    }
    return pattern
  }

  private func datePattern(
    _ expected: DocumentNode, of members: JSONObject
  ) throws(DocumentError) -> DatePattern {
    var pattern = DatePattern(try expected.filledString("the date"))
    if members.count == 1 { return pattern }
    if members["actualFormat"] != nil {
      pattern.actualFormat = DatePattern.Format(
        rawValue: try member("actualFormat", of: members).filledString("the format"))
    }
    if members["truncateExpected"] != nil {
      pattern.truncateExpected = try member("truncateExpected", of: members)
        .choice("a value of \"truncateExpected\"")
    }
    if members["truncateActual"] != nil {
      pattern.truncateActual = try member("truncateActual", of: members)
        .choice("a value of \"truncateActual\"")
    }
    pattern.applyTruncationLast = try flag("applyTruncationLast", of: members)
    let offset = member("expectedOffset", of: members)
    let unit = member("expectedOffsetUnit", of: members)
    switch (members["expectedOffset"] != nil, members["expectedOffsetUnit"] != nil) {
    case (true, true):
      pattern.expectedOffset = DatePattern.Offset(
        try offset.integer("the offset"), try unit.choice("a unit of time"))
    case (false, false): break
    case (true, false):
      throw offset.failure(.missingKey, "\"expectedOffset\" needs \"expectedOffsetUnit\" beside it")
    case (false, true):
      throw unit.failure(.missingKey, "\"expectedOffsetUnit\" needs \"expectedOffset\" beside it")
    }
    return pattern
  }
}
