import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBServing
import StubDBSupport
import Testing

@testable import StubDBPlayback

@Suite struct CallbackTests {
  private func player(
    _ stubs: String, pace: Pace = .instant, limit: JournalLimit = .unlimited,
    sender: (any CallbackSender)? = nil
  ) throws -> Player {
    let scenario = try ScenarioDocument.decode(
      Data(#"{"scenario": "a/b", "stubs": [\#(stubs)]}"#.utf8))
    return Player(
      try LoadedScenario(scenario), options: PlaybackOptions(pace: pace), journalLimit: limit,
      callbackSender: sender)
  }

  private func due(_ player: Player) async -> [CallbackEvent] {
    await player.callbacks.waitForAll()
    return player.callbacks.events
  }

  private static let order = #"""
    {"key": "pay", "request": {"method": "POST", "path": "/pay"},
     "capture": {"order": {"jsonPath": "$.order"}},
     "responses": [{"status": 202, "delay": "2s", "template": true, "callbacks": [
       {"request": {"url": "https://hooks.test/{{captured.order}}", "headers": {"Retry-After": "{{captured.order}}"},
                    "json": {"order": "{{captured.order}}", "answer": "{{answer.number}}"}}, "after": "3s", "times": 2},
       {"request": {"method": "GET", "url": "https://hooks.test/plain", "text": "{{x}}"}, "after": "4s",
        "template": false}]}]}
    """#

  @Test func callbacksAreDueInTheOrderOfTheirTimesWithCapturedValues() async throws {
    let player = try player(Self.order)
    let request = StubRequest(
      method: "POST", url: "https://shop.test/pay", body: .bytes(Data(#"{"order": "o_7"}"#.utf8)))
    _ = player.decide(about: request)
    let events = await due(player)
    let first = StubRequest(
      method: "POST", url: "https://hooks.test/o_7",
      headers: [.contentType: "application/json", .retryAfter: "o_7"],
      body: .bytes(Data(#"{"answer":"1","order":"o_7"}"#.utf8)))
    let plain = StubRequest(
      method: "GET", url: "https://hooks.test/plain",
      headers: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Data("{{x}}".utf8)))
    #expect(events.map(\.request.url) == [first.url, plain.url, first.url])
    #expect(Set(events[0].request.headers) == Set(first.headers))
    #expect(events[0].request.content == first.content)
    #expect(events[1].request == plain)
    #expect(events.map(\.turn) == [1, 1, 2])
    #expect(events.map(\.requestNumber) == [1, 1, 1])
    #expect(events.allSatisfy { $0.outcome == nil })
  }

  @Test func aFailureOfTheAnswerStopsNoCallback() async throws {
    let player = try player(
      #"""
      {"key": "a", "responses": [{"fault": "connectionReset", "callbacks": [
        {"request": {"url": "https://hooks.test{{request.path}}"}, "template": true}]}]}
      """#)
    _ = player.decide(about: StubRequest(url: "https://a.test/x"))
    #expect(await due(player).map(\.request.url) == ["https://hooks.test/x"])
  }

  @Test(arguments: [
    ("{{request.query.to}}", "https://a.test/?to=ftp://b.test/", "neither http nor https"),
    ("https://b.test/{{request.query.to}}", "https://a.test/?to=a%20b", "percent-encoded"),
  ])
  func aURLThatCannotBeCalledFailsTheAnswer(
    url: String, asked: String, problem: String
  ) async throws {
    let player = try player(
      #"{"key": "a", "responses": [{"template": true, "callbacks": [{"request": {"url": "\#(url)"}}]}]}"#
    )
    guard case .answer(let answer, _) = player.decide(about: StubRequest(url: asked)),
      case .error = answer.kind
    else {
      Issue.record("the answer is given")
      return
    }
    #expect(await due(player).isEmpty)
    let problems = player.problems()
    #expect(problems.map(\.kind) == [.failedTemplate])
    #expect(problems.first?.message.contains(problem) == true)
  }

  @Test func theEndOfARunCancelsItsCallbacks() async throws {
    let player = try player(
      #"""
      {"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "after": "1440min"}]}]}
      """#, pace: .real)
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    async let events = due(player)
    player.end()
    #expect(await events.isEmpty)
  }

  @Test func aWaitThatIsCancelledEnds() async throws {
    let player = try player(
      #"{"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "after": "60min"}]}]}"#,
      pace: .real)
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    let wait = Task { await due(player) }
    wait.cancel()
    #expect(await wait.value.isEmpty)
  }

  @Test func aSenderSaysWhatBecameOfCalls() async throws {
    let sender = AnsweringSender()
    let player = try player(Self.order, sender: sender)
    _ = player.decide(
      about: StubRequest(
        method: "POST", url: "https://shop.test/pay",
        body: .bytes(Data(#"{"order": "o_7"}"#.utf8))))
    let events = await due(player)
    #expect(events.map(\.outcome) == (1...3).map { .answered(status: 200 + $0, after: .zero) })
    #expect(sender.requests.withLock { $0 } == events.map(\.request))
  }

  @Test func callsOnTheirWayAreCancelledWithTheRun() async throws {
    let sender = SilentSender()
    let player = try player(
      #"{"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}}]}]}"#,
      sender: sender)
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    for await _ in sender.sent { break }
    async let events = due(player)
    player.end()
    #expect(await events.map(\.outcome) == [nil])
    for await _ in sender.cancelled { break }
  }

  @Test func theLimitOfTheJournalCountsForCallbacks() async throws {
    let player = try player(
      #"{"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "times": 5}]}]}"#,
      limit: JournalLimit(entryCount: 2, byteCount: 1000))
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    #expect(await due(player).map(\.turn) == [4, 5])
  }

  @Test func onlySoManyCallbacksWait() async throws {
    let player = try player(
      #"{"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "after": "60min"}]}]}"#,
      pace: .real)
    for _ in 0...CallbackSchedule.mostPending {
      _ = player.decide(about: StubRequest(url: "https://a.test/"))
    }
    let events = player.callbacks.events
    #expect(events.map(\.requestNumber) == [CallbackSchedule.mostPending + 1])
    #expect(events.first?.outcome == .refused(reason: "1000 other callbacks wait for their time"))
  }

  @Test func aCallThatIsRepeatedTakesNoMorePlaces() async throws {
    let sender = SilentSender()
    let player = try player(
      #"""
      {"key": "later", "request": {"path": "/later"},
       "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "after": "60min"}]}]},
      {"key": "often", "request": {"path": "/often"},
       "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}, "times": 9}]}]}
      """#, pace: .real, sender: sender)
    for _ in 1..<CallbackSchedule.mostPending {
      _ = player.decide(about: StubRequest(url: "https://a.test/later"))
    }
    _ = player.decide(about: StubRequest(url: "https://a.test/often"))
    var sentCount = 0
    for await _ in sender.sent {
      sentCount += 1
      // The second one takes the place of the first, which is about to end.
      if sentCount == 2 { break }
    }
    let events = player.callbacks.events
    #expect(events.map(\.turn) == [1, 2, 3])
    #expect(events.last?.outcome == .refused(reason: "1000 other callbacks wait for their time"))
    player.end()
  }

  @Test func theCommandLineIsToldOfCallbacks() throws {
    let player = try player(
      #"""
      {"key": "a", "responses": [{"callbacks": [
        {"request": {"url": "https://b.test{{request.path}}"}, "after": "2s", "template": true}]}]}
      """#)
    let played = try PlayedAnswer(to: StubRequest(url: "https://a.test/x"), from: player)
    #expect(
      played.response?.callbacks == [ResponseCallback("https://b.test/x", after: .seconds(2))])
  }

  @Test func aResetForgetsTheCallbacks() async throws {
    let player = try player(
      #"{"key": "a", "responses": [{"callbacks": [{"request": {"url": "https://b.test/"}}]}]}"#)
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    #expect(await due(player).count == 1)
    player.reset()
    #expect(player.callbacks.events.isEmpty)
    _ = player.decide(about: StubRequest(url: "https://a.test/"))
    #expect(await due(player).count == 1)
  }
}

/// Answers every call with the next status from 201.
private final class AnsweringSender: CallbackSender {
  let requests = Locked([StubRequest]())

  func send(
    _ request: StubRequest, after cause: StubRequest,
    _ completion: @escaping @Sendable (CallbackOutcome) -> Void
  ) -> any Cancellable {
    let count = requests.withLock { requests in
      requests.append(request)
      return requests.count
    }
    completion(.answered(status: 200 + count, after: .zero))
    return NothingToCancel()
  }
}

/// Answers nothing, and says what it is asked.
private final class SilentSender: CallbackSender, Cancellable {
  let (sent, isSent) = AsyncStream<Void>.makeStream()
  let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()

  func send(
    _ request: StubRequest, after cause: StubRequest,
    _ completion: @escaping @Sendable (CallbackOutcome) -> Void
  ) -> any Cancellable {
    isSent.yield()
    return self
  }

  func cancel() { isCancelled.yield() }
}
