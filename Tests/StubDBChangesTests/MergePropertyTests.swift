import Foundation
import StubDBModel
import Testing

@testable import StubDBChanges

/// Random histories: a catalog, and two branches that edit it.
struct MergePropertyTests {
  /// The edits of each history are at different places, so the merge must have all of them.
  @Test(arguments: 0..<10) func editsOfDifferentPlacesAllArriveWithoutAConflict(block: Int) throws {
    for seed in block * 40..<block * 40 + 40 {
      var history = RandomHistory(seed: UInt64(seed))
      let base = history.catalog()
      let edits = history.edits(of: base)
      let (left, right) = (edits.filter(\.isOurs), edits.filter { !$0.isOurs })
      let ours = MemoryScenarios(applying: left, to: base)
      let theirs = MemoryScenarios(applying: right, to: base)
      let expected = MemoryScenarios(applying: edits, to: base)
      let before = MemoryScenarios(base)

      let merge = try CatalogMerge.merge(base: before, ours: ours, theirs: theirs)
      let merged = ours.applying(merge)
      #expect(merge.conflicts.isEmpty, "seed \(seed): \(merge.conflicts.map(\.description))")
      #expect(
        merged.inAnyOrder == expected.inAnyOrder, "seed \(seed): \(left) and \(right)")

      // The result does not depend on the side, and merging again changes nothing.
      let other = try CatalogMerge.merge(base: before, ours: theirs, theirs: ours)
      #expect(theirs.applying(other) == merged, "seed \(seed): other direction")
      // A scenario that one side renamed and the other rewrote is no longer recognised.
      let isRecognisable = !edits.contains { $0.description.hasPrefix("rename") }
      for side in isRecognisable ? [ours, theirs, merged] : [merged] {
        let again = try CatalogMerge.merge(base: before, ours: merged, theirs: side)
        #expect(merged.applying(again) == merged, "seed \(seed): merged again")
        #expect(again.conflicts.isEmpty, "seed \(seed): merged again")
      }
    }
  }

  /// If both branches edit the same places, nothing may be lost silently: each edit is in the merged catalog, or its
  /// place is in a conflict with both versions.
  @Test(arguments: 0..<10) func editsOfTheSamePlaceAreBothKept(block: Int) throws {
    for seed in block * 20..<block * 20 + 20 {
      var history = RandomHistory(seed: UInt64(seed) + 1_000_000)
      let base = history.catalog()
      guard let (left, right) = history.rivalEdits(of: base) else { continue }
      let before = MemoryScenarios(base)
      let ours = MemoryScenarios(applying: [left], to: base)
      let theirs = MemoryScenarios(applying: [right], to: base)
      for (first, second) in [(ours, theirs), (theirs, ours)] {
        let merge = try CatalogMerge.merge(base: before, ours: first, theirs: second)
        #expect(merge.conflicts.count == 1, "seed \(seed): \(left) against \(right)")
        for scenario in first.applying(merge).byName.values {
          #expect(
            (try? ScenarioDocument.decode(Data(ScenarioDocument.encode(scenario).utf8)))
              == scenario,
            "seed \(seed)")
        }
      }
    }
  }

  /// Every merge makes a valid catalog, has the same conflicts in both directions, and equals one side if the other did
  /// not change.
  @Test(arguments: 0..<10) func anyTwoHistoriesMerge(block: Int) throws {
    for seed in block * 15..<block * 15 + 15 {
      var history = RandomHistory(seed: UInt64(seed) + 2_000_000)
      let base = history.catalog()
      let before = MemoryScenarios(base)
      let ours = MemoryScenarios(applying: history.edits(of: base), to: base)
      let theirs = MemoryScenarios(applying: history.edits(of: base), to: base)
      let merge = try CatalogMerge.merge(base: before, ours: ours, theirs: theirs)
      let other = try CatalogMerge.merge(base: before, ours: theirs, theirs: ours)
      #expect(
        merge.conflicts.isEmpty == other.conflicts.isEmpty,
        "seed \(seed): \(merge.conflicts.map(\.description)) \(other.conflicts.map(\.description))")
      if merge.conflicts.isEmpty {
        #expect(ours.applying(merge) == theirs.applying(other), "seed \(seed)")
      }
      for scenario in ours.applying(merge).byName.values {
        #expect(
          (try? ScenarioDocument.decode(Data(ScenarioDocument.encode(scenario).utf8))) == scenario,
          "seed \(seed)")
      }
      let same = try CatalogMerge.merge(base: before, ours: ours, theirs: ours)
      #expect(ours.applying(same) == ours && same.conflicts.isEmpty, "seed \(seed)")
      let unchanged = try CatalogMerge.merge(base: before, ours: before, theirs: theirs)
      #expect(before.applying(unchanged) == theirs && unchanged.conflicts.isEmpty, "seed \(seed)")
    }
  }
}

extension MemoryScenarios {
  init(applying edits: [RandomEdit], to scenarios: [Scenario]) {
    var scenarios = scenarios
    for edit in edits { edit.apply(&scenarios) }
    self.init(scenarios)
  }

  func applying(_ merge: MergedScenarios) -> MemoryScenarios {
    var result = byName
    for name in merge.removed { result[name] = nil }
    for scenario in merge.written { result[scenario.name] = scenario }
    return MemoryScenarios(result.values)
  }

  /// The stubs of each scenario by key, since two lists of additions can be joined in two ways.
  var inAnyOrder: MemoryScenarios {
    MemoryScenarios(
      byName.values.map { scenario in
        var scenario = scenario
        scenario.stubs.sort { $0.key < $1.key }
        return scenario
      })
  }
}
