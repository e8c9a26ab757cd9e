import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDrift
import StubDBFormats
import StubDBModel
import StubDBSecrets
import StubDBTransfer
import Testing

struct LiveVerificationTests {
  private static let document = """
    {"scenario": "shop/open", "stubs": [
      {"key": "me", "request": {"url": "https://api.shop.test/me"}, "responses": [{"json": {"id": 1}}]},
      {"key": "old", "request": {"url": "https://api.shop.test/old"}, "responses": [{"json": {"id": 1}}]},
      {"key": "gone", "request": {"url": "https://api.shop.test/gone"}, "responses": [{"status": 404}]}]}
    """

  /// Answers the requests by the last parts of their URLs; a request without an answer gets none.
  private static func answering(
    _ contents: [String: String]
  ) -> LiveVerification.Sending {
    { work, _, take in
      for (index, request) in work.requests.enumerated() {
        let name = request.url.split(separator: "/").last.map(String.init) ?? ""
        var answer = LiveAnswer(index: index, problem: contents[name] == nil ? "it hangs" : nil)
        answer.status = 200
        answer.headers = [["Content-Type", "application/json"]]
        answer.body = Data((contents[name] ?? "").utf8)
        try take(answer)
      }
    }
  }

  @Test func answersAreComparedByShapeAndFailuresAreCounted() throws {
    try withCatalog(Self.document) { catalog in
      let scenarios = [try catalog.scenario(named: ScenarioName(unchecked: "shop/open"))]
      let verification = LiveVerification(
        of: scenarios, in: catalog, options: LiveOptions(server: nil), rules: ShapeRules())
      var taken: [String: Bool] = [:]
      let file = try DriftFile(at: DriftFile.url(beside: catalog.url), named: "exceptions")
      let outcome = try verification.run(
        besides: file, Self.answering(["me": #"{"id": 7}"#, "old": #"{"id": "7"}"#])
      ) { _, question, differs in taken[question.key.rawValue] = differs }
      #expect(taken == ["me": false, "old": true])
      #expect(outcome.report.differences.map(\.place.pointer) == ["/id"])
      #expect((outcome.asked, outcome.failures) == (2, 1))
      #expect(outcome.report.skipped.map(\.reason) == ["it could not be asked, it hangs"])
    }
  }

  @Test func whatIsAcceptedDoesNotDifferAgain() throws {
    try withCatalog(Self.document) { catalog in
      let url = DriftFile.url(beside: catalog.url)
      let place = DriftPlace(scenario: "shop/open", key: "old", pointer: "/id", id: "type-changed")
      var file = try DriftFile(at: url, named: "exceptions")
      #expect(try file.accept([place, place], reason: "known") == 1)
      #expect(try file.accept([place], reason: "known") == 0)
      #expect(try DriftFile(at: url, named: "exceptions").accepts(place))
    }
  }
}
