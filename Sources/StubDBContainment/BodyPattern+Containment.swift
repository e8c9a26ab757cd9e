internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension BodyPattern {
  /// Whether whatever content satisfies the other pattern satisfies this one, as far as that is certain.
  func accepts(_ other: BodyPattern) -> Bool {
    if self == other { return true }
    switch (storage, other.storage) {
    case (.and(let patterns), _): return patterns.allSatisfy { $0.accepts(other) }
    case (_, .and(let others)): return others.contains(where: accepts)
    case (.value(let value), .value(let other)): return value.acceptsOne(other)
    default: break
    }
    switch (operation, other.operation) {
    case (let form as FormOperator, let other as FormOperator):
      return form.fields.accepts(other.fields, ofQuery: true)
        && (!form.isExact || other.isExact && form.fields.acceptsNames(of: other.fields))
    case (let multipart as MultipartOperator, let other as MultipartOperator):
      return multipart.accepts(other)
    case (let graphQL as GraphQLPattern, let other as GraphQLPattern):
      return graphQL.accepts(other)
    case (let json as EqualToJSONOperator, let other as EqualToJSONOperator):
      return json.accepts(other)
    case (let xml as XMLPattern, let other as XMLPattern): return xml.accepts(other)
    default: return false
    }
  }
}

extension ValuePattern? {
  /// Whether nothing is asked, or no less of the other one.
  fileprivate func accepts(_ other: ValuePattern?) -> Bool {
    guard let self else { return true }
    return other.map(self.acceptsOne) ?? false
  }
}

extension MultipartOperator {
  fileprivate func accepts(_ other: MultipartOperator) -> Bool {
    guard isExact else {
      return parts.allSatisfy { part in other.parts.contains(where: part.accepts) }
    }
    return other.isExact && parts.count == other.parts.count
      && zip(parts, other.parts).allSatisfy { $0.accepts($1) }
  }
}

extension PartPattern {
  fileprivate func accepts(_ other: PartPattern) -> Bool {
    (name == nil || name.hasSameBytes(as: other.name)) && filename.accepts(other.filename)
      && headers.map(\.named).accepts(other.headers.map(\.named), ofQuery: false)
      && body.allSatisfy { pattern in other.body.contains(where: pattern.accepts) }
  }
}

extension GraphQLPattern {
  fileprivate func accepts(_ other: GraphQLPattern) -> Bool {
    let hasVariables =
      variables.map { own in
        other.variables.map { JSONContainment().accepts(own, $0) } ?? false
      } ?? true
    return hasVariables && operationName.accepts(other.operationName)
      && (query == nil || query.hasSameBytes(as: other.query))
  }

  /// Whether a variable may have any value.
  var isFree: Bool { variables?.holdsPlaceholder ?? false }
}

extension EqualToJSONOperator {
  fileprivate func accepts(_ other: EqualToJSONOperator) -> Bool {
    (ignoreExtraElements || !other.ignoreExtraElements)
      && (ignoreArrayOrder || !other.ignoreArrayOrder)
      && JSONContainment(ignoresExtra: ignoreExtraElements).accepts(value, other.value)
  }
}

/// Whether one expected JSON value accepts whatever another one accepts.
private struct JSONContainment {
  /// Whether there may be more than is expected.
  var ignoresExtra = false

  func accepts(_ own: JSONValue, _ other: JSONValue) -> Bool {
    if let placeholder = JSONPlaceholder(own) {
      return placeholder.accepts(other) || own == other
    }
    switch (own, other) {
    case (.object(let members), .object(let others)):
      return (ignoresExtra || members.count == others.count)
        && members.allSatisfy { name, value in
          others[name].map { accepts(value, $0) } ?? false
        }
    case (.array(let elements), .array(let others)):
      return
        (ignoresExtra ? elements.count <= others.count : elements.count == others.count)
        && zip(elements, others).allSatisfy { accepts($0, $1) }
    default: return own == other
    }
  }
}

extension JSONPlaceholder {
  /// Whether whatever satisfies the value satisfies the placeholder.
  fileprivate func accepts(_ value: JSONValue) -> Bool {
    switch (word, value) {
    case (.ignoreElement, _), (.anyNumber, .number), (.anyBoolean, .bool): true
    // A member that may be missing is not any value.
    case (.ignore, _): JSONPlaceholder(value)?.word != .ignoreElement
    case (.anyString, .string): JSONPlaceholder(value) == nil
    default: false
    }
  }
}
