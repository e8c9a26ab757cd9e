import StubDBModel

/// Converts host patterns to the form in which hosts are compared.
enum HostPattern {
  /// Whether a pattern certainly has that form, as most do.
  static func isCanonical(_ pattern: ValuePattern) -> Bool {
    guard case .equalTo(let host, caseInsensitive: false) = pattern else { return false }
    return host.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isASCIIDigit
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
  }

  /// The pattern for hosts in lower case and IDNA form.
  ///
  /// Regular expressions get a flag to ignore case, since their text cannot be converted to lower case.
  static func canonical(_ pattern: ValuePattern) -> ValuePattern {
    switch pattern {
    case .equalTo(let host, _):
      .equalTo(URLParts.canonicalHost(host) ?? host.lowercased())
    case .contains(let part): .contains(part.lowercased())
    case .doesNotContain(let part): .doesNotContain(part.lowercased())
    case .matches(let expression): .matches(ignoringCase(expression))
    case .doesNotMatch(let expression): .doesNotMatch(ignoringCase(expression))
    case .and(let patterns): .and(patterns.map(canonical))
    case .or(let patterns): .or(patterns.map(canonical))
    case .not(let inner): .not(canonical(inner))
    case .hasExactly(let patterns): .hasExactly(patterns.map(canonical))
    case .includes(let patterns): .includes(patterns.map(canonical))
    case .absent, .anything, .equalToCaptured, .number, .date: pattern
    }
  }

  private static func ignoringCase(_ expression: String) -> String {
    expression.utf8.contains(where: \.isASCIIUppercase) ? "(?i)" + expression : expression
  }
}
