import StubDBDocuments
public import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBChanges

struct DifferenceTests {
  @Test func aJSONBodyDiffersAtItsPointers() throws {
    let before = try scenario(
      stub("charge", #"[{"json": {"items": [{"id": 1}, {"id": 2}], "total": 3}}]"#))
    let after = try scenario(
      stub("charge", #"[{"status": 201, "json": {"items": [{"id": 1}, {"id": 9}], "total": 3}}]"#))
    let difference = ScenarioDifference(from: before, to: after)
    #expect(difference.changes.isEmpty && difference.stubs.map(\.key) == ["charge"])
    #expect(
      difference.stubs[0].changes == [
        ValueChange(pointer: "/responses/0/status", before: nil, after: 201),
        ValueChange(pointer: "/responses/0/json/items/1/id", before: 2, after: 9),
      ])
  }

  @Test func anInsertedResponseDoesNotMakeTheOthersDiffer() throws {
    let before = try scenario(stub("k", #"[{"status": 402}, {"status": 201, "text": "done"}]"#))
    let after = try scenario(
      stub("k", #"[{"status": 500}, {"status": 402}, {"status": 201, "text": "done"}]"#))
    #expect(
      ScenarioDifference(from: before, to: after).stubs[0].changes == [
        ValueChange(pointer: "/responses/0", before: nil, after: ["status": 500])
      ])
  }

  @Test func aRenamedStubIsRecognisedByWhatItSays() throws {
    let before = try scenario(stub("a"), stub("b", #"[{"status": 404}]"#))
    var after = before
    after.stubs[1].key = "c"
    let difference = ScenarioDifference(from: before, to: after)
    #expect(difference.stubs.count == 1)
    #expect(difference.stubs[0].before?.key == "b" && difference.stubs[0].after?.key == "c")
    #expect(
      difference.stubs[0].changes == [ValueChange(pointer: "/key", before: "b", after: "c")])
  }

  @Test func onlyTheStubThatMovedIsSaidToHaveMoved() throws {
    let before = try scenario(stub("a"), stub("b"), stub("c"), stub("d"))
    let after = try scenario(stub("d"), stub("a"), stub("b"), stub("c"))
    let difference = ScenarioDifference(from: before, to: after)
    #expect(difference.stubs.map(\.key) == ["d"])
    #expect(difference.stubs[0].hasMoved && difference.stubs[0].changes.isEmpty)
  }

  @Test func catalogsAreComparedByNameAndRenamesAreRecognised() throws {
    var kept = try scenario(stub("a"))
    kept.name = ScenarioName(unchecked: "kept")
    var old = try scenario(stub("b"), stub("c", #"[{"status": 500}]"#))
    old.name = ScenarioName(unchecked: "old")
    var renamed = old
    renamed.name = ScenarioName(unchecked: "renamed")
    let added = Scenario(name: ScenarioName(unchecked: "added"))
    let differences = try CatalogDifferences.between(
      MemoryScenarios([kept, old]), MemoryScenarios([kept, renamed, added]))
    #expect(
      differences == [
        ScenarioDifference(before: nil, after: added.name),
        ScenarioDifference(before: old.name, after: renamed.name),
      ])
  }
}

extension JSONPointer: ExpressibleByStringLiteral {
  /// Parses the pointer of a literal.
  public init(stringLiteral value: String) {
    self = JSONPointer(parsing: value) ?? JSONPointer()
  }
}
