import StubDBModel

/// Converts host patterns to the form in which hosts are compared.
enum HostPattern {
  /// Whether a pattern certainly has that form, as most do.
  static func isCanonical(_ pattern: ValuePattern) -> Bool {
    guard let host = pattern.literal else { return false }
    return host.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isASCIIDigit
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
  }

  /// The pattern for hosts in lower case and IDNA form.
  ///
  /// Regular expressions get a flag to ignore case, since their text cannot be converted to lower case.
  static func canonical(_ pattern: ValuePattern) -> ValuePattern {
    pattern.mapLeaves { leaf in
      switch leaf.operator.kind {
      case .text: .equalTo(URLParts.canonicalHost(leaf.text) ?? leaf.text.lowercased())
      case .part: leaf.with(text: leaf.text.lowercased())
      case .expression: leaf.with(text: ignoringCase(leaf.text))
      case .name, .isTrue, .number, .date, .pattern, .patterns: leaf
      }
    }
  }

  private static func ignoringCase(_ expression: String) -> String {
    expression.utf8.contains(where: \.isASCIIUppercase) ? "(?i)" + expression : expression
  }
}
