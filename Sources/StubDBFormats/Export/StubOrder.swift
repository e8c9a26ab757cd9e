internal import StubDBJSON
internal import StubDBModel

/// Which stubs may match the same request, and the priorities that keep their order for tools that have no other.
enum StubOrder {
  /// Priorities for stubs in the order in which they answer.
  ///
  /// They are the stubs' own unless stubs of one priority may match the same request.
  static func priorities(of stubs: [Stub]) -> [Int] {
    var numbers: [Int] = []
    var start = 0
    while start < stubs.count {
      let priority = stubs[start].priority
      var end = start
      while end < stubs.count, stubs[end].priority == priority { end += 1 }
      let first = max(priority, (numbers.max() ?? 0) + 1)
      numbers += levels(of: Array(stubs[start..<end])).map { first + $0 }
      start = end
    }
    return numbers
  }

  /// For each stub, in the order in which they answer, whether one before it may answer the same request.
  static func overlaps(of stubs: [Stub]) -> [Bool] { levels(of: stubs).map { $0 > 0 } }

  /// For each stub how many others, one after another, must answer before it.
  private static func levels(of stubs: [Stub]) -> [Int] {
    var levels: [Int] = []
    // Stubs of different literal paths need no comparison.
    var byPath: [String: [Int]] = [:]
    var others: [Int] = []
    for (place, stub) in stubs.enumerated() {
      let path = stub.request.literalPath
      let candidates = path.map { (byPath[$0] ?? []) + others } ?? Array(0..<place)
      let before = candidates.filter { mayAnswerTheSame(stubs[$0], stub) }.map { levels[$0] }
      levels.append((before.max() ?? -1) + 1)
      if let path { byPath[path, default: []].append(place) } else { others.append(place) }
    }
    return levels
  }

  /// Whether a request may exist that both answer; true where it is not certain.
  static func mayAnswerTheSame(_ one: Stub, _ other: Stub) -> Bool {
    if let flow = one.flow, let otherFlow = other.flow, flow.name == otherFlow.name,
      areDifferent(flow.requires, otherFlow.requires)
    {
      return false
    }
    return !areApart(one.request, other.request)
  }

  private static func areApart(_ one: RequestPattern, _ other: RequestPattern) -> Bool {
    let areMethodsApart =
      !one.methods.isEmpty && !other.methods.isEmpty
      && !one.methods.contains(where: other.methods.contains)
    return areMethodsApart || areDifferent(one.scheme, other.scheme)
      || areDifferent(one.host?.literal, other.host?.literal)
      || areDifferent(one.effectivePort, other.effectivePort)
      || areDifferent(one.wholeURL?.literal, other.wholeURL?.literal)
      || areDifferent(one.basicAuth, other.basicAuth) || arePathsApart(one.path, other.path)
      || forbids(one, other) || forbids(other, one) || areNamesApart(one.query, other.query)
      || areNamesApart(one.headers.map(\.named), other.headers.map(\.named))
      || areBodiesApart(one.body, other.body)
  }

  private static func areDifferent<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
    guard let one, let other else { return false }
    return one != other
  }

  private static func arePathsApart(_ one: PathPattern?, _ other: PathPattern?) -> Bool {
    guard case .template(let one) = one, case .template(let other) = other else { return false }
    let left = one.split(separator: "/", omittingEmptySubsequences: false)
    let right = other.split(separator: "/", omittingEmptySubsequences: false)
    for (segment, otherSegment) in zip(left, right) {
      if segment == "**" || otherSegment == "**" { return false }
      if URLParts.isPlaceholder(segment) || URLParts.isPlaceholder(otherSegment) { continue }
      if segment != otherSegment { return true }
    }
    return left.count != right.count && !(left + right).contains("**")
  }

  /// Whether one asks for a parameter that the other forbids.
  private static func forbids(_ exact: RequestPattern, _ asking: RequestPattern) -> Bool {
    let names = Set(exact.query.map(\.name))
    return exact.queryIsExact
      && asking.query.contains { !$0.pattern.mayBeAbsent && !names.contains($0.name) }
  }

  /// Whether one asks for a value where the other asks for none.
  private static func areNamesApart(_ one: [NamedPattern], _ others: [NamedPattern]) -> Bool {
    one.contains { named in
      others.contains { other in
        other.name.lowercased() == named.name.lowercased()
          && (!named.pattern.mayBeAbsent && other.pattern.operator == .absent
            || !other.pattern.mayBeAbsent && named.pattern.operator == .absent)
      }
    }
  }

  /// Whether one asks for JSON or a text, and the other for another.
  private static func areBodiesApart(_ one: [BodyPattern], _ others: [BodyPattern]) -> Bool {
    one.contains { pattern in
      others.contains { other in
        areDifferent(pattern.exactJSON, other.exactJSON)
          || areDifferent(pattern.exactText, other.exactText)
      }
    }
  }
}

extension RequestPattern {
  fileprivate var literalPath: String? {
    guard case .template(let path) = path, !URLParts.isOpen(template: path) else { return nil }
    return path
  }

  fileprivate var effectivePort: Int? { port ?? scheme.flatMap(URLParts.defaultPort) }
}

extension ValuePattern {
  /// Whether a missing value satisfies the pattern.
  var mayBeAbsent: Bool {
    switch self.operator {
    case .absent, .anything, .doesNotContain, .doesNotMatch: true
    case .not: !patterns.contains(where: \.mayBeAbsent)
    case .and: patterns.allSatisfy(\.mayBeAbsent)
    case .or: patterns.contains(where: \.mayBeAbsent)
    case .hasExactly, .includes: patterns.isEmpty
    case .equalTo, .contains, .matches, .equalToNumber, .greaterThanNumber, .lessThanNumber,
      .greaterThanEqualNumber, .lessThanEqualNumber, .before, .after, .equalToDateTime,
      .equalToCaptured:
      false
    }
  }
}

extension BodyPattern {
  /// The only JSON that satisfies the pattern; nil if there may be others.
  fileprivate var exactJSON: String? {
    guard let equal = operation as? EqualToJSONOperator, !equal.ignoreArrayOrder,
      !equal.ignoreExtraElements
    else { return nil }
    let text = equal.value.canonicalText
    // Placeholders represent other values, and numbers can be written in several ways.
    let isUnique = !text.contains("${") && !text.contains("#{") && !text.contains(where: \.isNumber)
    return isUnique ? text : nil
  }

  /// The only text that satisfies the pattern; nil if there may be others.
  fileprivate var exactText: String? {
    if case .value(let value) = storage { value.literal } else { nil }
  }
}
