import HTTPTypes
import StubDBModel
import Testing

@testable import StubDBEngine
@testable import StubDBPlayback

/// Different requests that the same stub answers, one after another.
@Suite struct SeveralRequestsTests {
  private func loaded(_ stub: Stub) throws -> LoadedScenario {
    try LoadedScenario(Scenario(name: try #require(ScenarioName("a")), stubs: [stub]))
  }

  private func answer(
    _ method: String = "GET", range: String? = nil, in player: Player
  ) throws -> Answer {
    let headers: HTTPFields = range.map { [.range: $0] } ?? [:]
    let request = StubRequest(method: method, url: "https://h.test/x", headers: headers)
    guard case .answer(let answer, let event) = player.decide(about: request) else {
      throw PlaybackTestFailure.notAnswered
    }
    #expect(event.request == request)
    return answer
  }

  @Test(arguments: [0, 1, 2])
  func requestsForAPartOrTheHeadHaveAnswersOfTheirOwn(_ before: Int) throws {
    let stub = Stub(key: "s", responses: [StubResponse(body: .text("hello"))])
    let scenario = try loaded(stub)
    let options = PlaybackOptions()
    for _ in 0..<2 {
      let player = Player(scenario, options: options)
      for _ in 0..<before { _ = try answer(in: player) }
      guard case .reply(let part) = try answer(range: "bytes=1-2", in: player).kind,
        case .reply(let head) = try answer("HEAD", in: player).kind,
        case .reply(let whole) = try answer(in: player).kind
      else { throw PlaybackTestFailure.notAnswered }
      #expect(part.head.status == 206 && part.content?.range == 1..<3)
      #expect(head.content == nil && head.head.contentLength == 5)
      #expect(whole.head.status == 200 && whole.content?.body == .text("hello"))
      #expect(player.run.journal.map(\.number) == Array(1...(before + 3)))
    }
  }

  @Test func aStubThatPassesRequestsOnIsNotForgotten() throws {
    let next = StubResponse(delay: .fixed(.seconds(1)), delegation: .next)
    let name = try #require(ScenarioName("a"))
    let scenario = try LoadedScenario(
      Scenario(
        name: name,
        stubs: [
          Stub(key: "slow", request: RequestPattern(methods: [.get]), responses: [next]),
          Stub(key: "plain", responses: [StubResponse(body: .text("hello"))]),
        ]))
    let player = Player(scenario, options: PlaybackOptions())
    let delays = try ["POST", "GET", "POST", "GET"].map { try answer($0, in: player).delay }
    #expect(delays == [.zero, .seconds(1), .zero, .seconds(1)])
  }
}
