package import StubDBModel

/// A scenario that came, went, got another name or says something else.
package struct ScenarioDifference: Hashable, Sendable {
  /// The name it had; nil where there was no such scenario.
  package var before: ScenarioName?
  /// The name it has; nil where there is no such scenario.
  package var after: ScenarioName?
  /// What is different outside the stubs; without the name.
  package var changes: [ValueChange] = []
  /// The stubs that differ, in the order in which they are now; those that went come last.
  package var stubs: [StubDifference] = []
  /// The number of stubs of a scenario that came or went.
  package var stubCount = 0

  /// The name a person knows it by: the new one, where there is one.
  package var name: ScenarioName { after ?? before ?? ScenarioName(unchecked: "") }

  /// Whether nothing is different, the name aside.
  package var isEmpty: Bool {
    before != nil && after != nil && changes.isEmpty && stubs.isEmpty
  }
}

extension ScenarioDifference {
  /// Compares two scenarios; a stub that got another key is recognised by what it says.
  package init(from old: Scenario, to new: Scenario) {
    self.init(before: old.name, after: new.name)
    changes = Self.changes(from: old, to: new)
    let renames = StubRenames.keys(from: old.stubs, to: new.stubs)
    let oldStubs = Dictionary(old.stubs.map { ($0.key, $0) }) { first, _ in first }
    let moved = Self.moved(old, new, renames)
    for stub in new.stubs {
      let before = oldStubs[renames[stub.key] ?? stub.key]
      let hasMoved = moved.contains(stub.key)
      if before == stub, !hasMoved { continue }
      let changes = before.map {
        $0 == stub ? [] : Self.changes(from: $0, to: stub)
      }
      stubs.append(
        StubDifference(before: before, after: stub, changes: changes ?? [], hasMoved: hasMoved))
    }
    let kept = Set(new.stubs.map { renames[$0.key] ?? $0.key })
    for stub in old.stubs where !kept.contains(stub.key) {
      stubs.append(StubDifference(before: stub, after: nil, changes: [], hasMoved: false))
    }
  }

  private static func changes(from old: Stub, to new: Stub) -> [ValueChange] {
    var stubs = [old, new]
    _ = EqualParts(takenFrom: &stubs)
    return TreeDifferences.between(stubs[0].completeValue, stubs[1].completeValue, .stub)
  }

  private static func changes(from old: Scenario, to new: Scenario) -> [ValueChange] {
    var old = old
    old.name = new.name
    return TreeDifferences.between(old.headerValue, new.headerValue, .header)
  }

  /// The new keys of the stubs that changed their place among those that are in both.
  private static func moved(
    _ old: Scenario, _ new: Scenario, _ renames: [String: String]
  ) -> Set<String> {
    let oldKeys = Set(old.stubs.map(\.key))
    let common = new.stubs.map { ($0.key, renames[$0.key] ?? $0.key) }
      .filter { oldKeys.contains($0.1) }
    let places = Dictionary(old.stubs.enumerated().map { ($0.element.key, $0.offset) }) { a, _ in a
    }
    let order = common.map { places[$0.1] ?? 0 }
    let still = Set(LongestRun.increasing(order))
    return Set(common.indices.filter { !still.contains($0) }.map { common[$0].0 })
  }
}
