internal import Foundation
internal import StubDBDocuments
package import StubDBModel

/// The differences between two catalogs, by scenario.
package enum CatalogDifferences {
  /// The differences that a version has to all of several earlier ones: a merge commit's own changes.
  package static func between(
    _ old: [any ScenarioSource], _ new: any ScenarioSource
  ) throws -> [ScenarioDifference] {
    guard let first = old.first else { return try between(NoScenarios(), new) }
    return try old.dropFirst().reduce(between(first, new)) { own, parent in
      let others = try between(parent, new)
      return own.compactMap { difference in
        others.first { $0.name == difference.name }.flatMap { difference.shared(with: $0) }
      }
    }
  }

  /// The scenarios that differ, by name; empty if the catalogs have the same content.
  ///
  /// Scenarios with the same digest are not read. `progress` is called with the number of scenarios that have been
  /// compared and their total.
  package static func between(
    _ old: some ScenarioSource, _ new: some ScenarioSource,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> [ScenarioDifference] {
    let (oldEntries, newEntries) = (try old.entries, try new.entries)
    let renames = try ScenarioRenames.names(from: old, to: new)
    let oldByName = Dictionary(oldEntries.map { ($0.name, $0) }) { first, _ in first }
    var differences: [ScenarioDifference] = []
    for (index, entry) in newEntries.enumerated() {
      defer { progress(index + 1, newEntries.count) }
      guard let before = oldByName[renames[entry.name] ?? entry.name] else {
        differences.append(
          ScenarioDifference(before: nil, after: entry.name, stubCount: entry.stubCount))
        continue
      }
      if before.digest == entry.digest { continue }
      let difference = ScenarioDifference(
        from: try old.scenario(named: before.name), to: try new.scenario(named: entry.name))
      if !difference.isEmpty || before.name != entry.name { differences.append(difference) }
    }
    let kept = Set(newEntries.map { renames[$0.name] ?? $0.name })
    differences += oldEntries.filter { !kept.contains($0.name) }
      .map { ScenarioDifference(before: $0.name, after: nil, stubCount: $0.stubCount) }
    return differences.sorted { $0.name < $1.name }
  }
}

/// A scenario that was added, removed, renamed or changed.
package struct ScenarioDifference: Hashable, Sendable {
  /// The old name; nil if the scenario was added.
  package var before: ScenarioName?
  /// The new name; nil if the scenario was removed.
  package var after: ScenarioName?
  /// The differences outside the stubs, except for the name.
  package var changes: [ValueChange] = []
  /// The stubs that differ, in their new order; removed ones come last.
  package var stubs: [StubDifference] = []
  /// The number of stubs of a scenario that was added or removed.
  package var stubCount = 0

  /// The name to show: the new one, or the old one of a removed scenario.
  package var name: ScenarioName { after ?? before ?? ScenarioName(unchecked: "") }

  /// Whether nothing but the name may differ.
  package var isEmpty: Bool {
    before != nil && after != nil && changes.isEmpty && stubs.isEmpty
  }

  /// Whether its name changed.
  package var isRenamed: Bool { before != nil && after != nil && before != after }

  /// How many stubs a scenario loses that stays.
  package var lostStubCount: Int {
    before == nil || after == nil ? 0 : stubs.count { $0.after == nil }
  }
}

extension ScenarioDifference {
  /// Compares two scenarios; recognises a stub with a new key by its content.
  package init(from old: Scenario, to new: Scenario) {
    self.init(before: old.name, after: new.name)
    changes = Self.changes(from: old, to: new)
    let renames = StubRenames.keys(from: old.stubs, to: new.stubs)
    let oldStubs = Dictionary(old.stubs.map { ($0.key, $0) }) { first, _ in first }
    let moved = Self.moved(old, new, renames)
    for stub in new.stubs {
      let before = oldStubs[renames[stub.key] ?? stub.key]
      let hasMoved = moved.contains(stub.key)
      let changes = before.map {
        $0 == stub ? [] : Self.changes(from: $0, to: stub)
      }
      if changes?.isEmpty == true, !hasMoved { continue }
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
    _ = CommonParts(takenFrom: &stubs)
    return TreeDifferences.between(stubs[0].completeValue, stubs[1].completeValue, .stub)
  }

  private static func changes(from old: Scenario, to new: Scenario) -> [ValueChange] {
    var old = old
    old.name = new.name
    return TreeDifferences.between(old.headerValue, new.headerValue, .header)
  }

  /// The new keys of the stubs that moved among those that both versions have.
  private static func moved(
    _ old: Scenario, _ new: Scenario, _ renames: [Stub.Key: Stub.Key]
  ) -> Set<Stub.Key> {
    let oldKeys = Set(old.stubs.map(\.key))
    let common = new.stubs.map { ($0.key, renames[$0.key] ?? $0.key) }
      .filter { oldKeys.contains($0.1) }
    let places = Dictionary(old.stubs.enumerated().map { ($0.element.key, $0.offset) }) { a, _ in a
    }
    let order = common.map { places[$0.1] ?? 0 }
    let still = Set(LongestIncreasingSubsequence.places(in: order))
    return Set(common.indices.filter { !still.contains($0) }.map { common[$0].0 })
  }
}

/// A stub that was added, removed, moved or changed.
package struct StubDifference: Hashable, Sendable {
  /// The old stub; nil if it was added.
  package var before: Stub?
  /// The new stub; nil if it was removed.
  package var after: Stub?
  /// The differences between the two; empty if one is nil or only the place changed.
  package var changes: [ValueChange]
  /// Whether the stub moved among the others.
  package var hasMoved: Bool

  /// The key to show: the new one, or the old one of a removed stub.
  package var key: String { shownKey?.rawValue ?? "" }

  fileprivate var shownKey: Stub.Key? { (after ?? before)?.key }
}

extension ScenarioDifference {
  /// The differences that occur in both, which lead to the same version; nil if there are none.
  fileprivate func shared(with other: ScenarioDifference) -> ScenarioDifference? {
    if (before == nil) != (other.before == nil) || (after == nil) != (other.after == nil) {
      return nil
    }
    var shared = self
    let places = Set(other.changes.map(\.pointer))
    shared.changes.removeAll { !places.contains($0.pointer) }
    shared.stubs = stubs.compactMap { stub in
      other.stubs.first { $0.shownKey == stub.shownKey }.flatMap { stub.shared(with: $0) }
    }
    let isRenamed = before != after && other.before != other.after
    return shared.isEmpty && !isRenamed ? nil : shared
  }
}

extension StubDifference {
  fileprivate func shared(with other: StubDifference) -> StubDifference? {
    if (before == nil) != (other.before == nil) || (after == nil) != (other.after == nil) {
      return nil
    }
    var shared = self
    let places = Set(other.changes.map(\.pointer))
    shared.changes.removeAll { !places.contains($0.pointer) }
    shared.hasMoved = hasMoved && other.hasMoved
    let isWhole = before == nil || after == nil
    return isWhole || shared.hasMoved || !shared.changes.isEmpty ? shared : nil
  }
}
