import StubDBModel
import StubDBSupport

/// The part `queryIsExact`: no other query parameters than these, and none more often than its pattern says.
struct ExactQueryPart: CompiledPart {
  let names: ExactNames

  var part: RequestPart { .queryIsExact }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    names.allow(request.query, scope)
  }

  /// Each parameter that is not allowed is a part that is off.
  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    guard let others = names.others(in: request.query, as: .query, what: "query", scope) else {
      return difference("no other parameters", "too many to compare")
    }
    return PartDifference(weight: Double(others.count), mismatches: others.mismatches)
  }
}

/// The names that query parameters or form fields may have where nothing else is allowed.
struct ExactNames: Sendable {
  /// What is not allowed.
  struct Others {
    /// How many names are off.
    var count = 0
    /// The first of them, and the number of the rest.
    var mismatches: [Mismatch] = []
  }

  /// How many names are listed.
  private static let longestList = 20

  /// For each name whether its pattern says itself how many values there may be.
  private let mayRepeat: [ByteText: Bool]

  init(_ patterns: [NamedPattern]) {
    mayRepeat = Dictionary(
      patterns.map { (ByteText($0.name), $0.pattern.isAboutAllValues) }
    ) { $0 && $1 }
  }

  /// Whether there are no others, and none comes more often than once if its pattern is for one value; nil if that
  /// takes too long to tell.
  func allow(_ items: [URLParts.QueryItem], _ scope: MatchScope) -> Bool? {
    guard !items.isEmpty else { return true }
    return scope.context.visiting { limit -> Bool? in
      var seen: Set<ByteText> = []
      for item in items {
        guard limit > 0 else { return nil }
        limit -= 1
        let name = ByteText(item.name)
        guard let mayRepeat = mayRepeat[name] else { return false }
        if !mayRepeat, !seen.insert(name).inserted { return false }
      }
      return true
    }
  }

  /// What is not allowed, each name once; nil if that takes too long to tell.
  func others(
    in items: [URLParts.QueryItem], as kind: Mismatch.Part.Kind, what: String, _ scope: MatchScope
  ) -> Others? {
    guard let groups = groups(of: items, scope) else { return nil }
    var others = Others()
    for (name, values) in groups {
      let mayRepeat = mayRepeat[ByteText(name)]
      guard mayRepeat == nil || mayRepeat == false && values.count > 1 else { continue }
      others.count += 1
      guard others.count <= Self.longestList else { continue }
      others.mismatches.append(
        Mismatch(
          part: Mismatch.Part(kind, TextExcerpt.plain(name)),
          expected: (mayRepeat == nil ? "absent" : "once") + " (the \(what) is exact)",
          actual: ReportPhrase.actual(values, of: name)))
    }
    if others.count > Self.longestList {
      others.mismatches.append(.rest(others.count - Self.longestList, of: Mismatch.Part(kind)))
    }
    return others
  }

  /// The names in their order, each with its values; nil if that takes too long.
  private func groups(
    of items: [URLParts.QueryItem], _ scope: MatchScope
  ) -> [(name: String, values: [String])]? {
    scope.context.visiting { limit in
      guard limit >= items.count else { return nil }
      limit -= items.count
      var groups: [(name: String, values: [String])] = []
      var places: [ByteText: Int] = [:]
      for item in items {
        let name = ByteText(item.name)
        if let place = places[name] {
          groups[place].values.append(item.value)
        } else {
          places[name] = groups.count
          groups.append((item.name, [item.value]))
        }
      }
      return groups
    }
  }
}
