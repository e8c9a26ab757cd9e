package import StubDBJSON

/// A value that was changed, added or removed.
package struct ValueChange: Hashable, Sendable {
  /// The place in the new document of the stub or scenario; for a removed value, in the old one.
  package var pointer: JSONPointer
  /// The old value; nil if it was added.
  package var before: JSONValue?
  /// The new value; nil if it was removed.
  package var after: JSONValue?

  package init(pointer: JSONPointer, before: JSONValue?, after: JSONValue?) {
    self.pointer = pointer
    self.before = before
    self.after = after
  }
}

/// Finds the smallest places in which two document values differ.
struct TreeDifferences {
  private(set) var changes: [ValueChange] = []

  static func between(
    _ before: JSONValue, _ after: JSONValue, _ kind: NodeKind
  ) -> [ValueChange] {
    var differences = TreeDifferences()
    differences.compare(before, after, kind, JSONPointer())
    return differences.changes
  }

  private mutating func compare(
    _ before: JSONValue?, _ after: JSONValue?, _ kind: NodeKind, _ pointer: JSONPointer
  ) {
    if before == after { return }
    switch (before, after) {
    case (.object(let old), .object(let new))
    where kind != .pattern || kind.choice(in: old) == kind.choice(in: new):
      for key in kind.ordered(Set(old.names).union(new.names)) {
        compare(old[key], new[key], kind.member(key), pointer.appending(key))
      }
    case (.array(let old), .array(let new)):
      compare(old, new, kind, pointer)
    default:
      changes.append(ValueChange(pointer: pointer, before: before, after: after))
    }
  }

  private mutating func compare(
    _ old: [JSONValue], _ new: [JSONValue], _ kind: NodeKind, _ pointer: JSONPointer
  ) {
    let alignment = SequenceAlignment(old, new)
    for gap in 0...old.count {
      for place in alignment.insertions[gap] ?? [] {
        changes.append(
          ValueChange(pointer: pointer.appending(place), before: nil, after: new[place]))
      }
      guard gap < old.count else { continue }
      if let place = alignment.places[gap] {
        compare(old[gap], new[place], kind.element, pointer.appending(place))
      } else {
        changes.append(
          ValueChange(pointer: pointer.appending(gap), before: old[gap], after: nil))
      }
    }
  }
}

/// The longest increasing subsequence, in n log n steps.
enum LongestIncreasingSubsequence {
  /// The indices of its elements; moving all others sorts the list.
  static func places(in numbers: [Int]) -> [Int] {
    // For each length, the index of the smallest number that ends a subsequence of that length.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var run: [Int] = []
    var place = ends.last
    while let current = place {
      run.append(current)
      place = before[current]
    }
    return run.reversed()
  }
}
