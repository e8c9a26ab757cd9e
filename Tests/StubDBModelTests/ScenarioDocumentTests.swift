import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

struct ScenarioDocumentTests {
  @Test(arguments: try DocumentTable.rows("good"))
  func goodDocumentsHaveOneCanonicalForm(row: DocumentTable.Row) throws {
    let scenario = try ScenarioDocument.decode(row.document)
    let text = ScenarioDocument.encode(scenario)
    let canonical = row.wrap(row.canonical ?? row.value)
    #expect(try JSONValue(parsing: text).canonicalText == canonical.canonicalText)
    let again = try ScenarioDocument.decode(Data(text.utf8))
    #expect(again == scenario)
    #expect(ScenarioDocument.encode(again) == text)
  }

  @Test(arguments: try DocumentTable.rows("bad"))
  func badDocumentsAreRefusedWithPlaceAndAdvice(row: DocumentTable.Row) throws {
    let error = try #require(throws: DocumentError.self) {
      try ScenarioDocument.decode(row.document) { path in throw CocoaError(.fileReadNoSuchFile) }
    }
    let place = error.pointer.description
    #expect(place.hasPrefix(row.pointer))
    #expect("\(place.dropFirst(row.pointer.count)): \(error.message)" == row.error)
  }

  @Test func anErrorNamesFileLineAndPointerOnOneLine() throws {
    let text = "{\n \"scenario\": \"a\",\n \"stubs\": [\n {\"key\": \"k\",\n \"a\\nb~/\": 1}]}"
    let error = try #require(throws: DocumentError.self) {
      try ScenarioDocument.decode(Data(text.utf8), file: "shop.json")
    }
    #expect(error.code == .unknownKey)
    #expect(error.line == 5)
    #expect(
      error.description == "shop.json:5: /stubs/0/a\\nb~0~1: unknown key \"a\\nb~/\"; a stub has"
        + " \"key\", \"summary\", \"priority\", \"required\", \"request\", \"resource\","
        + " \"capture\", \"responses\", \"then\", \"flow\", \"recorded\"")
  }

  @Test(arguments: [
    (
      "{\"scenario\": \"a\",\n \"scenario\": \"b\"}",
      "d.json:2:2: /scenario: the member \"scenario\" is given twice"
    ),
    ("{\"scenario\": ", "d.json:1:14: /scenario: expected a value, found the end of the text"),
  ])
  func textThatIsNotJSONIsRefusedWithLineAndColumn(text: String, message: String) throws {
    let error = try #require(throws: DocumentError.self) {
      try ScenarioDocument.decode(Data(text.utf8), file: "d.json")
    }
    #expect(error.code == .syntax)
    #expect(error.description == message)
  }

  @Test(arguments: [
    (Data("héllo\n".utf8), ResponseBody.text("héllo\n")), (Data(), .text("")),
    (Data([0x61, 0x00]), .data(Data([0x61, 0x00]))),
    (Data([0xC3, 0x28]), .data(Data([0xC3, 0x28]))),
    (Data([0xEF, 0xBB, 0xBF, 0x61]), .text("\u{FEFF}a")),
  ])
  func aFileBecomesTextWhereItIsText(content: Data, body: ResponseBody) throws {
    let text = #"{"scenario": "a", "stubs": [{"key": "k", "responses": [{"file": "x/y"}]}]}"#
    let scenario = try ScenarioDocument.decode(Data(text.utf8)) { path in
      #expect(path == "x/y")
      return content
    }
    #expect(scenario.stubs[0].responses[0].body == body)
  }

  @Test func filesAreRefusedWithoutAReader() throws {
    let text = #"{"scenario": "a", "stubs": [{"key": "k", "responses": [{"file": "x"}]}]}"#
    let error = try #require(throws: DocumentError.self) {
      try ScenarioDocument.decode(Data(text.utf8))
    }
    #expect(error.code == .unreadableFile)
    #expect(
      error.message == "cannot read the file \"x\": files cannot be read here; use \"text\" or"
        + " \"base64\"")
  }

  @Test func listsOfStringsBreakWhereTheyAreLong() throws {
    let tag = String(repeating: "t", count: 35)
    var scenario = Scenario(name: ScenarioName(unchecked: "a"), tags: [tag, tag + "u"])
    #expect(ScenarioDocument.encode(scenario).contains("[\"\(tag)\", \"\(tag)u\"]"))
    scenario.tags.append("zz")
    #expect(
      ScenarioDocument.encode(scenario).contains(
        "[\n    \"\(tag)\",\n    \"\(tag)u\",\n    \"zz\"\n  ]"))
  }

  @Test func patternsForOneNameAreWrittenAsOne() throws {
    var stub = Stub(key: "k")
    stub.request.headers = [
      HeaderPattern(HTTPField.Name("X-A") ?? .accept, "1"),
      HeaderPattern(HTTPField.Name("x-a") ?? .accept, .contains("2")),
    ]
    let text = ScenarioDocument.encode(
      Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub]))
    let again = try ScenarioDocument.decode(Data(text.utf8))
    #expect(
      again.stubs[0].request.headers == [
        HeaderPattern(HTTPField.Name("X-A") ?? .accept, .and(["1", .contains("2")]))
      ])
  }

  @Test func aBodyLeftInItsCatalogIsNotLostSilently() throws {
    let stored = StoredBody(digest: Data([0x0A, 0xFF]), byteCount: 7)
    let body = ResponseBody(kind: .text, content: .stored(stored))
    let stub = Stub(key: "k", responses: [StubResponse(body: body)])
    let text = ScenarioDocument.encode(
      Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub]))
    #expect(text.contains("\"file\": \"sha256:0aff\""))
    #expect(throws: DocumentError.self) { try ScenarioDocument.decode(Data(text.utf8)) }
  }
}
