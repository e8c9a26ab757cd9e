import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

struct DocumentContentTests {
  private func content(_ text: String) throws -> DocumentContent {
    try ScenarioDocument.decodeStubs(Data(text.utf8))
  }

  @Test func anObjectWithScenarioOrStubsIsAScenario() throws {
    let name = ScenarioName(unchecked: "a")
    #expect(try content(#"{"scenario": "a"}"#) == .scenarios([Scenario(name: name)]))
    let error = try #require(throws: DocumentError.self) { try content(#"{"stubs": []}"#) }
    #expect(error.description == "line 1: \"scenario\" is missing; a scenario needs it")
  }

  @Test func anyOtherObjectIsAStub() throws {
    #expect(try content(#"{"key": "k"}"#) == .stubs([Stub(key: "k")]))
    let error = try #require(throws: DocumentError.self) { try content(#"{"request": {}}"#) }
    #expect(error.description == "line 1: \"key\" is missing; a stub needs it")
  }

  @Test func aListHoldsWhatItsFirstElementIs() throws {
    #expect(
      try content(#"[{"key": "k"}, {"key": "l"}]"#) == .stubs([Stub(key: "k"), Stub(key: "l")]))
    #expect(
      try content(#"[{"scenario": "a"}, {"scenario": "b"}]"#)
        == .scenarios(["a", "b"].map { Scenario(name: ScenarioName(unchecked: $0)) }))
  }

  @Test(arguments: [
    ("[]", "line 1: the list is empty; give scenarios or stubs"),
    ("1", "line 1: expected a scenario, a stub, or a list of either, found a number"),
    (
      #"[{"key": "k"}, {"scenario": "a"}]"#,
      #"line 1: /1/scenario: unknown key "scenario"; a stub has "key", "summary", "priority","#
        + #" "required", "request", "resource", "capture", "responses", "then", "flow", "recorded""#
    ),
    (
      #"[{"key": "k"}, {"key": "k"}]"#,
      #"line 1: /1/key: the stub /0 has the key "k" too; every stub of a scenario needs its own"#
    ),
    (
      #"[{"scenario": "a"}, {"scenario": "a"}]"#,
      #"line 1: /1: the scenario "a" is in the list twice"#
    ),
  ])
  func otherContentIsRefused(text: String, message: String) throws {
    let error = try #require(throws: DocumentError.self) { try content(text) }
    #expect(error.description == message)
  }

  @Test(arguments: [
    ("/responses/0/chunks/0/text", "/responses/0/chunks/0/text"),
    ("/responses/1/chunks/0/text", "/responses/1/events/0/data"),
    ("/responses/1/chunks/1/text", "/responses/1/events/1"),
    ("/responses/2/text", "/responses/2/file"), ("/request/path", "/request/path"),
  ])
  func aPlaceIsThatOfTheText(place: String, written: String) throws {
    let text = #"""
      {"key": "k", "request": {"url": "/a"}, "responses": [
        {"chunks": [{"text": "a"}]}, {"events": [{"data": "a"}, {"id": "1", "data": "a"}]}, {"file": "a"}]}
      """#
    let pointer = try #require(JSONPointer(parsing: place))
    #expect(ScenarioDocument.place(pointer, in: Data(text.utf8)).description == written)
  }

  @Test func aStubIsWrittenAsItIsReadBack() throws {
    let stub = Stub(key: "k", request: RequestPattern(path: .template("/a")))
    let text = ScenarioDocument.encode(stub)
    #expect(text == "{\n  \"key\": \"k\",\n  \"request\": {\n    \"url\": \"/a\"\n  }\n}\n")
    #expect(try content(text) == .stubs([stub]))
  }
}
