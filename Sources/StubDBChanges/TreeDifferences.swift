package import StubDBModel

/// One value that is another one, came, or went.
package struct ValueChange: Hashable, Sendable {
  /// The place: in the stub's or the scenario's document as it is afterwards, or for what went as it
  /// was before.
  package var pointer: JSONPointer
  /// What it was; nil where there was nothing.
  package var before: JSONValue?
  /// What it is; nil where there is nothing.
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
      for key in kind.ordered(Set(old.keys).union(new.keys)) {
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

/// The longest run of numbers that grow from left to right, in n log n steps.
enum LongestIncreasingSubsequence {
  /// The places of the numbers of the run; the others have to move for all to be in order.
  static func places(in numbers: [Int]) -> [Int] {
    // For each length the place of the smallest number that ends a run of it.
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
