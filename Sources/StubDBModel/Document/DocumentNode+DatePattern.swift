internal import StubDBJSON

extension DocumentNode {
  func datePattern(
    _ expected: DocumentNode, of members: [String: JSONValue]
  ) throws(DocumentError) -> DatePattern {
    var pattern = DatePattern(try expected.filledString("the date"))
    if members.count == 1 { return pattern }
    if members["actualFormat"] != nil {
      pattern.actualFormat =
        try member("actualFormat", of: members).filledString("the format")
    }
    if members["truncateExpected"] != nil {
      pattern.truncateExpected = try member("truncateExpected", of: members)
        .word("a value of \"truncateExpected\"", of: DocumentChoices.truncations)
    }
    if members["truncateActual"] != nil {
      pattern.truncateActual = try member("truncateActual", of: members)
        .word("a value of \"truncateActual\"", of: DocumentChoices.truncations)
    }
    pattern.applyTruncationLast = try flag("applyTruncationLast", of: members)
    let offset = member("expectedOffset", of: members)
    let unit = member("expectedOffsetUnit", of: members)
    switch (members["expectedOffset"] != nil, members["expectedOffsetUnit"] != nil) {
    case (true, true):
      pattern.expectedOffset = try offset.integer("the offset")
      pattern.expectedOffsetUnit = try unit.word("a unit of time", of: DocumentChoices.offsetUnits)
    case (false, false): break
    case (true, false):
      throw offset.failure(.missingKey, "\"expectedOffset\" needs \"expectedOffsetUnit\" beside it")
    case (false, true):
      throw unit.failure(.missingKey, "\"expectedOffsetUnit\" needs \"expectedOffset\" beside it")
    }
    return pattern
  }
}
