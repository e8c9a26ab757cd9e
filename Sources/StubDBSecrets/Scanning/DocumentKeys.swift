internal import StubDBModel

/// The meanings of a document's keys for scans and redactions.
enum DocumentKeys {
  /// JSON content, in which names and numbers are data.
  static let content: Set<String> = [
    "json", "equalToJson", "matchesJsonSchema", "variables", "userInfo",
  ]
  /// Objects whose names are data too; all other names are words of the document format.
  static let maps: Set<String> = [
    "headers", "query", "cookies", "form", "pathParameters", "capture", "captured", "namespaces",
  ]
  /// Texts in base64 whose decoded bytes are examined.
  static let base64: Set<String> = ["base64", "binaryEqualTo"]
  /// Regular expressions.
  static let patterns: Set<String> = ["matches", "doesNotMatch"]
  /// Operators whose operand is the value itself, or a list of patterns for it.
  static let literals: Set<String> = [
    "equalTo", "contains", "doesNotContain", "equalToNumber", "hasExactly", "includes", "and", "or",
    "not",
  ]
  /// Operators whose operand is a value that belongs to the enclosing name.
  static let operators = Set(DocumentOperators.body.names).subtracting(["equalToCaptured"])
}
