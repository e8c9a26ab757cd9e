import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing
@testable import StubDBEngine

/// Patterns of one scenario that differ only in how they compose a letter: each is read back as it was written, and
/// each answers the request that it asks for.
struct ComposedTextTests {
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  /// What a stub asks for, and a request that it answers; `é` stands for the letter in one of its compositions.
  private static let patterns: [(pattern: String, body: String)] = [
    (#""body": {"equalTo": "é"}"#, "é"),
    (#""body": {"contains": "é"}"#, "an é"),
    (#""body": {"matches": "é+"}"#, "é"),
    (#""body": {"equalToJson": {"é": "é"}}"#, #"{"é": "é"}"#),
    (#""body": {"matchesJsonPath": "$['é']"}"#, #"{"é": 1}"#),
    (#""body": {"equalToXml": "<a>é</a>"}"#, "<a>é</a>"),
    (#""body": {"matchesXPath": "/a[. = 'é']"}"#, "<a>é</a>"),
    (#""body": {"matchesJsonSchema": {"required": ["é"]}}"#, #"{"é": 1}"#),
    (#""body": {"form": {"é": "é"}}"#, "é=é"),
    (#""headers": {"X-A": "é"}"#, ""),
    (#""query": {"é": "é"}"#, ""),
  ]

  @Test(arguments: patterns.indices) func eachIsReadBackAndAnswers(index: Int) throws {
    let (pattern, body) = Self.patterns[index]
    let letters = [Self.composed, Self.decomposed]
    let stubs = letters.enumerated().map { number, letter in
      """
      {"key": "\(number)", "request": {"path": "/a", \(pattern)}, "responses": [{"text": "\(number)"}]}
      """.replacing("é", with: letter)
    }
    let document = #"{"scenario": "a", "stubs": ["# + stubs.joined(separator: ", ") + "]}"
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    try withCatalog { catalog in
      try catalog.edit { editor in try editor.insert(scenario) }
      let read = try catalog.scenario(named: name("a"))
      #expect(read == scenario)
      let run = try catalog.load("a").run()
      for (number, letter) in letters.enumerated() {
        var request = StubRequest(
          method: "POST", url: "/a", headers: [:],
          body: .bytes(Data(body.replacing("é", with: letter).utf8)))
        if pattern.contains("form") {
          request.headers[.contentType] = "application/x-www-form-urlencoded"
        }
        if pattern.contains("X-A"), let field = HTTPField.Name("X-A") {
          request.headers[field] = letter
        }
        if pattern.contains("query") { request.url += "?\(letter)=\(letter)" }
        guard case .respond(let selection)? = run.respond(to: request) else {
          Issue.record("stub \(number) does not answer")
          continue
        }
        #expect(selection.event.stubKey == "\(number)")
      }
    }
  }
}
