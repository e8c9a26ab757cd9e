import StubDBModel
import Testing

@testable import StubDBChanges

/// Random branches that rename, remove, include and edit the same scenarios.
struct SettlementPropertyTests {
  private struct Versions {
    let base: MemoryScenarios
    let ours: MemoryScenarios
    let theirs: MemoryScenarios

    init(seed: Int) {
      var history = RandomHistory(seed: UInt64(seed) + 3_000_000)
      let scenarios = history.includingCatalog()
      base = MemoryScenarios(scenarios)
      ours = MemoryScenarios(history.rearranged(scenarios))
      theirs = MemoryScenarios(history.rearranged(scenarios))
    }

    func merged(isSwapped: Bool = false) throws -> (MemoryScenarios, [Conflict]) {
      let (left, right) = isSwapped ? (theirs, ours) : (ours, theirs)
      let merge = try CatalogMerge.merge(base: base, ours: left, theirs: right)
      return (left.applying(merge), merge.conflicts)
    }
  }

  /// Where it cannot be settled, the catalog would not be one.
  private func settled(
    _ chosen: [Conflict], of all: [Conflict], _ side: ConflictSettlement.Side,
    in catalog: MemoryScenarios
  ) throws -> (MemoryScenarios, [Conflict]) {
    let changes = try ConflictSettlement.settle(chosen, of: all, with: side, in: catalog)
    return (catalog.applying(changes), changes.conflicts)
  }

  private func isWhole(_ catalog: MemoryScenarios) -> Bool {
    let includes = catalog.byName.mapValues(\.includes)
    return includes.values.joined().allSatisfy { includes[$0] != nil }
      && IncludeGraph.circles(in: includes).isEmpty
      && catalog.byName.allSatisfy { $0.key == $0.value.name }
  }

  @Test(arguments: 0..<10) func allConflictsCanBeSettledForEitherSide(block: Int) throws {
    var count = 0
    for seed in block * 25..<block * 25 + 25 {
      let versions = Versions(seed: seed)
      let (merged, conflicts) = try versions.merged()
      #expect(isWhole(merged), "seed \(seed)")
      let (other, otherConflicts) = try versions.merged(isSwapped: true)
      #expect(isWhole(other), "seed \(seed)")
      // The same scenarios and places in both directions, with the sides changed over.
      let swapped = otherConflicts.map { conflict in
        Conflict(
          scenario: conflict.scenario, key: conflict.key, pointer: conflict.pointer,
          base: conflict.base, ours: conflict.theirs, theirs: conflict.ours)
      }
      #expect(conflicts == swapped, "seed \(seed)")
      count += conflicts.count
      for (side, otherSide) in [
        (ConflictSettlement.Side.ours, ConflictSettlement.Side.theirs), (.theirs, .ours),
      ] {
        let (result, left) = try settled(conflicts, of: conflicts, side, in: merged)
        #expect(left.isEmpty && isWhole(result), "seed \(seed) \(side)")
        let (same, _) = try settled(otherConflicts, of: otherConflicts, otherSide, in: other)
        #expect(result.inAnyOrder == same.inAnyOrder, "seed \(seed) \(side)")
      }
    }
    #expect(count > 10)
  }

  @Test(arguments: 0..<5) func conflictsAreSettledOneByOneOrRefused(block: Int) throws {
    for seed in block * 25..<block * 25 + 25 {
      var (catalog, conflicts) = try Versions(seed: seed).merged()
      var refused: [Conflict] = []
      while let conflict = conflicts.first(where: { !refused.contains($0) }) {
        let side: ConflictSettlement.Side = seed % 2 == 0 ? .ours : .theirs
        do {
          let count = conflicts.count
          (catalog, conflicts) = try settled([conflict], of: conflicts, side, in: catalog)
          #expect(conflicts.count < count && isWhole(catalog), "seed \(seed) \(conflict)")
          refused = []
        } catch is SettlementError {
          refused.append(conflict)
        }
      }
      // What was refused alone goes together with what it was refused for.
      let (result, left) = try settled(
        conflicts, of: conflicts, seed % 2 == 0 ? .ours : .theirs, in: catalog)
      #expect(left.isEmpty && isWhole(result), "seed \(seed)")
    }
  }
}
