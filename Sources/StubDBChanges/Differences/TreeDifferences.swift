internal import StubDBModel

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
