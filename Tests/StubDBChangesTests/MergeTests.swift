import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBChanges

struct MergeTests {
  private func merged(
    _ base: Scenario?, _ ours: Scenario, _ theirs: Scenario
  ) -> (scenario: Scenario, conflicts: [String]) {
    let (scenario, conflicts) = ScenarioMerge.merge(
      base: base, ours: ours, theirs: theirs, name: ours.name)
    return (scenario, conflicts.map(\.description))
  }

  @Test func editsInsideOneBodyMergeByPointer() throws {
    let base = try scenario(stub("k", #"[{"json": {"a": 1, "b": [1, 2, 3], "c": {"d": 4}}}]"#))
    let ours = try scenario(
      stub("k", #"[{"status": 404, "json": {"a": 1, "b": [1, 9, 3], "c": {"d": 4}}}]"#))
    let theirs = try scenario(
      stub("k", #"[{"json": {"a": 1, "b": [1, 2, 3, 4], "c": {"d": 5, "e": 6}}, "delay": "2s"}]"#))
    let expected = try scenario(
      stub(
        "k",
        #"""
        [{"status": 404, "json": {"a": 1, "b": [1, 9, 3, 4], "c": {"d": 5, "e": 6}}, "delay": "2s"}]
        """#))
    let result = merged(base, ours, theirs)
    #expect(result.scenario == expected && result.conflicts.isEmpty)
    #expect(merged(base, theirs, ours).scenario == expected)
  }

  @Test func theHostOfAURLAndItsPathAreTwoPlaces() throws {
    func stub(_ url: String) throws -> Stub {
      try Stub(documentValue: ["key": "k", "request": ["url": .string(url)]])
    }
    let result = try merged(
      scenario(stub("https://a.test/v1")), scenario(stub("https://b.test/v1")),
      scenario(stub("https://a.test/v2")))
    #expect(try result.scenario == scenario(stub("https://b.test/v2")))
    #expect(result.conflicts.isEmpty)
  }

  @Test func aChangeInTheCaseOfAFieldNameSurvivesTheOtherSidesChange() throws {
    func stub(_ name: String, status: Int, summary: String) throws -> Stub {
      try Stub(documentValue: [
        "key": "k", "summary": .string(summary),
        "responses": [["status": .number(JSONNumber(status)), "headers": [name: "1"]]],
      ])
    }
    let base = try scenario(stub("x-trace", status: 200, summary: "before"))
    let ours = try scenario(stub("X-Trace", status: 200, summary: "after"))
    let theirs = try scenario(stub("x-trace", status: 404, summary: "before"))
    let expected = try ScenarioDocument.encode(
      scenario(stub("X-Trace", status: 404, summary: "after")))
    #expect(ScenarioDocument.encode(merged(base, ours, theirs).scenario) == expected)
    #expect(ScenarioDocument.encode(merged(base, theirs, ours).scenario) == expected)
  }

  @Test func onePlaceChangedInTwoWaysIsAConflict() throws {
    let base = try scenario(stub("a"), stub("b", #"[{"json": {"x": 1, "y": 1}}]"#))
    let ours = try scenario(stub("b", #"[{"json": {"x": 2, "y": 1}}]"#))
    let theirs = try scenario(
      stub("a", #"[{"status": 500}]"#), stub("b", #"[{"json": {"x": 3, "y": 5}}]"#))
    let result = merged(base, ours, theirs)
    #expect(result.conflicts == ["s a", "s b /responses/0/json/x"])
    // A stub that one side edited and the other removed stays; the rest is merged.
    #expect(
      try result.scenario
        == scenario(stub("a", #"[{"status": 500}]"#), stub("b", #"[{"json": {"x": 2, "y": 5}}]"#)))
    #expect(merged(base, theirs, ours).conflicts == result.conflicts)
  }

  @Test(arguments: [
    (#"{"at": "2026-11-21"}"#, #"{"at": "2026-11-22", "from": "https://b.test"}"#),
    (#"{"at": "2026-11-21"}"#, #"{"at": "2026-11-21T00:00:01Z"}"#),
    (#"{"at": "2026-11-21T09:00:00+02:00"}"#, #"{"at": "2026-11-21T07:30:00.5Z"}"#),
    (
      #"{"at": "2026-11-21", "from": "https://a.test"}"#,
      #"{"at": "2026-11-21", "from": "https://b.test"}"#
    ),
    ("", #"{"at": "2026-11-19"}"#),
  ])
  func theLaterOfTwoRecordingsStaysWithoutAConflict(earlier: String, later: String) throws {
    func recorded(_ text: String, summary: String? = nil) throws -> Scenario {
      var stub = try stub("k")
      stub.recorded =
        text.isEmpty ? nil : try Stub.Recording(documentValue: JSONValue(parsing: text))
      stub.summary = summary
      return try scenario(stub)
    }
    let base = try recorded(#"{"at": "2026-11-20"}"#)
    let (ours, theirs) = (try recorded(earlier, summary: "ours"), try recorded(later))
    for result in [merged(base, ours, theirs), merged(base, theirs, ours)] {
      #expect(result.scenario == (try recorded(later, summary: "ours")))
      #expect(result.conflicts.isEmpty)
    }
  }

  @Test func framesOfAWebSocketMergeOneByOne() throws {
    func script(_ frames: String) throws -> Scenario {
      try scenario(stub("k", "[{\"webSocket\": {\"frames\": [\(frames)]}}]"))
    }
    let (hello, paid) = (#"{"send": {"json": {"a": 1, "b": 1}}}"#, #"{"send": {"text": "paid"}}"#)
    let expected = #"{"expect": {"equalToJson": {"id": 1}}}"#
    let base = try script("\(hello), \(expected), \(paid)")
    let ours = try script(
      #"{"send": {"json": {"a": 2, "b": 1}}}, {"expect": {"equalToJson": {"id": 1}}, "within": "2s"}, "#
        + paid)
    let theirs = try script(
      #"{"send": {"json": {"a": 1, "b": 2}}}, \#(expected), \#(paid), {"close": 1000}"#)
    let result = merged(base, ours, theirs)
    #expect(
      try result.scenario
        == script(
          #"{"send": {"json": {"a": 2, "b": 2}}}, {"expect": {"equalToJson": {"id": 1}}, "within": "2s"}, "#
            + #"\#(paid), {"close": 1000}"#))
    #expect(result.conflicts.isEmpty)
    // A frame does one thing.
    let other = try script("\(hello), {\"close\": 1000}, \(paid)".replacing(", " + paid, with: ""))
    #expect(!merged(base, other, ours).conflicts.isEmpty)
    // Both sides' frames together are no script: one of them would never be reached.
    let (first, second) = (
      try script("\(hello), \(expected), \(paid), {\"close\": 1000}"),
      try scenario(
        stub(
          "k",
          "[{\"webSocket\": {\"frames\": [\(hello), \(expected), \(paid)], \"repeatFrom\": 1}}]"))
    )
    let conflicts = merged(base, first, second).conflicts
    #expect(conflicts.count == 1 && conflicts[0].hasPrefix("s k /responses/0"))
  }

  @Test func contentOfTwoKindsDoesNotMeetInOneResponse() throws {
    let base = try scenario(stub("k", #"[{"json": {"x": 1}}]"#))
    let ours = try scenario(stub("k", #"[{"text": "x"}]"#))
    let theirs = try scenario(stub("k", #"[{"status": 500, "json": {"x": 2}}]"#))
    let result = merged(base, ours, theirs)
    #expect(result.conflicts == ["s k /responses/0"])
    #expect(result.scenario == ours)
  }

  @Test func partsThatDoNotGoTogetherAreAConflictAroundThem() throws {
    func stub(_ request: String) throws -> Stub {
      try Stub(
        documentValue: JSONValue(parsing: #"{"key": "k", "request": \#(request)}"#))
    }
    // One side uses the placeholder in a pattern, the other removes it from the path.
    let result = try merged(
      scenario(stub(#"{"path": "/v1/{id}"}"#)),
      scenario(stub(#"{"path": "/v1/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}}"#)),
      scenario(stub(#"{"path": "/v1/7"}"#)))
    #expect(result.conflicts == ["s k /request"])
    #expect(
      try ScenarioDocument.decodeStubs(.init(ScenarioDocument.encode(result.scenario).utf8))
        == .scenarios([result.scenario]))
  }

  @Test func anEditFollowsARename() throws {
    let base = try scenario(stub("a"), stub("b", #"[{"status": 404}]"#))
    var ours = base
    ours.stubs[1].key = "missing"
    var theirs = base
    theirs.stubs[1].responses[0].status = 410
    var expected = ours
    expected.stubs[1].responses[0].status = 410
    #expect(merged(base, ours, theirs).scenario == expected)
    #expect(merged(base, theirs, ours).scenario == expected)
    var third = base
    third.stubs[1].key = "gone"
    #expect(merged(base, ours, third).conflicts == ["s missing /key"])
  }

  @Test func aRenameThatMeetsAnAdditionIsAConflict() throws {
    let base = try scenario(stub("a", #"[{"status": 404}]"#))
    var ours = base
    ours.stubs[0].key = "c"
    let theirs = try scenario(base.stubs[0], stub("c", #"[{"status": 500}]"#))
    let result = merged(base, ours, theirs)
    #expect(Set(result.conflicts) == ["s a /key", "s c"])
    #expect(Set(result.scenario.stubs.map(\.key)) == ["a", "c"])
    let other = merged(base, theirs, ours)
    #expect(Set(other.conflicts) == Set(result.conflicts))
    #expect(Set(other.scenario.stubs.map(\.key)) == ["a", "c"])
  }

  @Test(.timeLimit(.minutes(10))) func manyAdditionsOfBothSidesAreOrderedInLinearTime() {
    let names = (0..<100_000).map { String(1_000_000 + $0) }
    let theirs = names.flatMap { [$0, $0 + "b"] }
    let order = OrderMerge.order(
      base: [], ours: names, theirs: theirs, surviving: Set(names + theirs))
    #expect(order == theirs)
  }

  @Test func additionsAndMovesOfBothSidesKeepTheirOrder() throws {
    func order(_ base: [String], _ ours: [String], _ theirs: [String]) -> [String]? {
      let order = OrderMerge.order(
        base: base, ours: ours, theirs: theirs, surviving: Set(ours + theirs))
      #expect(
        OrderMerge.order(base: base, ours: theirs, theirs: ours, surviving: Set(ours + theirs))
          == order)
      return order
    }
    #expect(
      order(["a", "b"], ["a", "y", "x", "b"], ["a", "m", "b"]) == ["a", "m", "y", "x", "b"])
    #expect(
      order(["a", "b", "c", "d"], ["b", "a", "c", "d"], ["a", "b", "d", "c"]) == [
        "b", "a", "d", "c",
      ])
    #expect(
      order(["a", "b", "c"], ["c", "a", "b"], ["a", "new", "b", "c"]) == ["c", "a", "new", "b"])
    #expect(order(["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]) == nil)
  }

  @Test func bothAddedTheFile() throws {
    let ours = try scenario(stub("a"), stub("both"))
    let theirs = try scenario(stub("both"), stub("z"))
    let result = try CatalogMerge.merge(
      base: NoScenarios(), ours: MemoryScenarios([ours]), theirs: MemoryScenarios([theirs]))
    #expect(result.conflicts.isEmpty)
    #expect(try result.written == [scenario(stub("a"), stub("both"), stub("z"))])
  }

  @Test func includesFollowARenamedScenario() throws {
    let names = Names()
    let base = [names.a([]), names.b([])]
    var renamed = base[1]
    renamed.name = ScenarioName(unchecked: "new")
    let theirs = [names.a(["b"]), base[1]]
    let result = try CatalogMerge.merge(
      base: MemoryScenarios(base), ours: MemoryScenarios([base[0], renamed]),
      theirs: MemoryScenarios(theirs))
    #expect(result.conflicts.isEmpty && result.removed.isEmpty)
    #expect(result.written == [names.a(["new"])])
  }

  @Test func aScenarioThatOneSideRemovedAndTheOtherIncludesIsAConflict() throws {
    let names = Names()
    let base = [names.a([]), names.b([])]
    let result = try CatalogMerge.merge(
      base: MemoryScenarios(base), ours: MemoryScenarios([base[0]]),
      theirs: MemoryScenarios([names.a(["b"]), base[1]]))
    #expect(result.conflicts.map(\.description) == ["a /includes", "b"])
    let conflict = try #require(result.conflicts.last)
    #expect(conflict.ours == JSONValue?.none)
    #expect(conflict.theirs == base[1].documentValue)
    // For includes, our version stays; the removal is left as a conflict.
    #expect(result.written == base)
  }

  @Test func includesThatGoRoundInACircleAreAConflict() throws {
    let names = Names()
    let base = [names.a([]), names.b([]), names.scenario("c", ["a"])]
    let result = try CatalogMerge.merge(
      base: MemoryScenarios(base), ours: MemoryScenarios([names.a(["b"]), base[1], base[2]]),
      theirs: MemoryScenarios([base[0], names.b(["a"]), base[2]]))
    #expect(result.conflicts.map(\.description) == ["a /includes", "b /includes"])
    #expect(result.written == [names.b([])])
  }

  @Test func aScenarioOfTwoNewNamesKeepsItsOldOneUntilItIsSettled() throws {
    let base = try scenario(stub("a"), stub("b"))
    var (ours, theirs) = (base, base)
    (ours.name, theirs.name) = (ScenarioName(unchecked: "left"), ScenarioName(unchecked: "right"))
    let result = try CatalogMerge.merge(
      base: MemoryScenarios([base]), ours: MemoryScenarios([ours]),
      theirs: MemoryScenarios([theirs]))
    #expect(
      result.conflicts == [
        Conflict(
          scenario: base.name, pointer: JSONPointer(["scenario"]), base: "s", ours: "left",
          theirs: "right")
      ])
    #expect(result.removed == [ours.name] && result.written == [base])
    let settled = try ConflictSettlement.settle(
      result.conflicts, of: result.conflicts, with: .theirs, in: MemoryScenarios(result.written))
    #expect(settled.removed == [base.name] && settled.written == [theirs])
    #expect(settled.conflicts.isEmpty)
  }

  /// One side gives a stub the key under which the other adds one: no side removed either.
  @Test func aRenamedStubStaysBesideOneThatWasAddedUnderItsNewKey() throws {
    func stub(_ key: String, _ url: String) throws -> Stub {
      try Stub(
        documentValue: JSONValue(parsing: #"{"key": "\#(key)", "request": {"url": "\#(url)"}}"#))
    }
    let base = try scenario([stub("k", "/1"), stub("l", "/2")])
    let added = try scenario([stub("k", "/1"), stub("l", "/2"), stub("n", "/new")])
    let renamed = try scenario([stub("n", "/1"), stub("l", "/2")])
    for (ours, theirs) in [(added, renamed), (renamed, added)] {
      let result = try CatalogMerge.merge(
        base: MemoryScenarios([base]), ours: MemoryScenarios([ours]),
        theirs: MemoryScenarios([theirs]))
      #expect(result.conflicts.map(\.description) == ["s k /key", "s n"])
      for (side, wanted) in [(ConflictSettlement.Side.ours, ours), (.theirs, theirs)] {
        let settled = try ConflictSettlement.settle(
          result.conflicts, of: result.conflicts, with: side, in: MemoryScenarios(result.written))
        #expect(settled.conflicts.isEmpty)
        let stubs = settled.written.flatMap(\.stubs)
        #expect(stubs.sorted { $0.key < $1.key } == wanted.stubs.sorted { $0.key < $1.key })
      }
    }
  }

  @Test func aScenarioThatWasRenamedAndRewrittenIsRecognised() throws {
    func stub(_ key: String, _ status: Int, _ word: String) throws -> Stub {
      try Stub(
        documentValue: JSONValue(
          parsing: #"""
            {"key": "\#(key)", "request": {"method": "GET", "url": "https://shop.test/\#(word)",
             "headers": {"Accept": "application/json"}},
             "responses": [{"status": \#(status), "json": {"word": "\#(word)", "x": [1, 2, 3]}}]}
            """#))
    }
    let words = ["one", "two", "three", "four", "five", "six"]
    let base = try scenario(words.map { try stub($0, 200, $0) })
    var ours = try scenario(
      words.enumerated().map { index, word in
        // Two of six keys differ, and four stubs have other content.
        try stub(index < 2 ? "new-\(word)" : word, index < 4 ? 404 : 200, word)
      } + [stub("added", 200, "added")])
    ours.name = ScenarioName(unchecked: "renamed")
    var theirs = base
    theirs.stubs[4].summary = "Five"
    theirs.stubs[5].priority = 1
    let result = try CatalogMerge.merge(
      base: MemoryScenarios([base]), ours: MemoryScenarios([ours]),
      theirs: MemoryScenarios([theirs]))
    #expect(result.conflicts.map(\.description) == [])
    var expected = ours
    expected.stubs[4].summary = "Five"
    expected.stubs[5].priority = 1
    #expect(result.written == [expected])
  }

  private struct Names {
    func a(_ includes: [String]) -> Scenario { scenario("a", includes) }
    func b(_ includes: [String]) -> Scenario { scenario("b", includes) }

    func scenario(_ name: String, _ includes: [String]) -> Scenario {
      Scenario(
        name: ScenarioName(unchecked: name), includes: includes.compactMap { ScenarioName($0) },
        stubs: [Stub(key: "only in \(name)", summary: name)])
    }
  }

  @Test func anOpenConflictFollowsTheNameThatTheOtherSideGave() throws {
    let (old, new) = (ScenarioName(unchecked: "old"), ScenarioName(unchecked: "new"))
    let including = ScenarioName(unchecked: "whole")
    func scenarios(_ name: ScenarioName) throws -> MemoryScenarios {
      MemoryScenarios([
        Scenario(name: name, stubs: [try stub("k"), try stub("l")]),
        Scenario(name: including, includes: [name]),
      ])
    }
    let open = [
      Conflict(scenario: old, key: "k", pointer: JSONPointer(["summary"]), ours: "a", theirs: "b"),
      Conflict(scenario: including, pointer: JSONPointer(["includes"]), ours: ["old"]),
    ]
    let followed = [
      Conflict(scenario: new, key: "k", pointer: JSONPointer(["summary"]), ours: "a", theirs: "b"),
      Conflict(scenario: including, pointer: JSONPointer(["includes"]), ours: ["new"]),
    ]
    let (base, renamed) = (try scenarios(old), try scenarios(new))
    var merged = try CatalogMerge.merge(base: base, ours: base, theirs: renamed)
    merged.carry(OpenConflicts(ours: open))
    #expect(merged.conflicts == followed)
    merged = try CatalogMerge.merge(base: base, ours: renamed, theirs: base)
    merged.carry(OpenConflicts(theirs: open))
    #expect(merged.conflicts == followed)
    // Settled where it was renamed: settled.
    merged = try CatalogMerge.merge(base: base, ours: base, theirs: renamed)
    merged.carry(OpenConflicts(base: open, ours: open))
    #expect(merged.conflicts.isEmpty)
  }
}
