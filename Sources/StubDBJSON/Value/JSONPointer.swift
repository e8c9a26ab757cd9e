/// The place of a value inside a JSON document.
///
/// The empty pointer is the whole document. https://www.rfc-editor.org/rfc/rfc6901
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Member names and array indices from the outside in, unescaped.
  public var tokens: [String]

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
    tokens.map { token in
      "/"
        + (token.contains { $0 == "~" || $0 == "/" }
          ? token.replacing("~", with: "~0").replacing("/", with: "~1") : token)
    }.joined()
  }
}
