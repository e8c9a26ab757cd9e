internal import StubDBJSON
internal import StubDBSupport

extension RequestPattern {
  /// Whether this pattern is certain to match every request that the other one matches, paths aside.
  ///
  /// Sound but not complete: false where it is not certain.
  package func accepts(allOf other: RequestPattern) -> Bool {
    RequestPart.all.allSatisfy { $0.isFree(in: self, comparedTo: other) }
  }

  /// Whether this pattern accepts every path that the other one accepts, as far as that is certain.
  package func acceptsPath(of other: RequestPattern) -> Bool {
    guard let path, path != other.path else { return true }
    guard case .template(let own) = path, case .template(let text)? = other.path else {
      return false
    }
    let segments = own.split(separator: "/", omittingEmptySubsequences: false)
    let others = text.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.last == "**", others.count >= segments.count else { return false }
    return zip(segments.dropLast(), others).allSatisfy { own, other in
      own == other && own != "**" && !URLParts.isPlaceholder(own)
    }
  }
}

extension RequestPattern {
  /// The pattern with no rule against other parameters, fields or parts.
  ///
  /// Whether a recorded pattern has one depends on the other stubs that were there, and on what recorded it.
  package var withoutExactness: RequestPattern {
    var pattern = self
    pattern.queryIsExact = false
    pattern.body = body.map(\.withoutExactness)
    return pattern
  }
}

extension BodyPattern {
  fileprivate var withoutExactness: BodyPattern {
    switch operation {
    case var form as FormOperator:
      form.isExact = false
      return BodyPattern(form)
    case var multipart as MultipartOperator:
      multipart.isExact = false
      return BodyPattern(multipart)
    case var graphQL as GraphQLPattern where graphQL.variables == .object([:]):
      graphQL.variables = nil
      return BodyPattern(graphQL)
    default: return self
    }
  }
}

extension ValuePattern {
  /// Whether the pattern looks at all values of a name, so that it says itself how many there may be.
  package var isAboutAllValues: Bool {
    switch self.operator {
    case .hasExactly, .includes, .anything: true
    case .and, .or, .not: patterns.contains(where: \.isAboutAllValues)
    default: false
    }
  }

  /// Whether one of several values suffices to satisfy the pattern.
  private var needsOneValue: Bool {
    switch self.operator {
    case .equalTo, .contains, .matches, .equalToNumber, .greaterThanNumber, .greaterThanEqualNumber,
      .lessThanNumber, .lessThanEqualNumber, .before, .after, .equalToDateTime:
      true
    default: false
    }
  }

  /// Whether whatever satisfies the other pattern satisfies this one; `ofQuery` says whether both are about the values of
  /// a query parameter or a form field.
  fileprivate func accepts(_ other: ValuePattern, ofQuery: Bool) -> Bool {
    if self == other { return true }
    guard ofQuery else { return false }
    if self.operator == .anything { return true }
    switch other.operator {
    case .hasExactly, .includes:
      if needsOneValue { return other.patterns.contains(self) }
      return self.operator == .includes && other.patterns.includes(patterns)
    case .and: return needsOneValue && other.patterns.contains(self)
    default: return false
    }
  }

  /// What the pattern asks for that each pattern inside of it asks for, too: whatever it accepts has the same.
  package var demands: [ValuePattern] {
    switch self.operator {
    case .anything: []
    case .includes: patterns
    case .hasExactly, .and: [self] + patterns
    default: [self]
    }
  }
}

extension [ValuePattern] {
  /// Whether there is one of these for each of the others.
  fileprivate func includes(_ others: [ValuePattern]) -> Bool {
    var rest = self
    return others.allSatisfy { other in
      guard let place = rest.firstIndex(of: other) else { return false }
      rest.remove(at: place)
      return true
    }
  }
}

extension [NamedPattern] {
  /// Whether whatever satisfies these patterns satisfies the others.
  func areAccepted(by others: [NamedPattern], ofQuery: Bool) -> Bool {
    // Stubs have few patterns; finding them by name pays only if there are many.
    let named = others.count > 10 ? Dictionary(grouping: self, by: \.name) : nil
    return others.allSatisfy { other in
      // Nothing satisfies it, too.
      if ofQuery, other.pattern == .anything { return true }
      let own = named.map { $0[other.name] ?? [] } ?? self
      return own.contains {
        $0.name.hasSameText(as: other.name)
          && other.pattern.accepts($0.pattern, ofQuery: ofQuery)
      }
    }
  }

  /// Whether nothing but the names of these patterns, each as often as they say, allows all that the others allow.
  func allows(_ others: [NamedPattern]) -> Bool {
    others.allSatisfy { other in
      contains { own in
        own.name.hasSameText(as: other.name)
          && (own.pattern.isAboutAllValues || !other.pattern.isAboutAllValues)
      }
    }
  }
}

extension BodyPattern {
  /// Whether whatever content satisfies the other pattern satisfies this one, as far as that is certain.
  func accepts(_ other: BodyPattern) -> Bool {
    if self == other { return true }
    switch (operation, other.operation) {
    case (let form as FormOperator, let other as FormOperator):
      return other.fields.areAccepted(by: form.fields, ofQuery: true)
        && (!form.isExact || other.isExact && form.fields.allows(other.fields))
    case (let multipart as MultipartOperator, let other as MultipartOperator):
      return multipart.accepts(other)
    case (let graphQL as GraphQLPattern, let other as GraphQLPattern):
      return (graphQL.operationName == nil || graphQL.operationName == other.operationName)
        && (graphQL.variables == nil || graphQL.variables.hasSameText(as: other.variables))
        && (graphQL.query == nil || graphQL.query.hasSameText(as: other.query))
    case (let json as EqualToJSONOperator, let other as EqualToJSONOperator):
      return json.accepts(other)
    default: return false
    }
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
    (name == nil || name.hasSameText(as: other.name))
      && (filename == nil || filename == other.filename)
      && headers.allSatisfy(other.headers.contains)
      && body.allSatisfy { pattern in other.body.contains(where: pattern.accepts) }
  }
}

extension EqualToJSONOperator {
  /// Whether the other one expects all that this one expects, which allows more beside it.
  fileprivate func accepts(_ other: EqualToJSONOperator) -> Bool {
    ignoreExtraElements && (ignoreArrayOrder || !other.ignoreArrayOrder)
      && other.value.includes(value)
  }
}

extension JSONValue {
  /// Whether the value has all members of the other one, and elements that begin like its own.
  fileprivate func includes(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      others.allSatisfy { name, value in members[name].map { $0.includes(value) } ?? false }
    case (.array(let elements), .array(let others)):
      elements.count >= others.count && zip(elements, others).allSatisfy { $0.includes($1) }
    default: hasSameText(as: other)
    }
  }
}
