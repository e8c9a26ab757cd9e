package import StubDBJSON

extension JSONPointer {
  /// The place of a value inside the value at this place.
  package func appending(_ inner: JSONPointer) -> JSONPointer {
    JSONPointer(tokens + inner.tokens)
  }

  /// Parses a pointer; nil if the text is not one. https://www.rfc-editor.org/rfc/rfc6901#section-3
  package init?(parsing text: String) {
    guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return nil }
    var tokens: [String] = []
    let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    for part in parts.dropFirst() {
      guard let token = Self.unescaped(Substring(part)) else { return nil }
      tokens.append(token)
    }
    self.init(tokens)
  }

  private static func unescaped(_ part: Substring) -> String? {
    guard part.utf8.contains(UInt8(ascii: "~")) else { return String(part) }
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

extension JSONValue {
  /// The same with another value at a place, or without the member there.
  ///
  /// A member that is missing is added; otherwise nothing changes where there is no such place.
  package func replacing(_ value: JSONValue?, at pointer: JSONPointer) -> JSONValue {
    replacing(value, at: pointer.tokens[...])
  }

  private func replacing(_ value: JSONValue?, at tokens: ArraySlice<String>) -> JSONValue {
    guard let first = tokens.first else { return value ?? self }
    let rest = tokens.dropFirst()
    switch self {
    case .object(var members):
      members[first] = rest.isEmpty ? value : members[first]?.replacing(value, at: rest)
      return .object(members)
    case .array(var elements):
      guard let index = Int(first), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(value, at: rest)
      return .array(elements)
    default:
      return self
    }
  }
}
