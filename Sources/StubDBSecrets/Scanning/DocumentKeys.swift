internal import StubDBModel

/// What the keys of a document mean for a scan and a redaction.
enum DocumentKeys {
  /// JSON content, in which names and numbers are data.
  static let content: Set<String> = [
    "json", "equalToJson", "matchesJsonSchema", "variables", "userInfo",
  ]
  /// Objects whose names are data too: every other name is one of the document's own words.
  static let maps: Set<String> = [
    "headers", "query", "cookies", "form", "pathParameters", "capture", "captured", "namespaces",
  ]
  /// Texts in base64 whose bytes are looked at.
  static let base64: Set<String> = ["base64", "binaryEqualTo"]
  /// Regular expressions.
  static let patterns: Set<String> = ["matches", "doesNotMatch"]
  /// Operators whose operand is the value itself, or patterns of it.
  static let literals: Set<String> = [
    "equalTo", "contains", "doesNotContain", "equalToNumber", "hasExactly", "includes", "and", "or",
    "not",
  ]
  /// Operators, whose operand is a value of the name around them.
  static let operators = Set(DocumentOperators.body.names).subtracting(["equalToCaptured"])
}
