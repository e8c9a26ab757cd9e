internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension RequestPattern {
  /// Whether this pattern is certain to match every request that the other one matches.
  ///
  /// Sound but not complete: false where it is not certain.
  package func accepts(allOf other: RequestPattern) -> Bool {
    RequestPart.all.allSatisfy { $0.accepts(in: self, allOf: other) }
  }

  /// Whether this pattern accepts every path that the other one accepts, as far as that is certain.
  func acceptsPath(of other: RequestPattern) -> Bool {
    guard let path, path != other.path else { return true }
    // What is asked of a placeholder is found by its name, which another path has elsewhere.
    guard let otherPath = other.path, pathParameters.isEmpty else { return false }
    return path.accepts(otherPath)
  }
}

extension RequestPart {
  /// Whether a pattern accepts every value of the part that the other one accepts, as far as that is certain.
  package func accepts(in pattern: RequestPattern, allOf other: RequestPattern) -> Bool {
    if self == .path { return pattern.acceptsPath(of: other) }
    switch (demand(of: pattern), demand(of: other)) {
    case (.methods(let methods), .methods(let others)):
      return methods.isEmpty || !others.isEmpty && Set(methods).isSuperset(of: others)
    case (.value(let value), .value(let other)): return value == nil || value == other
    case (.named(let patterns), .named(let others)):
      // A header field also has the values of lists, which only some operators look at.
      return patterns.accepts(others, ofQuery: self == .query)
    case (.bodies(let patterns), .bodies(let others)):
      return patterns.allSatisfy { pattern in others.contains(where: pattern.accepts) }
    default: break
    }
    switch self {
    case .scheme: return pattern.scheme == nil || pattern.scheme == other.scheme
    case .port:
      return pattern.port == other.port
        || pattern.port == nil && (pattern.scheme == nil || other.port == nil)
    case .queryIsExact:
      return !pattern.queryIsExact
        || other.queryIsExact && pattern.query.acceptsNames(of: other.query)
    case .basicAuth: return pattern.basicAuth == nil || pattern.basicAuth == other.basicAuth
    case .method, .url, .host, .path, .pathParameters, .query, .headers, .cookies, .captured, .body:
      return false
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
        && patterns.accepts(other.patterns)
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
  /// Whether each of these accepts one of the others, each another one.
  fileprivate func accepts(_ others: [ValuePattern]) -> Bool {
    var rest = others
    // One that accepts more takes none that another one needs.
    return sorted { !$0.isFree && $1.isFree }.allSatisfy { own in
      guard let place = rest.firstIndex(of: own) ?? rest.firstIndex(where: own.acceptsOne)
      else { return false }
      rest.remove(at: place)
      return true
    }
  }
}

extension [NamedPattern] {
  /// Whether whatever satisfies the others satisfies these patterns.
  func accepts(_ others: [NamedPattern], ofQuery: Bool) -> Bool {
    // Stubs have few patterns; finding them by name pays only if there are many.
    let named = count > 10 ? Dictionary(grouping: others, by: \.name) : nil
    return allSatisfy { own in
      // Nothing satisfies it, too.
      if ofQuery, own.pattern == .anything { return true }
      let candidates = named.map { $0[own.name] ?? [] } ?? others
      return candidates.contains {
        ByteText.isEqual($0.name, own.name) && own.pattern.accepts($0.pattern, ofQuery: ofQuery)
      }
    }
  }

  /// Whether nothing but the names of these patterns, each as often as they say, allows all that the others allow.
  func acceptsNames(of others: [NamedPattern]) -> Bool {
    others.allSatisfy { other in
      contains { own in
        ByteText.isEqual(own.name, other.name)
          && (own.pattern.isAboutAllValues || !other.pattern.isAboutAllValues)
      }
    }
  }
}
