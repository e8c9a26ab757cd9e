import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import Testing

/// What a review takes can be played: one stub that cannot keeps its whole scenario from answering.
struct ReviewPlayableTests {
  private typealias Seen = RecordedDraft.Seen

  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let parts: HTTPFields = [.contentType: "multipart/form-data; boundary=B"]

  /// Contents that patterns of their kind refuse, and some that look like them.
  private static let contents: [(headers: HTTPFields, content: String)] = [
    (json, #""[1]""#),
    (json, #""{}""#),
    (json, #"" {} ""#),
    (json, #""{\"a\":1}""#),
    (json, #"{"a":1}"#),
    (json, "{}"),
    (json, #""text""#),
    (json, #""${json-unit.regex}[""#),
    (json, #"{"query":"{x"}"#),
    (json, #"{"query":"{x}"}"#),
    (json, #"{"query":"query \"","variables":{"a":1}}"#),
    (parts, part(#"{"a":"${json-unit.regex}["}"#)),
    (parts, part(#""[1]""#)),
    (parts, part(#"{"query":"{x"}"#)),
  ]

  private static func part(_ content: String) -> String {
    "--B\r\nContent-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n"
      + content + "\r\n--B--\r\n"
  }

  private func draft(_ stub: String) throws -> RecordedDraft {
    guard case .stubs(let stubs) = try ScenarioDocument.decodeStubs(Data(stub.utf8)) else {
      return try RecordedDraft()
    }
    return try RecordedDraft(stubs)
  }

  @Test func contentsThatPatternsRefuseAreAnsweredAsRecorded() throws {
    let draft = try draft(
      """
      {"key": "old", "request": {"method": "GET", "url": "https://api.shop.test/old"},
        "responses": [{"text": "old answer"}]}
      """)
    let exchanges = Self.contents.enumerated().map { place, row in
      Seen(headers: row.headers, content: row.content, answer: "answer \(place)")
    }
    try draft.record(exchanges)
    #expect(try draft.write(ReviewChoices(acceptAll: true)).isProven)
    #expect(try draft.catalog.check() == [])
    for exchange in exchanges {
      let answer = try draft.answer(to: exchange.request)
      #expect(answer?.text == exchange.answer, "\(exchange.content)")
    }
    let old = try draft.answer(to: StubRequest(url: "https://api.shop.test/old"))
    #expect(old?.text == "old answer")
  }

  @Test func aStubThatCouldNotBePlayedIsNamedAndWaits() throws {
    // As an older version could write it, with what cannot be played.
    let draft = try draft(
      """
      {"key": "get-items",
        "request": {"method": "GET", "url": "https://api.shop.test/items", "queryIsExact": true},
        "capture": {"a": {"jsonPath": "a"}}, "responses": [{"text": "old"}]}
      """)
    try draft.record(
      ["items", "other"].map {
        Seen(method: "GET", url: "https://api.shop.test/\($0)", headers: [:], answer: "new \($0)")
      }, mode: .all)
    let result = try draft.write(ReviewChoices(acceptAll: true))
    #expect(result.taken == 1 && result.dropped == 0)
    let lines = result.refusals.flatMap { $0.lines(of: draft.catalog.url) }.map(\.description)
    try #require(lines.count == 3)
    #expect(
      lines[0].hasPrefix(
        "Warning: stub get-items of a/shop was not taken and waits, because it could not be played: "
          + "/capture/a/jsonPath: \"a\" is not a JSONPath of RFC 9535: "), "\(lines)")
    #expect(lines[1] == "To edit it: stubdb review a/shop/get-items --edit")
    #expect(lines[2] == "To drop it: stubdb review --reject a/shop/get-items")
    // The stub that is there already keeps the scenario from being asked.
    guard case .scenario(RecordedDraft.name, _)? = result.unanswered.first else {
      Issue.record("\(result.unanswered)")
      return
    }
    let stubs = try draft.stubs()
    #expect(stubs.map(\.responses[0].text).sorted() == ["new other", "old"])
    // Its request is in the draft, until somebody decides.
    #expect(try draft.review()?.proposals.map(\.stub.key.rawValue) == ["get-items"])
    try draft.write(ReviewChoices(reject: ["a/shop/get-items"]))
    #expect(try draft.review()?.proposals.isEmpty ?? true)
  }
}
