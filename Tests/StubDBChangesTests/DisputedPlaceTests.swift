import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBChanges

/// Bases with a conflict, as git makes them of two common ancestors.
struct DisputedPlaceTests {
  private let name = ScenarioName(unchecked: "s")
  private let status = JSONPointer(["responses", "0", "status"])

  private func answering(_ status: Int) throws -> Scenario {
    try scenario(stub("k", "[{\"status\": \(status)}]"), stub("l"))
  }

  private func merged(
    _ base: Scenario, _ ours: Scenario?, _ theirs: Scenario?, _ open: OpenConflicts
  ) throws -> (scenario: Scenario?, conflicts: [Conflict]) {
    let left = MemoryScenarios([ours].compactMap(\.self))
    var merge = try CatalogMerge.merge(
      base: MemoryScenarios([base]), ours: left,
      theirs: MemoryScenarios([theirs].compactMap(\.self)), open: open)
    merge.carry(open)
    return (left.applying(merge).byName[base.name], merge.conflicts)
  }

  private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  @Test(arguments: [202, 201], [(202, 201), (201, 202), (202, 404), (404, 201)])
  func twoSettlementsAreAConflictWhicheverTheBaseHas(base: Int, sides: (Int, Int)) throws {
    let open = OpenConflicts(base: [
      Conflict(
        scenario: name, key: "k", pointer: status, base: number(203), ours: number(base),
        theirs: number(403 - base))
    ])
    let (ours, theirs) = (try answering(sides.0), try answering(sides.1))
    let result = try merged(answering(base), ours, theirs, open)
    #expect(
      result.conflicts == [
        Conflict(
          scenario: name, key: "k", pointer: status, ours: number(sides.0),
          theirs: number(sides.1))
      ])
    #expect(result.scenario == ours)
    // Edits of other places are merged, and equal settlements are no conflict.
    var edited = ours
    edited.stubs[1].summary = "Edited"
    for (left, right) in [(ours, edited), (edited, ours)] {
      let same = try merged(answering(base), left, right, open)
      #expect(same.conflicts.isEmpty && same.scenario == edited)
    }
  }

  @Test func aConflictThatOneSideStillHasIsSettledByTheOther() throws {
    let conflict = Conflict(
      scenario: name, key: "k", pointer: status, ours: number(202), theirs: number(201))
    let (base, settled) = (try answering(202), try answering(201))
    let first = try merged(
      base, settled, base, OpenConflicts(base: [conflict], theirs: [conflict]))
    #expect(first.scenario == settled && first.conflicts.isEmpty)
    let second = try merged(
      base, base, settled, OpenConflicts(base: [conflict], ours: [conflict]))
    #expect(second.scenario == settled && second.conflicts.isEmpty)
  }

  @Test func aRemovalAndWhatStaysAreAConflictThoughTheBaseHasIt() throws {
    let kept = try answering(404)
    var without = kept
    without.stubs.removeFirst()
    let stub = Conflict(
      scenario: name, key: "k", theirs: kept.stubs[0].partsValue)
    for (ours, theirs) in [(without, kept), (kept, without)] {
      let result = try merged(kept, ours, theirs, OpenConflicts(base: [stub]))
      #expect(result.conflicts.map(\.description) == ["s k"])
      #expect(result.scenario?.stubs.contains { $0.key == "k" } == true)
    }
    let whole = Conflict(scenario: name, theirs: kept.documentValue)
    for (ours, theirs) in [(nil, kept), (kept, nil)] as [(Scenario?, Scenario?)] {
      let result = try merged(kept, ours, theirs, OpenConflicts(base: [whole]))
      #expect(result.conflicts.map(\.description) == ["s"] && result.scenario == kept)
    }
    let edited = try answering(410)
    let result = try merged(kept, kept, edited, OpenConflicts(base: [whole]))
    #expect(result.conflicts.map(\.description) == ["s"] && result.scenario == kept)
    #expect(result.conflicts[0].theirs == edited.documentValue)
  }

  @Test(arguments: ["/summary", "/includes", "/scenario", "/stubs"])
  func placesOutsideTheStubsAreConflictsToo(place: String) throws {
    let pointer = try #require(JSONPointer(parsing: place))
    let included = Scenario(name: ScenarioName(unchecked: "part"), stubs: [try stub("p")])
    let base = try answering(404)
    var theirs = base
    switch place {
    case "/summary": theirs.summary = "Theirs"
    case "/includes": theirs.includes = [ScenarioReference(included.name)]
    case "/scenario": theirs.name = ScenarioName(unchecked: "t")
    default: theirs.stubs.reverse()
    }
    for isSwapped in [false, true] {
      let sides = [[base, included], [theirs, included]]
      let (left, right) = isSwapped ? (sides[1], sides[0]) : (sides[0], sides[1])
      let open = OpenConflicts(base: [Conflict(scenario: name, pointer: pointer)])
      let merge = try CatalogMerge.merge(
        base: MemoryScenarios([base, included]), ours: MemoryScenarios(left),
        theirs: MemoryScenarios(right), open: open)
      #expect(merge.conflicts.map(\.description) == ["s \(place)"])
      // Without the conflict in the base it is theirs.
      let usual = try CatalogMerge.merge(
        base: MemoryScenarios([base, included]), ours: MemoryScenarios(left),
        theirs: MemoryScenarios(right))
      #expect(usual.conflicts.isEmpty)
    }
  }

  @Test func aConflictThatHasAllVersionsOfAnEarlierOneReplacesIt() throws {
    func open(_ value: Int) -> OpenConflicts {
      OpenConflicts(ours: [
        Conflict(
          scenario: name, key: "k", pointer: status, ours: number(202), theirs: number(value))
      ])
    }
    let (ours, theirs) = (try answering(202), try answering(203))
    func lost(_ open: OpenConflicts) throws -> [Conflict] {
      var merge = try CatalogMerge.merge(
        base: MemoryScenarios([answering(404)]), ours: MemoryScenarios([ours]),
        theirs: MemoryScenarios([theirs]), open: open)
      let lost = merge.carry(open)
      #expect(merge.conflicts.map(\.description) == ["s k /responses/0/status"])
      return lost
    }
    #expect(try lost(open(203)).isEmpty)
    #expect(try lost(open(201)) == open(201).ours)
  }

  @Test func stubsThatGetOneNewKeyKeepTheirOldOnesUntilItIsSettled() throws {
    let base = try scenario(stub("a"), stub("b"))
    var (ours, theirs) = (base, base)
    ours.stubs[1].key = "n"
    theirs.stubs[0].key = "n"
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
      let merge = try CatalogMerge.merge(
        base: MemoryScenarios([base]), ours: MemoryScenarios([ours]),
        theirs: MemoryScenarios([theirs]))
      #expect(merge.conflicts.map(\.description) == ["s a /key", "s b /key"])
      #expect(merge.written == [base])
      let merged = MemoryScenarios([ours]).applying(merge)
      for (side, expected) in [(ConflictSettlement.Side.ours, ours), (.theirs, theirs)] {
        let settled = try ConflictSettlement.settle(
          merge.conflicts, of: merge.conflicts, with: side, in: merged)
        #expect(settled.written == [expected] && settled.conflicts.isEmpty)
      }
    }
  }

  @Test func aStubOfTwoNewKeysDoesNotMeetAnotherOneInEitherVersion() throws {
    let base = try scenario(stub("a"), stub("b"))
    var (ours, theirs) = (base, base)
    (ours.stubs[0].key, ours.stubs[1].key) = ("m", "n")
    theirs.stubs[0].key = "n"
    let merge = try CatalogMerge.merge(
      base: MemoryScenarios([base]), ours: MemoryScenarios([ours]),
      theirs: MemoryScenarios([theirs]))
    #expect(merge.conflicts.map(\.description) == ["s a /key", "s b /key"])
    let merged = MemoryScenarios([ours]).applying(merge)
    for (side, expected) in [(ConflictSettlement.Side.ours, ours), (.theirs, theirs)] {
      let settled = try ConflictSettlement.settle(
        merge.conflicts, of: merge.conflicts, with: side, in: merged)
      #expect(settled.written == [expected] && settled.conflicts.isEmpty)
    }
  }
}
