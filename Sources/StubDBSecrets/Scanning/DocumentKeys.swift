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
  static let patterns = names { $0 == .expression }
  /// Operators whose operand is the value itself, or a list of patterns for it.
  static let literals = names { kind in
    switch kind {
    case .text, .part, .pattern, .patterns: true
    case .expression, .name, .isTrue, .number, .date: false
    }
  }.union([ValueOperator.equalToNumber.rawValue])
  /// Operators whose operand is a value that belongs to the enclosing name.
  static let operators = Set(DocumentOperators.body.names).subtracting(["equalToCaptured"])

  private static func names(_ isOne: (ValueOperator.Kind) -> Bool) -> Set<String> {
    Set(ValueOperator.allCases.filter { isOne($0.entry.kind) }.map(\.rawValue))
  }
}
