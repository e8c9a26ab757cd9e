import StubDBJSON
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

  /// If it cannot be settled, the result would not be a valid catalog.
  private func settled(
    _ chosen: [Conflict], of all: [Conflict], _ side: ConflictSettlement.Side,
    in catalog: MemoryScenarios
  ) throws -> (MemoryScenarios, [Conflict]) {
    let changes = try ConflictSettlement.settle(chosen, of: all, with: side, in: catalog)
    return (catalog.applying(changes), changes.conflicts)
  }

  private func isWhole(_ catalog: MemoryScenarios) -> Bool {
    let includes = catalog.byName.mapValues(\.includes.ownNames)
    return includes.values.joined().allSatisfy { includes[$0] != nil }
      && IncludeCircles.scenarios(in: includes).isEmpty
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
      // The same scenarios and places in both directions, with the sides exchanged.
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

  /// The places that must remain, by the new names and keys.
  private func places(
    of conflicts: [Conflict], without settled: Conflict, _ side: ConflictSettlement.Side
  ) -> [Conflict] {
    let value = side == .ours ? settled.ours : settled.theirs
    return conflicts.compactMap { conflict in
      var place = Conflict(
        scenario: conflict.scenario, key: conflict.key, pointer: conflict.pointer)
      if conflict == settled { return nil }
      guard conflict.scenario == settled.scenario else { return place }
      switch (settled.key, settled.pointer.description) {
      case (nil, ""): if value == nil { return nil }
      case (nil, "/scenario"):
        if case .string(let name)? = value { place.scenario = ScenarioName(unchecked: name) }
      case (conflict.key, "/key"): if case .string(let key)? = value { place.key = key }
      case (conflict.key, ""):
        if case .object(let stub)? = value, case .string(let key)? = stub["key"] { place.key = key }
      default: break
      }
      return place
    }.sorted()
  }

  @Test(arguments: 0..<5) func conflictsAreSettledOneByOneOrRefused(block: Int) throws {
    for seed in block * 8..<block * 8 + 8 {
      var (catalog, conflicts) = try Versions(seed: seed).merged()
      var refused: [Conflict] = []
      while let conflict = conflicts.first(where: { !refused.contains($0) }) {
        let side: ConflictSettlement.Side = seed % 2 == 0 ? .ours : .theirs
        do {
          let expected = places(of: conflicts, without: conflict, side)
          (catalog, conflicts) = try settled([conflict], of: conflicts, side, in: catalog)
          let left = conflicts.map {
            Conflict(scenario: $0.scenario, key: $0.key, pointer: $0.pointer)
          }
          #expect(left == expected && isWhole(catalog), "seed \(seed) \(conflict)")
          refused = []
        } catch is SettlementError {
          refused.append(conflict)
        }
      }
      // A version that was refused alone is accepted together with the version that it needs.
      let (result, left) = try settled(
        conflicts, of: conflicts, seed % 2 == 0 ? .ours : .theirs, in: catalog)
      #expect(left.isEmpty && isWhole(result), "seed \(seed)")
    }
  }

  @Test func whatIsNotSettledFollowsNewNamesAndKeys() throws {
    let stubs = try [stub("k"), stub("l")]
    let catalog = MemoryScenarios([try scenario(stubs)])
    let name = ScenarioName(unchecked: "s")
    let renamed = Conflict(
      scenario: name, pointer: JSONPointer(["scenario"]), base: "r", ours: "s", theirs: "t")
    let key = Conflict(
      scenario: name, key: "k", pointer: JSONPointer(["key"]), base: "j", ours: "k", theirs: "m")
    let status = Conflict(
      scenario: name, key: "k", pointer: JSONPointer(["responses", "0", "status"]), ours: nil,
      theirs: .number(JSONNumber(404)))
    let order = Conflict(
      scenario: name, pointer: JSONPointer(["stubs"]), ours: ["k", "l"], theirs: ["l", "k"])
    let all = [renamed, key, status, order].sorted()

    let (second, left) = try settled([renamed], of: all, .theirs, in: catalog)
    let other = ScenarioName(unchecked: "t")
    func moved(_ conflict: Conflict, key: String? = nil) -> Conflict {
      Conflict(
        scenario: other, key: key ?? conflict.key, pointer: conflict.pointer, base: conflict.base,
        ours: conflict.ours, theirs: conflict.theirs)
    }
    #expect(left == [moved(order), moved(key), moved(status)].sorted())

    let (third, rest) = try settled([moved(key)], of: left, .theirs, in: second)
    var orderOfKeys = moved(order)
    (orderOfKeys.ours, orderOfKeys.theirs) = (["m", "l"], ["l", "m"])
    #expect(rest == [orderOfKeys, moved(status, key: "m")].sorted())

    let (last, none) = try settled(rest, of: rest, .theirs, in: third)
    #expect(none.isEmpty)
    let result = try #require(last.byName[other])
    #expect(result.stubs.map(\.key) == ["l", "m"] && result.stubs[1].responses[0].status == 404)
  }
}
