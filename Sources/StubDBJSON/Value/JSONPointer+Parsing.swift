extension JSONPointer {
  /// Parses a pointer; nil if the text is not one. https://www.rfc-editor.org/rfc/rfc6901#section-3
  package init?(parsing text: String) {
    guard text.isEmpty || text.hasPrefix("/") else { return nil }
    var tokens: [String] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let token = Self.unescaped(part) else { return nil }
      tokens.append(token)
    }
    self.init(tokens)
  }

  private static func unescaped(_ part: Substring) -> String? {
    guard part.contains("~") else { return String(part) }
    var token = ""
    var isEscape = false
    for scalar in part.unicodeScalars {
      switch (isEscape, scalar) {
      case (false, "~"): isEscape = true
      case (true, "0"), (true, "1"):
        token.unicodeScalars.append(scalar == "0" ? "~" : "/")
        isEscape = false
      case (true, _): return nil
      case (false, _): token.unicodeScalars.append(scalar)
      }
    }
    return isEscape ? nil : token
  }
}
