internal import StubDBXML

extension XPath {
  /// The expression with the local names of elements where it names them without a prefix; nil if it names none so.
  ///
  /// `/a/b[@c]` becomes `/*[local-name()='a']/*[local-name()='b'][@c]`, which also selects elements in namespaces.
  var byLocalNames: String? {
    // It was read before, so it has tokens.
    guard let tokens = (try? XPathLexer(text))?.tokens else { return nil }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var end = 0
    for place in tokens.indices {
      guard case .name(let name) = tokens[place].token, Self.isElement(name, at: place, in: tokens)
      else { continue }
      result.append(contentsOf: scalars[end..<tokens[place].offset])
      result.append(contentsOf: "*[local-name()='\(name)']".unicodeScalars)
      end = tokens[place].offset + name.unicodeScalars.count
    }
    guard end > 0 else { return nil }
    result.append(contentsOf: scalars[end...])
    return String(result)
  }

  /// Whether a name is that of elements: no prefix, no function, no axis, no attribute.
  private static func isElement(
    _ name: String, at place: Int, in tokens: [(token: XPathToken, offset: Int)]
  ) -> Bool {
    func token(_ place: Int) -> XPathToken? {
      tokens.indices.contains(place) ? tokens[place].token : nil
    }
    guard name != "*", !name.contains(":"), token(place + 1) != .sign("("),
      token(place + 1) != .sign("::"), token(place - 1) != .sign("@")
    else { return false }
    return token(place - 1) != .sign("::") || token(place - 2) != .name("attribute")
  }
}
