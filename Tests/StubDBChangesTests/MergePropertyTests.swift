import Foundation
import StubDBDocuments
import StubDBModel
import StubDBSupport
import StubDBTestSupport
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

  /// Versions that differ only in how letters are composed, or in the case of header names, are different texts: no
  /// side's text is lost, the result does not depend on the side, and every difference is shown.
  @Test(arguments: 0..<4) func onlyTheTextDiffers(block: Int) throws {
    var conflictCount = 0
    for seed in block * 100..<block * 100 + 100 {
      var texts = RandomTexts(seed: UInt64(seed), likelihood: seed % 7 + 1)
      let versions = try (0..<3).map { _ in try texts.scenario() }
      let sides = versions.map { MemoryScenarios([$0]) }
      let isSame = ScenarioDocument.encode(versions[0]).utf8
        .elementsEqual(ScenarioDocument.encode(versions[1]).utf8)
      let difference = ScenarioDifference(from: versions[0], to: versions[1])
      #expect(difference.isEmpty == isSame, "seed \(seed)")
      // A key that is composed otherwise is another key, so a stub may be gone and another one come.
      #expect(
        difference.stubs.allSatisfy {
          !$0.changes.isEmpty || $0.before == nil || $0.after == nil || $0.hasMoved
        }, "seed \(seed)")

      for base in [sides[0], MemoryScenarios([])] {
        let merge = try CatalogMerge.merge(base: base, ours: sides[1], theirs: sides[2])
        let other = try CatalogMerge.merge(base: base, ours: sides[2], theirs: sides[1])
        #expect(
          merge.conflicts.map(\.description) == other.conflicts.map(\.description), "seed \(seed)")
        for (one, two) in zip(merge.conflicts, other.conflicts) {
          #expect(
            one.ours == two.theirs && one.theirs == two.ours
              && one.base == two.base && one.ours != one.theirs,
            "seed \(seed)")
        }
        let (merged, mirrored) = (sides[1].applying(merge), sides[2].applying(other))
        if merge.conflicts.isEmpty { #expect(merged == mirrored, "seed \(seed)") }
        conflictCount += merge.conflicts.count
      }
      for (first, second) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        let merge = try CatalogMerge.merge(base: sides[0], ours: first, theirs: second)
        #expect(first.applying(merge) == sides[1] && merge.conflicts.isEmpty, "seed \(seed)")
      }
    }
    #expect(conflictCount > 100)
  }
}

/// Makes versions of one scenario that are all equal, and differ in their text.
private struct RandomTexts {
  private var generator: SeededRandom
  /// One of so many letters is composed otherwise.
  private let likelihood: Int

  init(seed: UInt64, likelihood: Int) {
    (generator, self.likelihood) = (SeededRandom(seed: seed), likelihood)
  }

  private static let document = #"""
    {"scenario": "s", "summary": "é", "tags": ["é", "ü"], "stubs": [
      {"key": "é", "summary": "é", "request": {"url": "/a", "query": {"é": "é", "b": ["é", "é"]},
        "headers": {"X-A": "é", "X-B": "b"}, "cookies": {"é": {"contains": "é"}},
        "body": [{"equalToJson": {"é": ["é", {"é": 1}], "a": "é"}}, {"contains": "é"}]},
       "capture": {"é": {"query": "é"}},
       "responses": [{"headers": {"X-A": "é", "X-B": ["é", "b"]}, "json": {"é": "é"}},
         {"error": {"domain": "é", "code": 1, "userInfo": {"é": "é"}}}],
       "flow": {"name": "é", "requires": "é"}, "recorded": {"at": "2026-11-21", "from": "é"}},
      {"key": "ü", "request": {"url": "/b", "headers": {"X-A": "a"}},
       "responses": [{"headers": {"X-A": "a", "X-B": "b"}, "text": "é"}]},
      {"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://a.test/", "text": "é"}}]}]}]}
    """#

  mutating func scenario() throws -> Scenario {
    var text = Self.document
    for (written, other) in [
      ("é", "e\u{301}"), ("ü", "u\u{308}"), ("X-A", "x-a"), ("X-B", "X-b"),
    ] {
      let parts = text.components(separatedBy: written)
      text = parts.dropFirst().reduce(parts[0]) { text, part in
        let isOther = Int.random(in: 0..<likelihood + 1, using: &generator) == 0
        return text + (isOther ? other : written) + part
      }
    }
    return try ScenarioDocument.decode(Data(text.utf8))
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
