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
}
