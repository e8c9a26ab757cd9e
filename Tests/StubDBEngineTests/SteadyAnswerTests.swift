import Foundation
import StubDBModel
import Testing

@testable import StubDBEngine

/// Which answers depend on nothing but the request.
@Suite struct SteadyAnswerTests {
  private static func run(_ stubs: String) throws -> ScenarioRun {
    let document = #"{"scenario": "shop", "stubs": [\#(stubs)]}"#
    return try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
  }

  private static func event(_ run: ScenarioRun, _ request: StubRequest) -> ServeEvent? {
    switch run.respond(to: request) {
    case .respond(let selection)?: selection.event
    case .unmatched(let event)?: event
    case nil: nil
    }
  }

  @Test(arguments: [
    (true, #"{"key": "a", "responses": [{"text": "a"}]}"#),
    (true, #"{"key": "a", "request": {"path": "/{id}"}, "responses": [{"json": {}}]}"#),
    (
      true,
      #"{"key": "a", "request": {"query": {"d": {"after": "2020-01-01"}}}, "responses": [{"text": "a"}]}"#
    ),
    // On the time.
    (
      false,
      #"{"key": "a", "request": {"query": {"d": {"after": "now -3 days"}}}, "responses": [{"text": "a"}]}"#
    ),
    (
      false,
      #"""
      {"key": "a", "request": {"query": {"d": {"before": "now -3 days"}}}, "responses": [{"text": "a"}]},
      {"key": "b", "responses": [{"text": "b"}]}
      """#
    ),
    // On what came before.
    (false, #"{"key": "a", "responses": [{"text": "a"}, {"text": "b"}]}"#),
    (false, #"{"key": "a", "then": "fail", "responses": [{"text": "a"}]}"#),
    (
      false,
      #"{"key": "a", "flow": {"name": "f", "requires": "started"}, "responses": [{"text": "a"}]}"#
    ),
    (
      false,
      #"""
      {"key": "a", "flow": {"name": "f", "requires": "late"}, "responses": [{"text": "a"}]},
      {"key": "b", "responses": [{"text": "b"}]}
      """#
    ),
    (false, #"{"key": "a", "capture": {"d": {"query": "d"}}, "responses": [{"text": "a"}]}"#),
    (false, #"{"key": "a", "responses": [{"template": true, "text": "{{counter 'a'}}"}]}"#),
    // On chance, and on more than the answer.
    (
      false,
      #"{"key": "a", "responses": [{"text": "a", "delay": {"uniform": ["1ms", "2ms"]}}]}"#
    ),
    (false, #"{"key": "a", "responses": [{"fault": "connectionReset"}]}"#),
    (false, #"{"key": "a", "responses": [{"passthrough": true}]}"#),
    (
      false,
      #"""
      {"key": "a", "responses": [{"text": "a", "callbacks": [
        {"request": {"method": "POST", "url": "https://a.test/"}}]}]}
      """#
    ),
    // Nothing answers.
    (false, #"{"key": "a", "request": {"path": "/other"}, "responses": [{"text": "a"}]}"#),
  ])
  func anAnswerIsSteadyIfOnlyTheRequestDecides(_ isSteady: Bool, _ stubs: String) throws {
    let run = try Self.run(stubs)
    let request = StubRequest(url: "https://api.test/a?d=2026-01-01")
    let event = try #require(Self.event(run, request))
    #expect((run.steadyAnswer(like: event, status: 200) != nil) == isSteady)
  }

  @Test func furtherRequestsAreCountedUntilTheRunEnds() throws {
    let run = try Self.run(#"{"key": "a", "responses": [{"text": "a"}]}"#)
    let request = StubRequest(url: "https://api.test/a")
    let event = try #require(Self.event(run, request))
    let answer = try #require(run.steadyAnswer(like: event, status: 200))
    #expect(answer.stubKey == "a" && answer.scenario == event.scenario)
    for number in 2...4 {
      let next = try #require(run.record(answer, after: 1_500))
      #expect(next.number == number && next.request == request && next.stubKey == "a")
      #expect(run.duration(ofEntry: number) == .nanoseconds(1_500))
    }
    #expect(run.journal.count == 4 && run.stubUses.map(\.answerCount) == [4])
    // A later version of the scenario goes on from there.
    let next = ScenarioRun(continuing: run, with: run.scenario)
    #expect(run.record(answer, after: 0) == nil)
    #expect(next.journal.count == 4 && next.stubUses.map(\.answerCount) == [4])
  }

  @Test func theJournalKeepsNoStubsThatAreNotPlayedAnyMore() throws {
    var run: ScenarioRun? = try Self.run(#"{"key": "a", "responses": [{"status": 201}]}"#)
    weak let stubs = run?.scenario.stubs
    _ = try #require(run?.respond(to: StubRequest(url: "https://api.test/a")))
    let later = try Self.run(#"{"key": "b"}"#).scenario
    let next = ScenarioRun(continuing: try #require(run), with: later)
    run = nil
    #expect(stubs == nil)
    let entry = try #require(next.journal.first)
    #expect(entry.stubKey == "a" && entry.scenario?.rawValue == "shop" && entry.status == 201)
  }
}
