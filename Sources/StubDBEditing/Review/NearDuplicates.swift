internal import StubDBDrift
package import StubDBJSON
package import StubDBModel

/// Proposals that differ from each other, or from a stub of the scenario, only in values that look volatile.
package struct NearDuplicates {
  /// Requests that would be one with some places left free.
  package struct Group {
    /// In the order of the request.
    package let places: [JSONPointer]
    /// The indices of the proposals, ascending.
    package fileprivate(set) var proposals: [Int]
    /// The key of the stub that they are like; nil if the scenario has none.
    package fileprivate(set) var existing: Stub.Key?
  }

  /// With more places than this, requests have little in common.
  private static let maximumPlaceCount = 4
  /// With more sets of places than this, what else the groups would match is not looked for.
  private static let maximumSetCount = 16

  private struct Member {
    /// The index of a proposal; nil for a stub of the scenario.
    let proposal: Int?
    let stub: Stub
    let values: [RequestPlaces.Value]
    /// The run that sent it first; nil for a stub of the scenario.
    let run: Int?
    let isConflict: Bool
  }

  package private(set) var groups: [Group] = []
  /// For each proposal in a group the index of the group.
  package private(set) var places: [Int: Int] = [:]

  package init(_ review: ScenarioReview) {
    var members: [RequestPattern: [Member]] = [:]
    var order: [RequestPattern] = []
    for (index, proposal) in review.proposals.enumerated() where !proposal.isKnown {
      let places = RequestPlaces(proposal.stub.request)
      guard !places.values.isEmpty else { continue }
      if members[places.skeleton] == nil { order.append(places.skeleton) }
      members[places.skeleton, default: []].append(
        Member(
          proposal: index, stub: proposal.stub, values: places.values,
          run: proposal.answers.firstRun, isConflict: proposal.kind == .conflict))
    }
    var known: [RequestPattern: [Member]] = [:]
    for stub in order.isEmpty ? [] : review.existing?.stubs ?? [] {
      let places = RequestPlaces(stub.request)
      guard members[places.skeleton] != nil else { continue }
      known[places.skeleton, default: []].append(
        Member(proposal: nil, stub: stub, values: places.values, run: nil, isConflict: false))
    }
    for skeleton in order {
      find(in: (known[skeleton] ?? []) + (members[skeleton] ?? []))
    }
    groups.sort { $0.proposals[0] < $1.proposals[0] }
    for (index, group) in groups.enumerated() {
      for proposal in group.proposals { places[proposal] = index }
    }
  }

  /// Finds groups among requests with the same places, the stubs of the scenario first.
  private mutating func find(in members: [Member]) {
    guard members.count > 1 else { return }
    let start = groups.count
    var rest: [Member] = []
    for same in Self.classes(of: members, apartFrom: VolatileValues.isVolatile) {
      if !add(same, isGrowing: false) { rest += same }
    }
    let counted = Self.classes(of: rest) {
      VolatileValues.isVolatile($0) || VolatileValues.wholeNumber($0) != nil
    }
    for same in counted { _ = add(same, isGrowing: true) }
    addMatched(members, from: start)
  }

  /// Adds what else the stubs of the groups from an index on would match.
  private mutating func addMatched(_ members: [Member], from start: Int) {
    let values = Dictionary(
      members.compactMap { member in member.proposal.map { ($0, member.values) } }
    ) { first, _ in first }
    let pointers = RequestPlaces.pointers(of: members[0].stub.request)
    var matched: [[Bool]: [[RequestPlaces.Value]: Int]] = [:]
    for index in start..<groups.count {
      let free = pointers.map(groups[index].places.contains)
      guard let first = values[groups[index].proposals[0]] else { continue }
      matched[free, default: [:]][zip(free, first).map { $0 ? .free : $1 }] = index
    }
    guard matched.count <= Self.maximumSetCount else { return }
    let grouped = Set(groups[start...].flatMap(\.proposals))
    var known: Set<Int> = []
    for member in members where member.proposal.map({ !grouped.contains($0) }) ?? true {
      let indexes = matched.compactMap { free, groups in
        groups[zip(free, member.values).map { $0 ? .free : $1 }]
      }
      guard let index = indexes.min() else { continue }
      if let proposal = member.proposal {
        groups[index].proposals.append(proposal)
      } else if known.insert(index).inserted {
        groups[index].existing = member.stub.key
      }
    }
    for index in start..<groups.count { groups[index].proposals.sort() }
  }

  /// The members by the values that are not of the kind, in order.
  private static func classes(
    of members: [Member], apartFrom isOfKind: (RequestPlaces.Value) -> Bool
  ) -> [[Member]] {
    var places: [[RequestPlaces.Value]: Int] = [:]
    var classes: [[Member]] = []
    for member in members {
      let rest = member.values.map { isOfKind($0) ? .free : $0 }
      if let place = places[rest] {
        classes[place].append(member)
      } else {
        places[rest] = classes.count
        classes.append([member])
      }
    }
    return classes
  }

  /// Adds a group, if the members make one.
  private mutating func add(_ members: [Member], isGrowing: Bool) -> Bool {
    let first = members[0].values
    let different = first.indices.filter { place in
      members.contains { $0.values[place] != first[place] }
    }
    let proposals = members.compactMap(\.proposal)
    guard members.count > 1, !proposals.isEmpty, !different.isEmpty,
      different.count <= Self.maximumPlaceCount
    else { return false }
    if isGrowing {
      // A number may as well say what is asked for, such as a page.
      let responses = members[0].stub.responses
      guard members.allSatisfy({ !$0.isConflict && $0.stub.responses == responses }),
        different.allSatisfy({ Self.isVolatileOrGrows(at: $0, members) })
      else { return false }
    }
    let pointers = RequestPlaces.pointers(of: members[0].stub.request)
    groups.append(
      Group(
        places: different.map { pointers[$0] }, proposals: proposals,
        existing: members.first { $0.proposal == nil }?.stub.key))
    return true
  }

  private static func isVolatileOrGrows(at place: Int, _ members: [Member]) -> Bool {
    if members.allSatisfy({ VolatileValues.isVolatile($0.values[place]) }) { return true }
    // Runs have no order among themselves.
    return zip(members, members.dropFirst()).allSatisfy { before, after in
      guard let old = VolatileValues.wholeNumber(before.values[place]),
        let new = VolatileValues.wholeNumber(after.values[place])
      else { return false }
      return old < new || before.run != nil && before.run != after.run
    }
  }
}

/// Values that differ in every request by their nature.
enum VolatileValues {
  /// Whether a value is a time, a UUID, a secret that was taken out, or a random text.
  static func isVolatile(_ value: RequestPlaces.Value) -> Bool {
    guard let text = value.text else { return false }
    if RedactionPlaceholders.isIn(text) { return true }
    return isTime(text) || isUUID(text) || isRandom(text)
  }

  /// The number that a value is; nil if it is no whole number.
  static func wholeNumber(_ value: RequestPlaces.Value) -> Int? { value.text.flatMap { Int($0) } }

  /// A time in seconds, milliseconds or microseconds since 1970, or a date with a time of day.
  private static func isTime(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    if [10, 13, 16].contains(digits.count), digits.first == "1" || digits.first == "2" {
      return rest.isEmpty || rest.first == "." && rest.dropFirst().allSatisfy(\.isNumber)
    }
    return text.prefixMatch(of: /\d{4}-?\d\d-?\d\d[T ]\d\d:?\d\d/) != nil
      || text.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil
  }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return [[8, 4, 4, 4, 12], [32]].contains(parts.map(\.utf8.count))
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }

  private static func isRandom(_ text: String) -> Bool {
    text.utf8.count >= 16 && text.looksRandom && !text.contains(where: \.isWhitespace)
  }
}
