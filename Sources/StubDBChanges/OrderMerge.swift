/// Merges the order of named elements.
///
/// The result does not depend on which side is called ours. An element that one side moved is moved; an added one
/// follows the element that it was added after; elements that both sides added at one place are ordered by name.
enum OrderMerge {
  /// The largest number of names, moved by both sides, that are compared in pairs.
  private static let limit = 2_000

  /// The order of the remaining names; nil if both sides moved the same elements differently.
  static func order<Name: Hashable & Comparable>(
    base: [Name], ours: [Name], theirs: [Name], surviving: Set<Name>
  ) -> [Name]? {
    let left = ours.filter(surviving.contains)
    let right = theirs.filter(surviving.contains)
    let common = Set(base).intersection(left).intersection(right)
    guard
      let skeleton = skeleton(
        base.filter(common.contains), left.filter(common.contains), right.filter(common.contains))
    else { return nil }
    let places = Dictionary(uniqueKeysWithValues: skeleton.enumerated().map { ($1, $0) })
    let leftRuns = runs(left, places)
    let rightRuns = runs(right, places)
    var order: [Name] = []
    var placed: Set<Name> = []
    for gap in 0...skeleton.count {
      let names = joined(leftRuns[gap] ?? [], rightRuns[gap] ?? [])
      // A name that both sides added at different places goes to the first of them.
      order += names.filter { placed.insert($0).inserted }
      if gap < skeleton.count { order.append(skeleton[gap]) }
    }
    return order
  }

  /// The names outside the skeleton, by the number of its names that precede them.
  private static func runs<Name: Hashable & Comparable>(_ names: [Name], _ places: [Name: Int])
    -> [Int: [Name]]
  {
    var runs: [Int: [Name]] = [:]
    var gap = 0
    for name in names {
      if let place = places[name] { gap = place + 1 } else { runs[gap, default: []].append(name) }
    }
    return runs
  }

  /// Joins two runs of added names: each stays together, the run with the smaller first name goes first, and names in
  /// both runs keep them aligned.
  private static func joined<Name: Hashable & Comparable>(_ left: [Name], _ right: [Name]) -> [Name]
  {
    let shared = Set(left).intersection(right)
    var (left, right) = (left[...], right[...])
    var joined: [Name] = []
    // The common names that `joined` has already.
    var taken: Set<Name> = []
    func skip(_ run: inout ArraySlice<Name>) {
      while let name = run.first, taken.contains(name) { run.removeFirst() }
    }
    func take(_ run: inout ArraySlice<Name>) {
      while let name = run.first, taken.contains(name) || !shared.contains(name) {
        if !taken.contains(name) { joined.append(name) }
        run.removeFirst()
      }
    }
    while !left.isEmpty || !right.isEmpty {
      if let first = left.first, let second = right.first, second < first {
        take(&right)
        take(&left)
      } else {
        take(&left)
        take(&right)
      }
      // Both runs now begin with a common name or are empty.
      guard let name = [left.first, right.first].compactMap(\.self).min() else { break }
      joined.append(name)
      taken.insert(name)
      skip(&left)
      skip(&right)
    }
    return joined
  }

  /// The order of the names that all three versions have.
  private static func skeleton<Name: Hashable & Comparable>(
    _ base: [Name], _ ours: [Name], _ theirs: [Name]
  ) -> [Name]? {
    if ours == theirs || theirs == base { return ours }
    if ours == base { return theirs }
    guard base.count <= limit else { return nil }
    return byPairs(base, ours, theirs)
  }

  /// Orders each pair of names as the side that changed it does; nil if the result is circular.
  private static func byPairs<Name: Hashable & Comparable>(
    _ base: [Name], _ ours: [Name], _ theirs: [Name]
  ) -> [Name]? {
    func places(_ names: [Name]) -> [Int] {
      let place = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      return base.map { place[$0] ?? 0 }
    }
    let (left, right) = (places(ours), places(theirs))
    // The number of names before each one; without circles, each number occurs once.
    var before = [Int](repeating: 0, count: base.count)
    for first in base.indices {
      for second in base.indices.dropFirst(first + 1) {
        let isSwapped = left[first] > left[second] || right[first] > right[second]
        before[isSwapped ? first : second] += 1
      }
    }
    var order = [Name?](repeating: nil, count: base.count)
    for (index, count) in before.enumerated() {
      guard order[count] == nil else { return nil }
      order[count] = base[index]
    }
    return order.compactMap(\.self)
  }
}

/// Merges sets: elements that one side added are added, elements that one side removed are removed.
enum SetMerge {
  static func merge<Element: Hashable>(
    base: some Sequence<Element>, ours: some Sequence<Element>, theirs: some Sequence<Element>
  ) -> Set<Element> {
    let (base, ours, theirs) = (Set(base), Set(ours), Set(theirs))
    return ours.intersection(theirs).union(ours.subtracting(base))
      .union(theirs.subtracting(base))
  }
}
