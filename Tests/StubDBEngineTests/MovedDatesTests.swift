import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBEngine

/// A scenario on another day than that of its recording.
@Suite struct MovedDatesTests {
  private static let days = 99

  /// With the path of a catalog, so that commands are suggested.
  private func scenario(_ stubs: String, shift: Int = days * 86_400) throws -> LoadedScenario {
    let scenario = try ScenarioDocument.decode(
      Data(#"{"scenario": "a", "stubs": [\#(stubs)]}"#.utf8))
    return try LoadedScenario(
      name: scenario.name, stubs: scenario.stubs.map { .init(origin: scenario.name, stub: $0) },
      catalogDescription: "/shop/shop.stubdb"
    ).moved(to: shift, on: "2027-02-28")
  }

  private func form(_ text: String, type: String? = nil) -> StubRequest {
    StubRequest(
      method: "POST", url: "/search", headers: type.map { [.contentType: $0] } ?? [:],
      body: .bytes(Data(text.utf8)))
  }

  @Test func aFormWithoutAMediaTypeIsMovedBack() throws {
    let loaded = try scenario(
      #"{"key": "k", "request": {"method": "POST", "url": "/search", "body": {"form": {"from": "2026-11-21"}}}}"#
    )
    let (sent, other) = ("from=2027-02-28&a=1", "from=2027-02-27")
    for type in [nil, "application/x-www-form-urlencoded"] {
      #expect(loaded.firstMatch(for: form(sent, type: type))?.stub.key == "k")
      #expect(loaded.firstMatch(for: form(other, type: type)) == nil)
    }
    #expect(loaded.firstMatch(for: form(sent, type: "text/plain")) == nil)
    #expect(loaded.firstMatch(for: form("from=2026-11-21"))?.stub.key == "k")
  }

  @Test func placeholdersAreReadWhereAFixedDateIsMoved() throws {
    let run = try scenario(
      #"""
      {"key": "k", "request": {"url": "/days/2026-11-21/{id}/at/{day}"},
        "responses": [{"template": true, "text": "{{request.path.id}} {{request.path.day}}"}]}
      """#
    ).run()
    for (url, text) in [
      ("/days/2027-02-28/7%20a/at/2027-03-01", "7 a 2027-03-01"),
      ("/days/2026-11-21/8/at/2026-11-22", "8 2026-11-22"),
    ] {
      guard case .respond(let selection) = run.respond(to: StubRequest(url: url)) else {
        throw EngineTestFailure.notAnswered
      }
      #expect(selection.response.body == .text(text))
    }
  }

  @Test(arguments: [
    (99 * 86_400, "99 days earlier"), (-86_400, "1 day later"), (90, "90 seconds earlier"),
  ])
  func aReportSaysThatDatesAreCompared(shift: Int, time: String) throws {
    let run = try scenario(
      #"{"key": "k", "request": {"url": "/x", "query": {"at": "2026-11-21T08:00:00Z"}}}"#,
      shift: shift
    ).run()
    for (url, isMoved) in [("/x?at=2027-02-27T08:00:00Z", true), ("/x?at=today", false)] {
      _ = run.respond(to: StubRequest(url: url))
      let report = run.report(on: try #require(run.journal.last)).text
      let line = "\nIts dates are compared as on the day of the recording, \(time).\n"
      #expect(report.contains(line) == isMoved, "\(report)")
      #expect(report.contains("stubdb match a GET '\(url)' --today 2027-02-28"), "\(report)")
    }
  }
}
