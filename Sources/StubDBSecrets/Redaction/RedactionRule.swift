package import StubDBJSONPath
package import StubDBModel

/// What is to be taken out of scenarios.
package enum RedactionRule: Sendable {
  /// The values of a header field; of credentials without their scheme, of cookies without names.
  case header(String)
  /// The values of a query parameter, wherever a URL stands.
  case query(String)
  /// The values of a cookie, in requests and in `Set-Cookie`.
  case cookie(String)
  /// What lies at a place in JSON content; every value in it.
  case jsonPointer(JSONPointer)
  /// What a query selects in JSON content.
  case jsonPath(JSONPath)
  /// What a regular expression matches in any text; its first group, where it has one.
  case regex(RedactionRegex)
}

/// A regular expression of a rule.
package struct RedactionRegex: @unchecked Sendable {
  // Safe to share: a `Regex` is never changed after it was made; the standard library does not say
  // so because one may hold a closure, and one made from text holds none.
  private let regex: Regex<AnyRegexOutput>

  /// Compiles the text.
  ///
  /// - Throws: What Swift's `Regex` says is wrong with it.
  package init(_ text: String) throws {
    regex = try Regex(text)
  }

  func values(in text: String) -> [Substring] {
    text.matches(of: regex).compactMap { match in
      (match.output.count > 1 ? match.output[1].substring : match.output[0].substring)
    }
  }
}
