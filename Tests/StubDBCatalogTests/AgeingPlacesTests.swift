import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBCatalogEditing

/// What `stubdb check --at` finds in one scenario.
struct AgeingPlacesTests {
  private static func scenario(_ stubs: String...) throws -> Scenario {
    let document = #"{"scenario": "a", "stubs": ["# + stubs.joined(separator: ", ") + "]}"
    return try ScenarioDocument.decode(Data(document.utf8))
  }

  private static func places(
    in scenario: Scenario, including included: [Scenario] = [], at moment: String
  ) throws -> [String] {
    let later = try #require(CheckMoment(argument: moment)).date
    let now = try #require(CheckMoment(argument: "2026-12-24")).date
    return AgeingPlaces.problems(in: scenario, including: included, at: later, now: now)
      .map { "\($0.pointer?.description ?? "") \($0.problem)" }
  }

  @Test func fixedDatesOfAllOperatorsAreFound() throws {
    let scenario = try Self.scenario(
      #"""
      {"key": "k", "recorded": {"at": "2026-11-21"}, "request": {"method": "POST", "url": "/x",
        "query": {"to": {"and": [{"after": "2026-01-01"}, {"before": "2027-01-05"}]}},
        "body": [
          {"form": {"from": {"before": "2027-01-05"}}},
          {"matchesJsonPath": {"expression": "$.at", "not": {"before": "2027-01-05"}}},
          {"or": ["a", {"matchesXPath": {"expression": "//at", "before": "2027-01-05"}}]},
          {"multipart": [{"name": "p", "body": {"equalToDateTime": "2026-12-05", "expectedOffset": 1,
            "expectedOffsetUnit": "months"}}]},
          {"equalToJson": {"before": "2027-01-05"}}, {"before": "now +3 days"}]},
        "responses": [{}]}
      """#)
    let end = "has another meaning on 2028-05-21; write it as an offset such as \"now +3 days\""
    let before = "before 2027-01-05 \(end)"
    #expect(
      try Self.places(in: scenario, at: "2028-05-21") == [
        "/stubs/0/request/query/to/and/1 \(before)",
        "/stubs/0/request/body/0/form/from \(before)",
        "/stubs/0/request/body/1/matchesJsonPath/not \(before)",
        "/stubs/0/request/body/2/or/1/matchesXPath \(before)",
        "/stubs/0/request/body/3/multipart/0/body equalToDateTime 2026-12-05 +1 months \(end)",
      ])
  }

  @Test func aDateOfAnItemIsAtItsPlaceInTheSeed() throws {
    let scenario = try Self.scenario(
      #"""
      {"key": "k", "recorded": {"at": "2026-11-21"}, "responses": [{"status": 503}, {}],
        "resource": {"at": "/x", "seed": [{"id": "a"}, {"id": "b", "due": "2027-01-05"}]}}
      """#)
    let places = try Self.places(in: scenario, at: "2028-05-21")
    #expect(places.count == 1)
    #expect(places.first?.hasPrefix("/stubs/0/resource/seed/1/due ") == true)
  }

  @Test(arguments: [
    ("2027-01-05", "2027-01-05T23:59:59Z", false), ("2027-01-05", "2027-01-06", true),
    ("2027-01-05T00:00:00Z", "2027-01-05T00:00:00Z", true), ("2026-11-21", "2027-01-05", false),
  ])
  func aDayIsOverAtItsEnd(due: String, moment: String, isOver: Bool) throws {
    for name in ["due", "when"] {
      let scenario = try Self.scenario(
        #"{"key": "k", "recorded": {"at": "2026-11-21"}, "responses": [{"json": {"\#(name)": "\#(due)"}}]}"#
      )
      #expect(try Self.places(in: scenario, at: moment).count == (isOver ? 1 : 0), "\(name)")
    }
  }

  @Test func whatEndsOnTheDayOfTheRecordingWasAhead() throws {
    let scenario = try Self.scenario(
      #"{"key": "k", "recorded": {"at": "2026-11-21"}, "responses": [{"json": {"valid_until": "2026-11-21"}}]}"#
    )
    #expect(try Self.places(in: scenario, at: "2026-11-21T23:59:59Z").isEmpty)
    #expect(
      try Self.places(in: scenario, at: "2026-11-22") == [
        "/stubs/0/responses/0/json/valid_until 2026-11-21 was ahead when it was recorded, and is over on 2026-11-22"
      ])
  }

  @Test func valuesAreShownAsWrittenAtPlacesOfTheDocument() throws {
    let scenario = try Self.scenario(
      #"""
      {"key": "k", "recorded": {"at": "2026-11-21"}, "responses": [{"headers": {
        "set-cookie": ["a=1", "b=1; Expires=Mon, 21-Dec-2026 08:00:00 GMT"], "Sunset": "Mon, 21 Dec 2026 08:00:00 GMT"},
        "json": {"expires_at": 1797840000, "reset": "1797840000000"}}]}
      """#)
    let end = "was ahead when it was recorded, and is over on 2028-05-21"
    #expect(
      try Self.places(in: scenario, at: "2028-05-21") == [
        "/stubs/0/responses/0/headers/set-cookie/1 Mon, 21-Dec-2026 08:00:00 GMT \(end)",
        "/stubs/0/responses/0/headers/Sunset Mon, 21 Dec 2026 08:00:00 GMT \(end)",
        "/stubs/0/responses/0/json/expires_at 1797840000 (2026-12-21T08:00:00Z) \(end)",
        "/stubs/0/responses/0/json/reset 1797840000000 (2026-12-21T08:00:00Z) \(end)",
      ])
  }

  @Test func whatTodayDoesNotMoveSaysSo() throws {
    let scenario = try Self.scenario(
      #"""
      {"key": "k", "recorded": {"at": "2026-11-21"}, "responses": [
        {"template": true, "json": {"due": "2027-01-05"}},
        {"json": {"due": "2027-01-05"}, "callbacks": [{"request": {"url": "https://a.test/h", "json": {"due": "2027-01-05"}}}]},
        {"webSocket": {"frames": [{"send": {"text": "{\"due\": \"2027-01-05\"}"}}]}},
        {"headers": {"Content-Encoding": "identity"}, "json": {"due": "2027-01-05"}}]}
      """#)
    let end = "2027-01-05 was ahead when it was recorded, and is over on 2028-05-21"
    #expect(
      try Self.places(in: scenario, at: "2028-05-21") == [
        "/stubs/0/responses/0/json/due \(end); today does not move it, because it is in a template",
        "/stubs/0/responses/1/json/due \(end)",
        "/stubs/0/responses/1/callbacks/0/request/json/due \(end); today does not move it, because it is in a callback",
        "/stubs/0/responses/2/webSocket/frames/0/send/text \(end); today does not move it, "
          + "because it is in a WebSocket message",
        "/stubs/0/responses/3/json/due \(end); today does not move it",
      ])
  }

  @Test func stubsWithoutARecordingBeginAsInPlaying() throws {
    let stub = #"{"key": "k", "responses": [{"json": {"due": "2026-12-01"}}]}"#
    let recorded = #"{"key": "l", "recorded": {"at": "2026-11-21"}}"#
    let (alone, base) = (try Self.scenario(stub), try Self.scenario(recorded))
    #expect(try Self.places(in: alone, at: "2028-05-21").isEmpty)
    #expect(try Self.places(in: alone, including: [base], at: "2028-05-21").count == 1)
    #expect(try Self.places(in: Self.scenario(stub, recorded), at: "2028-05-21").count == 1)
  }
}
