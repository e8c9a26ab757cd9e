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
