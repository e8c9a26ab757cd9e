internal import Foundation
internal import StubDBJSON

/// Translates the operators that only bodies have.
enum WireMockBodyOperators {
  static let names: Set<String> = [
    "binaryEqualTo", "equalToJson", "matchesJsonPath", "matchesJsonSchema", "equalToXml",
    "matchesXPath",
  ]

  /// What stands beside an operator and changes what it means.
  static let options = [
    "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"],
    "matchesJsonSchema": ["schemaVersion"],
    "equalToXml": [
      "enablePlaceholders", "ignoreOrderOfSameNode", "exemptedComparisons", "namespaceAwareness",
      "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
    ],
    "matchesXPath": ["xPathNamespaces"],
  ]

  static func members(
    _ name: String, _ operand: SourceValue, of value: SourceValue, patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    switch name {
    case "equalToJson": return try equalToJSON(operand, of: value, patterns)
    case "matchesJsonPath": return try WireMockQueries.jsonPath(operand, patterns)
    case "matchesJsonSchema": return try schema(operand, of: value)
    case "equalToXml": return try xml(operand, of: value, patterns)
    case "matchesXPath": return try WireMockQueries.xPath(operand, of: value, patterns)
    default: return [name: operand.json]
    }
  }

  private static func equalToJSON(
    _ operand: SourceValue, of value: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    var expected = operand.json
    if case .string(let text) = expected {
      guard let parsed = try? JSONValue(parsing: text) else {
        throw Untranslatable("equalToJson", "its text is not JSON")
      }
      expected = parsed
    }
    var members = ["equalToJson": expected]
    let ignoresExtra = value.flag("ignoreExtraElements")
    let ignoresOrder = value.flag("ignoreArrayOrder")
    if ignoresExtra { members["ignoreExtraElements"] = true }
    if ignoresOrder { members["ignoreArrayOrder"] = true }
    if ignoresExtra, !ignoresOrder, expected.holdsArray {
      try patterns.narrow(
        operand, "Further elements of arrays are allowed at their ends only, not between others")
    }
    return members
  }

  private static func schema(
    _ operand: SourceValue, of value: SourceValue
  ) throws -> [String: JSONValue] {
    var schema = operand.json
    if case .string(let text) = schema {
      guard let parsed = try? JSONValue(parsing: text) else {
        throw Untranslatable("matchesJsonSchema", "its text is not JSON")
      }
      schema = parsed
    }
    var members = ["matchesJsonSchema": schema]
    switch value.text("schemaVersion")?.uppercased() {
    case nil, "V202012": break
    case "V201909":
      operand.change(.matcher, "The schema is read by draft 2020-12, not 2019-09")
    case "V7": members["schemaVersion"] = "draft-07"
    case "V6":
      members["schemaVersion"] = "draft-07"
      operand.change(.matcher, "The schema is read by draft 7, not 6")
    default: throw Untranslatable("matchesJsonSchema", "of draft 4")
    }
    return members
  }

  private static func xml(
    _ operand: SourceValue, of value: SourceValue, _ patterns: WireMockPatternReader
  ) throws -> [String: JSONValue] {
    var members = ["equalToXml": operand.json]
    if value.flag("enablePlaceholders") { members["enablePlaceholders"] = true }
    if value.flag("ignoreOrderOfSameNode") { members["ignoreOrderOfSameNode"] = true }
    for option in [
      "exemptedComparisons", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
    ] {
      if let given = value[option], !given.isNull, !(given.isArray && given.elements.isEmpty) {
        // Without them the stub matches less than it did.
        try patterns.narrow(given, "\(option) is not known; the comparison is stricter")
      }
    }
    if let awareness = value["namespaceAwareness"], awareness.text?.uppercased() != "STRICT" {
      try patterns.narrow(awareness, "Namespaces are always compared")
    }
    return members
  }
}
