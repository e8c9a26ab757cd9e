public import StubDBSupport

/// The place of a value inside a JSON document.
///
/// The empty pointer is the whole document. https://www.rfc-editor.org/rfc/rfc6901
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Member names and array indices from the outside in, unescaped.
  @ByBytes public var tokens: [String]

  /// Makes a pointer from unescaped tokens; no tokens means the whole document.
  public init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// The place of a member of the object at this place.
  public func appending(_ name: String) -> JSONPointer {
    JSONPointer(tokens + [name])
  }

  /// The place of an element of the array at this place.
  public func appending(_ index: Int) -> JSONPointer {
    JSONPointer(tokens + [String(index)])
  }

  /// The place of a value inside the value at this place.
  package func appending(_ inner: JSONPointer) -> JSONPointer {
    JSONPointer(tokens + inner.tokens)
  }

  /// The pointer as text, such as `/stubs/0/request/headers/X~1Id`; empty for the whole document.
  public var description: String {
    // A mark that follows a slash makes another character of it, but not another scalar.
    tokens.map { token in
      "/"
        + (token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
          ? token.replacingScalar("~", with: "~0").replacingScalar("/", with: "~1") : token)
    }.joined()
  }
}

extension JSONPointer {
  /// The number of tokens at each end of a shortened pointer.
  private static let shownTokens = 8

  /// The pointer for a message, without the middle of a very deep one: `/0/0/…/0/0`.
  package var shortened: String {
    guard tokens.count > 4 * Self.shownTokens else { return description }
    let start = JSONPointer(Array(tokens.prefix(Self.shownTokens)))
    let end = JSONPointer(Array(tokens.suffix(Self.shownTokens)))
    return "\(start)/…\(end)"
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
  /// The value at a place inside this one; nil if there is no such place.
  ///
  /// An index is digits without a leading zero. https://www.rfc-editor.org/rfc/rfc6901#section-4
  package func value(at pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      switch value {
      case .object(let members):
        guard let member = members[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(token), String(index) == token, elements.indices.contains(index)
        else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }
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
