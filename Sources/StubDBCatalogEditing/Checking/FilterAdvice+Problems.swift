internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

extension FilterAdvice {
  /// The first filter among the patterns for a body that is applied to an object, with what is wrong with it.
  ///
  /// What is an object follows from the other patterns of the same body: the values they equal, and the members they select.
  static func problem(in body: [BodyPattern]) -> (query: String, message: String)? {
    let patterns = body.flatMap(\.conjuncts)
    let queries = patterns.compactMap { ($0.operation as? JSONPathOperator)?.query }
    let filters = queries.filter { $0.contains("[?") }
    guard !filters.isEmpty else { return nil }
    let values =
      patterns.compactMap { ($0.operation as? EqualToJSONOperator)?.value }
      + queries.compactMap(value)
    for query in filters {
      for value in values {
        let found = advice(on: query) { path in
          (try? JSONPath(path))?.values(in: value) ?? []
        }
        guard let found else { continue }
        return (query, found.contains("write ") ? found : found + rewriting(query))
      }
    }
    return nil
  }

  /// What to write if the patterns do not show another query that selects something.
  private static func rewriting(_ query: String) -> String {
    guard let filter = query.firstRange(of: "[?") else { return "" }
    let tested = String(query[..<filter.lowerBound])
    return "; to test the object itself write {\"expression\": \"\(tested).NAME\", \"equalTo\": …}"
  }

  /// The smallest value in which a query of names alone selects something; nil for other queries.
  private static func value(of query: String) -> JSONValue? {
    let names = query.split(separator: ".", omittingEmptySubsequences: false)
    guard names.first == "$", names.count > 1 else { return nil }
    var value = JSONValue.null
    for name in names.dropFirst().reversed() {
      guard !name.isEmpty, name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 95 })
      else { return nil }
      value = .object([String(name): value])
    }
    return value
  }
}

extension BodyPattern {
  /// The pattern, or those that an `and` combines.
  fileprivate var conjuncts: [BodyPattern] {
    if case .and(let patterns) = storage { patterns.flatMap(\.conjuncts) } else { [self] }
  }
}
