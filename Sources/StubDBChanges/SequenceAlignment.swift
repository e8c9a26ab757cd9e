internal import StubDBJSON

/// Aligns the elements of an old and a new list.
///
/// Equal elements are paired in order first; those between them are paired by similarity.
struct SequenceAlignment {
  /// For each old element its index in the new list; nil if it was removed.
  ///
  /// The indices are ascending.
  let places: [Int?]
  /// The indices of inserted elements, by the number of old elements before them.
  let insertions: [Int: [Int]]

  init(_ old: [JSONValue], _ new: [JSONValue]) {
    var places = [Int?](repeating: nil, count: old.count)
    for (oldIndex, newIndex) in Self.equalPairs(old, new) { places[oldIndex] = newIndex }
    Self.pairGaps(&places, old, new)
    self.places = places
    insertions = Self.insertions(places, newCount: new.count)
  }

  private static func insertions(_ places: [Int?], newCount: Int) -> [Int: [Int]] {
    let taken = Set(places.compactMap(\.self))
    var insertions: [Int: [Int]] = [:]
    // After the old element that precedes it in the new list.
    var gap = 0
    var owner: [Int: Int] = [:]
    for (oldIndex, place) in places.enumerated() {
      if let place { owner[place] = oldIndex }
    }
    for newIndex in 0..<newCount {
      if taken.contains(newIndex) {
        gap = (owner[newIndex] ?? 0) + 1
      } else {
        insertions[gap, default: []].append(newIndex)
      }
    }
    return insertions
  }

  /// The longest common subsequence; for very long lists with many differences, only the common prefix and suffix.
  private static func equalPairs(_ old: [JSONValue], _ new: [JSONValue]) -> [(Int, Int)] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    { end += 1 }
    var pairs = (0..<start).map { ($0, $0) }
    let oldMiddle = start..<old.count - end
    let newMiddle = start..<new.count - end
    if oldMiddle.count * newMiddle.count <= 1_000_000 {
      // Elements are compared as numbers, which is cheap however large they are.
      var numbers: [JSONValue: Int] = [:]
      func number(_ value: JSONValue) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = numbers.count
        return numbers.count - 1
      }
      let left = old[oldMiddle].map(number)
      let right = new[newMiddle].map(number)
      pairs += best(left.count, right.count) { left[$0] == right[$1] ? 1 : 0 }
        .map { ($0.0 + start, $0.1 + start) }
    }
    pairs += (0..<end).map { (old.count - end + $0, new.count - end + $0) }
    return pairs
  }

  private static func pairGaps(_ places: inout [Int?], _ old: [JSONValue], _ new: [JSONValue]) {
    var oldStart = 0
    var newStart = 0
    let anchors = places.enumerated().compactMap { index, place in place.map { (index, $0) } }
    for (oldEnd, newEnd) in anchors + [(old.count, new.count)] {
      for (left, right) in pairs(old[oldStart..<oldEnd], new[newStart..<newEnd]) {
        places[left] = right
      }
      (oldStart, newStart) = (oldEnd + 1, newEnd + 1)
    }
  }

  /// Pairs in a gap without equal elements.
  private static func pairs(
    _ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>
  ) -> [(Int, Int)] {
    guard !old.isEmpty, !new.isEmpty else { return [] }
    let isSmall = old.count * new.count <= 400
    if isSmall, old.count > 1 || new.count > 1 {
      let found = best(old.count, new.count) { left, right in
        let share = Similarity.of(old[old.startIndex + left], new[new.startIndex + right])
        return share >= 0.5 ? share : 0
      }
      if !found.isEmpty {
        return found.map { (old.startIndex + $0.0, new.startIndex + $0.1) }
      }
    }
    guard old.count == new.count else { return [] }
    return zip(old.indices, new.indices).filter { old[$0.0].isLike(new[$0.1]) }
      .map { ($0.0, $0.1) }
  }

  /// The pairs, ascending on both sides, with the greatest sum of scores.
  private static func best(
    _ leftCount: Int, _ rightCount: Int, score: (Int, Int) -> Double
  ) -> [(Int, Int)] {
    guard leftCount > 0, rightCount > 0 else { return [] }
    let width = rightCount + 1
    var sums = [Double](repeating: 0, count: (leftCount + 1) * width)
    var scores = [Double](repeating: 0, count: leftCount * rightCount)
    for left in stride(from: leftCount - 1, through: 0, by: -1) {
      for right in stride(from: rightCount - 1, through: 0, by: -1) {
        let pair = score(left, right)
        scores[left * rightCount + right] = pair
        let taken = pair > 0 ? pair + sums[(left + 1) * width + right + 1] : 0
        sums[left * width + right] = max(
          taken, sums[(left + 1) * width + right], sums[left * width + right + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (left, right) = (0, 0)
    while left < leftCount, right < rightCount {
      let pair = scores[left * rightCount + right]
      let sum = sums[left * width + right]
      if pair > 0, sum == pair + sums[(left + 1) * width + right + 1] {
        pairs.append((left, right))
        (left, right) = (left + 1, right + 1)
      } else if sum == sums[(left + 1) * width + right] {
        left += 1
      } else {
        right += 1
      }
    }
    return pairs
  }
}

extension JSONValue {
  /// Whether one may be an edit of the other: both are objects, both are lists, or neither is either.
  fileprivate func isLike(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object, .object), (.array, .array): true
    case (.object, _), (.array, _), (_, .object), (_, .array): false
    default: true
    }
  }
}
