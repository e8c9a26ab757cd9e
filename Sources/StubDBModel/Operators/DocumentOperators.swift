/// The operators that a pattern object may have, each with its options, in canonical order.
///
/// Made of the tables of operators.
package struct DocumentOperators: Sendable {
  /// Operators and options, every operator followed by its options.
  package let keys: [String]
  /// The operators alone, in order.
  package let names: [String]
  /// The options of each operator; most have none.
  package let options: [String: [String]]

  private init(_ table: [(name: String, options: [String])]) {
    names = table.map(\.name)
    options = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.options) })
    var keys: [String] = []
    for key in table.flatMap({ [$0.name] + $0.options }) where !keys.contains(key) {
      keys.append(key)
    }
    self.keys = keys
  }

  /// The operators that the option belongs to.
  package func operators(having option: String) -> [String] {
    names.filter { options[$0, default: []].contains(option) }
  }

  /// The operators of a value: a query parameter, a header field, a cookie.
  package static let value = DocumentOperators(valueTable)

  /// The operators of a body: those of a value and its own.
  package static let body = DocumentOperators(
    valueTable + BodyPattern.operators.map { ($0.name, $0.options) })

  private static let valueTable = ValueOperator.allCases.map { ($0.rawValue, $0.options) }
}
