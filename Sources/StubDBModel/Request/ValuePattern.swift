public import StubDBJSON

/// What a text value must satisfy: a query parameter, a header field, a cookie, a body as text.
///
/// Operator names and meanings are WireMock's. https://wiremock.org/docs/request-matching/
public indirect enum ValuePattern: Hashable, Sendable {
  /// The very text, or the text without regard to case.
  case equalTo(String, caseInsensitive: Bool = false)
  /// A text that the value holds somewhere.
  case contains(String)
  /// A text that the value does not hold; a value that is absent matches.
  case doesNotContain(String)
  /// A regular expression that the whole value matches; `.` matches line ends too.
  case matches(String)
  /// A regular expression that the whole value does not match; a value that is absent matches.
  case doesNotMatch(String)
  /// There is no value.
  case absent
  /// Any value, or none.
  case anything
  /// The text of a value that the run keeps; the name may be a template. False where nothing is kept.
  case equalToCaptured(String)
  /// A number that the value is compared with.
  case number(NumberComparison, JSONNumber)
  /// A date that the value is compared with.
  case date(DateComparison, DatePattern)
  /// Every pattern matches; empty matches everything.
  case and([ValuePattern])
  /// At least one pattern matches.
  case or([ValuePattern])
  /// The pattern does not match.
  case not(ValuePattern)
  /// As many values as patterns, and for each pattern a value of its own.
  case hasExactly([ValuePattern])
  /// For each pattern a value that matches it; other values are free.
  case includes([ValuePattern])
}

extension ValuePattern: ExpressibleByStringLiteral {
  /// Makes an ``equalTo(_:caseInsensitive:)``.
  public init(stringLiteral value: String) { self = .equalTo(value) }
}
