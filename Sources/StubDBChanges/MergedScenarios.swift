package import StubDBModel

/// The result of a merge, or of settling its conflicts, as changes to the existing catalog.
package struct MergedScenarios: Sendable {
  /// The names to remove.
  package var removed: [ScenarioName]
  /// The scenarios to add or replace, by name.
  package var written: [Scenario]
  /// All conflicts of the resulting catalog, in order.
  ///
  /// After a merge, a conflicting place has our version, or the remaining one if one side removed it. A name that both
  /// sides changed is the base name.
  package var conflicts: [Conflict]
  /// What the scenarios of the three versions are called in the result, by the names they have in
  /// their version, where they differ.
  private let newNames: (base: NewNames, ours: NewNames, theirs: NewNames)

  typealias NewNames = [ScenarioName: ScenarioName]

  init(
    removed: [ScenarioName], written: [Scenario], conflicts: [Conflict],
    newNames: (NewNames, NewNames, NewNames) = ([:], [:], [:])
  ) {
    (self.removed, self.written, self.conflicts) = (removed, written, conflicts)
    self.newNames = newNames
  }
}

extension MergedScenarios {
  /// Adds the conflicts of earlier merges that a side still has.
  ///
  /// They follow the new names that scenarios get. If both are at the same place, the conflict of this merge replaces
  /// the earlier one.
  ///
  /// - Returns: The replaced conflicts that have a version which the new conflict at their place does not have, so that
  ///   it could no longer be chosen.
  @discardableResult
  package mutating func carry(_ open: OpenConflicts) -> [Conflict] {
    let removed = Set(removed)
    let places = Dictionary(conflicts.map { ($0.description, $0) }) { first, _ in first }
    let earlier = SetMerge.merge(
      base: open.base.map { $0.following(newNames.base) },
      ours: open.ours.map { $0.following(newNames.ours) },
      theirs: open.theirs.map { $0.following(newNames.theirs) }
    )
    .filter { !removed.contains($0.scenario) }
    conflicts += earlier.filter { places[$0.description] == nil }
    conflicts.sort()
    return earlier.filter { conflict in
      guard let new = places[conflict.description] else { return false }
      return ![conflict.ours, conflict.theirs].allSatisfy { version in
        version == new.ours || version == new.theirs
      }
    }.sorted()
  }
}
