internal import StubDBModel

// What each side left whole, and both together did not: names that meet, includes that lead nowhere,
// scenarios that include each other in a circle. Each is made whole, and becomes a conflict.

extension CatalogMerge {
  /// Leaves one of two scenarios that would have the same name, since one side renamed and the other
  /// added.
  mutating func keepNamesApart() {
    var owners: [ScenarioName: String] = [:]
    // Those that our side calls so come first, and stay.
    let identities = parts.keys.sorted { left, right in
      let (isLeft, isRight) = (hasOurName(left), hasOurName(right))
      return isLeft == isRight ? left < right : isLeft
    }
    for identity in identities {
      guard var part = parts[identity], let name = part.name else { continue }
      guard let owner = owners[name] else {
        owners[name] = identity
        continue
      }
      if let old = part.ours?.name, owners[old] == nil {
        note(
          old, "scenario", part.base.map { .string($0.name.rawValue) }, .string(old.rawValue),
          .string(name.rawValue))
        part.name = old
        owners[old] = identity
      } else {
        let kept = parts[owner]?.content ?? (try? ours.scenario(named: name))
        conflicts.append(
          Conflict(
            scenario: name, ours: kept?.documentValue, theirs: part.content?.documentValue))
        part.name = nil
        // Whoever includes the one that is gone includes the one that has its name.
        for other in Array(parts.keys) {
          let includes = parts[other]?.includes ?? []
          if includes.contains(identity) {
            parts[other]?.includes = includes.map { $0 == identity ? owner : $0 }
          }
        }
      }
      parts[identity] = part
    }
  }

  private func hasOurName(_ identity: String) -> Bool {
    guard let part = parts[identity], let name = part.name else { return false }
    return part.ours?.name == name
  }

  /// Keeps scenarios that one side removed and the other began to include.
  mutating func bringBackWhatIsIncluded() throws {
    var queue = parts.keys.sorted().filter { parts[$0]?.isKept == true }
    while let identity = queue.popLast() {
      for included in parts[identity]?.includes ?? [] {
        guard var part = parts[included], !part.isKept else { continue }
        let isOurs = part.ours != nil
        guard let entry = part.ours ?? part.theirs else { continue }
        let scenario = try (isOurs ? ours : theirs).scenario(named: entry.name)
        part.name = entry.name
        if !isOurs { part.content = scenario }
        part.includes = names.identities(of: entry.includes, part)
        parts[included] = part
        conflicts.append(
          Conflict(
            scenario: entry.name,
            base: try part.base.map { try base.scenario(named: $0.name).documentValue },
            ours: isOurs ? scenario.documentValue : JSONValue?.none,
            theirs: isOurs ? JSONValue?.none : scenario.documentValue))
        queue.append(included)
      }
    }
  }

  /// Gives scenarios of a circle the includes that they have on our side, where there is none.
  mutating func breakCircles() {
    while let circle = circle() {
      var isBroken = false
      for identity in circle.sorted() {
        guard var part = parts[identity], let name = part.name else { continue }
        let ours = part.ours.map { names.identities(of: $0.includes, in: names.ours) } ?? []
        guard part.includes != ours else { continue }
        note(
          name, "includes", part.base.map { value($0.includes) },
          part.ours.map { value($0.includes) }, part.theirs.map { value($0.includes) })
        part.includes = ours.filter { parts[$0]?.isKept == true }
        parts[identity] = part
        isBroken = true
      }
      // Our catalog has no circles: one that is left must have been in both files.
      if !isBroken { return }
    }
  }

  private func value(_ names: [ScenarioName]) -> JSONValue {
    .array(names.map { .string($0.rawValue) })
  }

  /// Scenarios that include each other; nil where none do.
  private func circle() -> Set<String>? {
    var includes: [String: [String]] = [:]
    var including: [String: [String]] = [:]
    for (identity, part) in parts where part.isKept {
      let included = part.includes.filter { parts[$0]?.isKept == true }
      includes[identity] = included
      for name in included { including[name, default: []].append(identity) }
    }
    // What includes nothing that is left is in no circle, nor is what nothing left includes.
    let rest = Self.rest(of: Set(includes.keys), leaving: includes, entering: including)
    let circles = Self.rest(of: rest, leaving: including, entering: includes)
    return circles.isEmpty ? nil : circles
  }

  /// What stays when names without a way out are taken away, again and again.
  private static func rest(
    of names: Set<String>, leaving: [String: [String]], entering: [String: [String]]
  ) -> Set<String> {
    var rest = names
    var ways = rest.reduce(into: [String: Int]()) { ways, name in
      ways[name] = (leaving[name] ?? []).filter(names.contains).count
    }
    var queue = ways.filter { $0.value == 0 }.map(\.key)
    while let name = queue.popLast() {
      rest.remove(name)
      for other in entering[name] ?? [] where rest.contains(other) {
        let count = (ways[other] ?? 0) - 1
        ways[other] = count
        if count == 0 { queue.append(other) }
      }
    }
    return rest
  }
}
