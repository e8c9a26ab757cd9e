import Foundation
import StubDBChanges
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

struct ConflictTests {
  private func conflict(_ scenario: String, _ key: String?, _ pointer: String) throws -> Conflict {
    Conflict(
      scenario: try name(scenario), key: key,
      pointer: try #require(JSONPointer(parsing: pointer)), base: 1, theirs: .null)
  }

  @Test func aScenarioWithAConflictIsNotLoaded() throws {
    try withCatalog { catalog in
      let conflict = try conflict("a", "k~/", "/responses/0")
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k~/")]))
        try editor.insert(Scenario(name: try name("b"), includes: [try name("a")]))
        try editor.insert(Scenario(name: try name("c")))
        try editor.insert(conflict)
      }
      #expect(try catalog.conflicts() == [conflict])
      for scenario in ["a", "b"] {
        let error = #expect(throws: CatalogError.self) { try catalog.load(scenario) }
        #expect(error?.code == .unresolvedConflict)
        #expect(error?.message.contains("stubdb resolve a") == true)
      }
      #expect(throws: Never.self) { try catalog.load("c") }
      #expect(throws: CatalogError.self) { try catalog.load("c", overlays: ["b"]) }
      let problems = try catalog.check()
      #expect(problems.map(\.key) == ["k~/"] && problems[0].pointer == conflict.pointer)
      try catalog.edit { editor in try editor.removeConflicts { $0 == conflict } }
      #expect(throws: Never.self) { try catalog.load("b") }
    }
  }

  @Test func conflictsFollowRenamesAndGoWithWhatTheyAreAbout() throws {
    try withCatalog { catalog in
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a"), stubs: [Stub(key: "j"), Stub(key: "k")]))
        try editor.insert(Scenario(name: try name("b")))
        try editor.insert(try conflict("a", "j", ""))
        try editor.insert(try conflict("a", "k", "/summary"))
        try editor.insert(try conflict("b", nil, "/summary"))
      }
      try catalog.edit { editor in
        try editor.rename(try name("a"), to: try name("z"))
        try editor.removeStub("j", from: try name("z"))
        try editor.removeScenario(try name("b"))
      }
      #expect(try catalog.conflicts() == [conflict("z", "k", "/summary")])
    }
  }

  @Test func aChangedConflictIsDamage() throws {
    try withCatalog { catalog in
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a")))
        try editor.insert(try conflict("a", nil, "/summary"))
      }
      let connection = try Connection(path: catalog.url.path, mode: .readWrite)
      try connection.execute("UPDATE conflict SET base = '2'")
      let error = #expect(throws: CatalogError.self) { try catalog.scenarios() }
      #expect(error?.code == .damaged)
    }
  }

  @Test func namesInsideConflictsFollowRenames() throws {
    try withCatalog { catalog in
      let (a, b) = (try name("a"), try name("b"))
      let includes: JSONValue = ["a", "c"]
      let whole: JSONValue = ["scenario": "b", "includes": ["a"], "stubs": []]
      try catalog.edit { editor in
        try editor.insert(Scenario(name: a, stubs: [Stub(key: "j"), Stub(key: "k")]))
        try editor.insert(Scenario(name: b))
        try editor.insert(
          Conflict(scenario: b, pointer: JSONPointer(["includes"]), ours: includes, theirs: ["c"]))
        try editor.insert(Conflict(scenario: b, ours: whole))
        try editor.insert(
          Conflict(scenario: a, pointer: JSONPointer(["stubs"]), ours: ["j", "k"]))
        try editor.insert(try conflict("a", "j", "/summary"))
      }
      try catalog.edit { editor in
        try editor.rename(a, to: try name("z"))
        try editor.moveConflicts(of: "j", to: "i", in: try name("z"))
      }
      #expect(
        try catalog.conflicts() == [
          Conflict(scenario: b, ours: ["scenario": "b", "includes": ["z"], "stubs": []]),
          Conflict(
            scenario: b, pointer: JSONPointer(["includes"]), ours: ["z", "c"], theirs: ["c"]),
          Conflict(scenario: try name("z"), pointer: JSONPointer(["stubs"]), ours: ["i", "k"]),
          conflict("z", "i", "/summary"),
        ])
    }
  }
}
