package import StubDBJSON

/// Tells of filters of a JSONPath that are applied to an object.
///
/// By RFC 9535 such a filter tests the members of the object; in the dialect of WireMock's JSONPath it tests the object
/// itself, so that stubs written for WireMock often select nothing here.
package enum FilterAdvice {
  /// What is wrong with a filter that is applied to an object in the value, and what to write, or nil.
  ///
  /// `select` gives the values that a query selects in the value.
  package static func advice(
    on path: String, select: (String) -> [JSONValue]
  ) -> String? {
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
}
