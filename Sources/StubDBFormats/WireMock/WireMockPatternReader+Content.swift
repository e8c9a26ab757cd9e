internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The operators that only bodies have.
extension WireMockPatternReader {
  func content(
    _ known: WireMockOperator.Content, _ operand: SourceValue, of value: SourceValue
  ) throws -> BodyPattern {
    switch known {
    case .equalToJson: return try equalToJSON(operand, of: value)
    case .matchesJsonPath: return try WireMockQueries.jsonPath(operand, self)
    case .matchesJsonSchema: return try schema(operand, of: value)
    case .equalToXml: return try xml(operand, of: value)
    case .matchesXPath: return try WireMockQueries.xPath(operand, of: value, self)
    case .binaryEqualTo:
      return try RequestPattern.reading(.body, .object([known.rawValue: operand.json])).body[0]
    }
  }

  private func equalToJSON(_ operand: SourceValue, of value: SourceValue) throws -> BodyPattern {
    let expected = try operand.parsedJSON(as: "equalToJson")
    let ignoresExtra = value.flag("ignoreExtraElements")
    let ignoresOrder = value.flag("ignoreArrayOrder")
    if ignoresExtra, !ignoresOrder, expected.holdsArray {
      try narrow(
        operand, "Further elements of arrays are allowed at their ends only, not between others")
    }
    return .equalToJSON(
      expected, ignoreArrayOrder: ignoresOrder, ignoreExtraElements: ignoresExtra)
  }

  private func schema(_ operand: SourceValue, of value: SourceValue) throws -> BodyPattern {
    let schema = try operand.parsedJSON(as: "matchesJsonSchema")
    switch value.text("schemaVersion")?.uppercased() {
    case nil, "V202012": break
    case "V201909":
      operand.change(.matcher, "The schema is read by draft 2020-12, not 2019-09")
    case "V7": return .matchesJSONSchema(schema, dialect: .draft07)
    case "V6":
      operand.change(.matcher, "The schema is read by draft 7, not 6")
      return .matchesJSONSchema(schema, dialect: .draft07)
    default: throw Untranslatable("matchesJsonSchema", "of draft 4")
    }
    return .matchesJSONSchema(schema)
  }

  private func xml(_ operand: SourceValue, of value: SourceValue) throws -> BodyPattern {
    guard let document = operand.text else { throw Untranslatable("equalToXml") }
    let pattern = XMLPattern(
      document, enablePlaceholders: value.flag("enablePlaceholders"),
      ignoreOrderOfSameNode: value.flag("ignoreOrderOfSameNode"))
    for option in [
      "exemptedComparisons", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
    ] {
      if let given = value.given(option), !(given.isArray && given.elements.isEmpty) {
        // Without them the stub matches less than it did.
        try narrow(given, "\(option) is not known; the comparison is stricter")
      }
    }
    if let awareness = value["namespaceAwareness"], awareness.text?.uppercased() != "STRICT" {
      try narrow(awareness, "Namespaces are always compared")
    }
    return .equalToXML(pattern)
  }
}
