import StubDBJSON
package import StubDBModel

/// Tells of filters of a JSONPath that are applied to an object.
///
/// By RFC 9535 such a filter tests the members of the object; in the dialect of WireMock's JSONPath it tests the object
/// itself, so that stubs written for WireMock often select nothing here.
package enum FilterAdvice {
  /// What is wrong with a filter that is applied to an object in the value, and what to write, or nil.
  ///
  /// `select` gives the values that a query selects in the value.
  static func advice(on path: String, select: (String) -> [JSONValue]) -> String? {
    guard let filter = path.firstRange(of: "[?"),
      // A filter that looks at the whole body, or asks for elements, as those of imports do, is meant as it is.
      !path[filter.upperBound...].contains("$"), !path[filter.upperBound...].contains("@["),
      case .object? = select(String(path[..<filter.lowerBound])).first
    else { return nil }
    let tested = path[..<filter.lowerBound]
    let reason =
      "\(TextExcerpt.quoted(String(tested))) is an object, and a filter tests its members (RFC 9535)"
    guard let point = tested.lastIndex(of: "."), point > tested.startIndex else { return reason }
    let other = tested[..<point] + path[filter.lowerBound...]
    guard !select(String(other)).isEmpty else { return reason }
    return reason + "; to test the object itself write \(TextExcerpt.quoted(String(other)))"
  }

  /// The first filter among the patterns for a body that is applied to an object, with what is wrong with it.
  ///
  /// What is an object follows from the other patterns of the same body: the values they equal, and the members they select.
  package static func problem(in body: [BodyPattern]) -> (query: String, message: String)? {
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
