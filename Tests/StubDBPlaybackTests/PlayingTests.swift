import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import Testing

@Suite struct PlayingTests {
  private func run(_ stubs: [Stub], seed: UInt64 = 0) throws -> ScenarioRun {
    let name = try #require(ScenarioName("a/b"))
    return try LoadedScenario(Scenario(name: name, stubs: stubs)).run(seed: seed)
  }

  private func answer(_ run: ScenarioRun, _ url: String) throws -> Answer {
    guard case .respond(let selection) = run.respond(to: StubRequest(url: url)) else {
      throw PlaybackTestFailure.notAnswered
    }
    return Answer(selection)
  }

  private func stub(_ key: String, _ delay: ResponseDelay) -> Stub {
    Stub(
      key: Stub.Key(unchecked: key), request: RequestPattern(path: .template("/\(key)")),
      responses: [StubResponse(delay: delay)])
  }

  @Test func randomDelaysDependOnSeedStubAndAnswerAlone() throws {
    let stubs = [
      stub("a", .uniform(.zero, .seconds(1))), stub("b", .uniform(.zero, .seconds(1))),
    ]
    let (first, second) = (try run(stubs, seed: 7), try run(stubs, seed: 7))
    let a = try (0..<4).map { _ in try answer(first, "/a").delay }
    let b = try (0..<4).map { _ in try answer(first, "/b").delay }
    // The same answers in another order of arrival.
    var (otherA, otherB) = ([Duration](), [Duration]())
    for _ in 0..<4 {
      otherB.append(try answer(second, "/b").delay)
      otherA.append(try answer(second, "/a").delay)
    }
    #expect(a == otherA && b == otherB)
    #expect(Set(a + b).count == 8)
    let reseeded = try run(stubs, seed: 8)
    #expect(try answer(reseeded, "/a").delay != a[0])
  }

  @Test func uniformDelaysStayBetweenTheirBounds() throws {
    let run = try run([stub("a", .uniform(.milliseconds(100), .milliseconds(300)))])
    let delays = try (0..<2_000).map { _ in try answer(run, "/a").delay }
    #expect(delays.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(300) })
    let mean = delays.reduce(.zero, +) / delays.count
    #expect(mean > .milliseconds(194) && mean < .milliseconds(206))
  }

  @Test func lognormalDelaysLieAroundTheirMedian() throws {
    let run = try run([stub("a", .lognormal(median: .milliseconds(80), sigma: 0.4))])
    let delays = try (0..<2_000).map { _ in try answer(run, "/a").delay }.sorted()
    #expect(delays[1_000] > .milliseconds(76) && delays[1_000] < .milliseconds(84))
    // The share below median * exp(sigma) is that of a normal distribution below one sigma: 84 %.
    let below = delays.filter { $0 < .microseconds(119_346) }.count
    #expect(below > 1_620 && below < 1_740)
  }

  @Test func aDelayNeverExceedsTheLongestTimeOfADocument() throws {
    let run = try run([
      stub("a", .lognormal(median: .seconds(3_600), sigma: 1e300)),
      stub("b", .lognormal(median: .zero, sigma: 1e300)),
    ])
    for _ in 0..<50 {
      #expect((.zero ... .seconds(86_400)).contains(try answer(run, "/a").delay))
      #expect(try answer(run, "/b").delay == .zero)
    }
  }

  @Test func aThrottleSpreadsLargeContentOverFewPieces() throws {
    let run = try run([
      Stub(
        key: "a",
        responses: [
          StubResponse(
            body: .data(Data(count: 10_000_001)), throttle: .bytesPerSecond(1_000_000))
        ])
    ])
    guard case .reply(let reply) = try answer(run, "/").kind else {
      throw PlaybackTestFailure.notAnswered
    }
    let pieces = reply.pieces
    #expect(pieces.count == 200)
    #expect(pieces.map(\.byteCount).reduce(0, +) == 10_000_001)
    let time = pieces.map(\.after).reduce(.zero, +)
    #expect(time > .milliseconds(9_999) && time < .milliseconds(10_001))
  }

  @Test func twoRequestsNeverTakeOneTransition() throws {
    let states = (0..<200).map { "s\($0)" }
    let stubs = states.indices.dropLast().map { index in
      Stub(
        key: "step \(index)", request: RequestPattern(path: .template("/next")),
        flow: FlowStep(
          name: "f", requires: index == 0 ? "started" : states[index], becomes: states[index + 1]))
    }
    let run = try run(stubs + [Stub(key: "rest")])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 { _ = run.respond(to: StubRequest(url: "/next")) }
    }
    // Each transition once and in order, then the stub without a flow.
    let keys = run.journal.compactMap(\.stubKey)
    #expect(keys == (0..<199).map { "step \($0)" } + ["rest"])
  }

  @Test func aBlockedStubSaysWhatItWaitsFor() throws {
    let run = try run([
      Stub(key: "paid", flow: FlowStep(name: "order", requires: "paid"))
    ])
    guard case .unmatched(let event) = run.respond(to: StubRequest(url: "/")) else {
      throw PlaybackTestFailure.notAnswered
    }
    #expect(
      event.nearMisses.map(\.mismatches) == [
        [
          Mismatch(
            part: Mismatch.Part(.flow, "order"), expected: "state paid",
            actual: "blocked: flow order is in state started, needs paid")
        ]
      ])
  }
}

enum PlaybackTestFailure: Error {
  case notAnswered
}
