internal import StubDBJSON
internal import StubDBSupport

extension RequestPattern {
  /// Whether this pattern is certain to match every request that the other one matches.
  ///
  /// Sound but not complete: false where it is not certain.
  package func accepts(allOf other: RequestPattern) -> Bool {
    RequestPart.all.allSatisfy { $0.isFree(in: self, comparedTo: other) }
  }

  /// Whether this pattern accepts every path that the other one accepts, as far as that is certain.
  func acceptsPath(of other: RequestPattern) -> Bool {
    guard let path, path != other.path else { return true }
    // What is asked of a placeholder is found by its name, which another path has elsewhere.
    guard let otherPath = other.path, pathParameters.isEmpty else { return false }
    return path.accepts(otherPath)
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
    if acceptsOne(other) { return true }
    guard ofQuery else { return false }
    if self.operator == .anything { return true }
    switch other.operator {
    case .hasExactly, .includes:
      if needsOneValue { return other.patterns.contains(where: acceptsOne) }
      guard self.operator == .includes || self.operator == other.operator else { return false }
      return (self.operator == .includes || patterns.count == other.patterns.count)
        && other.patterns.areAccepted(by: patterns)
    case .and: return needsOneValue && other.patterns.contains(where: acceptsOne)
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
  /// Whether there is one of these for each of the others, which accepts it.
  fileprivate func areAccepted(by others: [ValuePattern]) -> Bool {
    var rest = self
    // One that accepts more takes none that another one needs.
    return others.sorted { !$0.isFree && $1.isFree }.allSatisfy { other in
      guard let place = rest.firstIndex(of: other) ?? rest.firstIndex(where: other.acceptsOne)
      else { return false }
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
