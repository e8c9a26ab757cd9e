/// A key that an object may have beside an operator.
package struct OperatorOption: Sendable {
  let name: String
  /// What it means, for the JSON Schema.
  let description: String
  /// What its value must be, as members of a JSON Schema.
  let schema: String
  /// Another option without which it means nothing.
  var partner: String?

  static let caseInsensitive = flag("caseInsensitive", "With equalTo: ignore case")

  /// An option that is true or left out.
  static func flag(_ name: String, _ description: String) -> OperatorOption {
    OperatorOption(
      name: name, description: description, schema: #""type": "boolean", "default": false"#)
  }

  static let isExact = flag(
    "isExact",
    "With form or multipart: the content has nothing else, and nothing more often than this says")

  /// The options of the operators of a date.
  static let ofDates = [
    OperatorOption(
      name: "actualFormat",
      description: "With a date: the format of the value, a date pattern, unix or epoch",
      schema: #""type": "string", "minLength": 1"#),
    OperatorOption(
      name: "truncateExpected", description: "With a date: how the expected date is truncated",
      schema: ##""$ref": "#/$defs/truncation""##),
    OperatorOption(
      name: "truncateActual", description: "With a date: how the value is truncated",
      schema: ##""$ref": "#/$defs/truncation""##),
    .flag("applyTruncationLast", "With a date: truncate after adding the offset"),
    OperatorOption(
      name: "expectedOffset",
      description: "With a date: the offset that is added to the expected date",
      schema: #""type": "integer""#, partner: "expectedOffsetUnit"),
    OperatorOption(
      name: "expectedOffsetUnit", description: "With a date: the unit of expectedOffset",
      schema: "\"enum\": [\(words(DatePattern.Unit.allCases.map(\.rawValue)))]",
      partner: "expectedOffset"),
  ]

  /// Words as the elements of a JSON array.
  static func words(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

/// The operators that a pattern object may have, each with its options, in canonical order.
///
/// Made of the tables of operators.
package struct DocumentOperators: Sendable {
  /// Operators and options, every operator followed by its options.
  package let keys: [String]
  /// The operators alone, in order.
  package let names: [String]
  /// The options of each operator; most have none.
  let options: [String: [String]]

  private init(_ table: [(name: String, options: [OperatorOption])]) {
    names = table.map(\.name)
    options = Dictionary(
      uniqueKeysWithValues: table.map { ($0.name, $0.options.map(\.name)) })
    var keys: [String] = []
    for key in table.flatMap({ [$0.name] + $0.options.map(\.name) }) where !keys.contains(key) {
      keys.append(key)
    }
    self.keys = keys
  }

  /// The operators that the option belongs to.
  func operators(having option: String) -> [String] {
    names.filter { options[$0, default: []].contains(option) }
  }

  /// The operators of a value: a query parameter, a header field, a cookie.
  package static let value = DocumentOperators(valueTable)

  /// The operators of a body: those of a value and its own.
  package static let body = DocumentOperators(
    valueTable + BodyPattern.operators.map { ($0.name, $0.options) })

  private static let valueTable = ValueOperator.allCases.map { ($0.rawValue, $0.options) }
}
