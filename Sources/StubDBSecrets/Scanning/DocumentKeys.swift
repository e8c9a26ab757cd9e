internal import StubDBModel

/// The meanings of a document's keys for scans and redactions.
enum DocumentKeys {
  /// JSON content, in which names and numbers are data.
  static let content = operators(with: .json).union(["json", "variables", "userInfo"])
  /// Objects whose names are data too; all other names are words of the document format.
  static let maps = operators(with: .patternsByName).union(parts)
    .union(["capture", "namespaces"])
  /// Texts in base64 whose decoded bytes are examined.
  static let base64 = operators(with: .bytes).union(["base64"])
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

  /// A text that takes the place of a whole text, and is valid there.
  static func wholeText(_ placeholder: String, for name: String, under parent: String) -> String {
    switch (name, name == "expression" ? parent : name) {
    case ("url", _), ("path", _): "/" + placeholder
    case (_, "matchesJsonPath"): "$['\(placeholder)']"
    case (_, "matchesXPath"): "/" + placeholder
    case (_, "equalToXml"): "<\(placeholder)/>"
    case ("query", _) where parent == "graphql", ("graphql", _):
      "{ \(placeholder.replacing("-", with: "_")) }"
    default: placeholder
    }
  }

  /// The parts of a request that have patterns by name.
  private static var parts: [String] {
    RequestPart.all.filter {
      if case .named = $0.demand(of: RequestPattern()) { true } else { false }
    }.map(\.rawValue)
  }

  /// The operators of a body with such an operand.
  private static func operators(with operand: BodyOperand) -> Set<String> {
    Set(BodyPattern.operands.filter { $0.value == operand }.keys)
  }

  private static func names(_ isOne: (ValueOperator.Kind) -> Bool) -> Set<String> {
    Set(ValueOperator.allCases.filter { isOne($0.kind) }.map(\.rawValue))
  }
}
