import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBEngine

/// Requests made to be slow or to break something are answered within the suite's time limit.
@Suite(.timeLimit(.minutes(10))) struct HostileRequestTests {
  private func unmatched(_ pattern: RequestPattern, _ request: StubRequest) throws -> [NearMiss] {
    let stubs = (0..<5).map { Stub(key: "s\($0)", request: pattern) }
    let run = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("a")), stubs: stubs)
    ).run()
    guard case .unmatched(let event) = run.respond(to: request) else {
      throw EngineTestFailure.notAnswered
    }
    for mismatch in event.nearMisses.flatMap(\.mismatches) {
      #expect(mismatch.expected.utf8.count < 1_000 && mismatch.actual.utf8.count < 1_000)
    }
    #expect(run.report(on: run.journal[0]).text.utf8.count < 20_000)
    return event.nearMisses
  }

  private func post(_ text: String) -> StubRequest {
    StubRequest(method: "POST", url: "https://a.test/", body: .bytes(Data(text.utf8)))
  }

  @Test func deepJSONIsRefusedWithItsReason() throws {
    let text = String(repeating: "[", count: 100_000)
    let found = try unmatched(RequestPattern(body: [.equalToJSON([])]), post(text))
    #expect(found[0].mismatches[0].actual.hasPrefix("not JSON: more than 512 arrays and objects"))
  }

  @Test func megabytesOfJSONAreComparedOnce() throws {
    let text = "[" + String(repeating: "{\"id\":1},", count: 120_000) + "{\"id\":2}]"
    let pattern = BodyPattern.equalToJSON(
      [["id": 3]], ignoreArrayOrder: true, ignoreExtraElements: true)
    let found = try unmatched(RequestPattern(body: [pattern]), post(text))
    #expect(found.count == 3)
  }

  @Test func longTextsAreCutWhereTheyDiffer() throws {
    let start = String(repeating: "ä", count: 2_500_000)
    let found = try unmatched(
      RequestPattern(body: [.value(.equalTo(start + "x"))]), post(start + "y"))
    #expect(found[0].mismatches[0].actual.contains("äy\" (5000001 bytes)"))
  }

  @Test func anExpressionThatExplodesIsGivenUp() throws {
    let evil = String(repeating: "a", count: 60)
    let pattern = ValuePattern.matches("(a+)+b")
    let request = StubRequest(url: "https://a.test/?q=\(evil)")
    for pattern in [pattern, .not(pattern), .doesNotMatch("(a+)+b")] {
      let run = try LoadedScenario(
        Scenario(
          name: try #require(ScenarioName("a")),
          stubs: [Stub(key: "s", request: RequestPattern(query: [NamedPattern("q", pattern)]))])
      ).run()
      guard case .unmatched(let event) = run.respond(to: request) else {
        throw EngineTestFailure.notAnswered
      }
      #expect(
        event.nearMisses[0].mismatches[0].actual
          == "\"\(evil)\" (too long or too slow for the regular expression)")
    }
  }

  @Test func expressionsLookAtNoMoreThanTheirBound() throws {
    let regex = try WholeValueRegex(".*")
    let longest = String(repeating: "a", count: WholeValueRegex.maximumLength)
    var limit = BoundedRegex.maximumCost
    #expect(regex.matches(longest, visiting: &limit) == true)
    #expect(regex.matches(longest + "a", visiting: &limit) == nil)
  }

  @Test func aPathOfManySegmentsIsNoProblemForManyAsterisks() throws {
    let template = "/" + String(repeating: "**/a/", count: 50) + "b"
    let url = "https://a.test/" + String(repeating: "a/", count: 5_000)
    let found = try unmatched(
      RequestPattern(path: .template(template)), StubRequest(url: url))
    #expect(found[0].mismatches.map(\.part.description) == ["path"])
  }

  @Test(arguments: ["", "x", "http://", "https://[::1", "%", "http://a.test:99999/"])
  func textThatIsNoURLIsAnsweredByWhatAsksForNone(url: String) throws {
    let run = try LoadedScenario(
      Scenario(
        name: try #require(ScenarioName("a")),
        stubs: [
          Stub(key: "https", request: RequestPattern(scheme: "https")), Stub(key: "any"),
        ])
    ).run()
    _ = run.respond(to: StubRequest(url: url))
    #expect(run.journal.map(\.stubKey) == ["any"])
  }

  @Test func nearestAreFoundAmongManyStubs() throws {
    let stubs = (0..<20_000).map {
      Stub(key: "\($0)", request: RequestPattern(path: .template("/items/\($0)/detail")))
    }
    let run = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("a")), stubs: stubs)
    ).run()
    guard
      case .unmatched(let event) = run.respond(
        to: StubRequest(url: "https://a.test/items/12345/details"))
    else { throw EngineTestFailure.notAnswered }
    #expect(event.nearMisses.count == 3)
    #expect(event.nearMisses[0].key == "12345")
  }
}
