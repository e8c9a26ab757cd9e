import Foundation
import HTTPTypes
import StubDBConformance
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBPlayback

@Suite struct ConformanceTests {
  @Test(arguments: ConformanceCase.all)
  func playerGivesTheOutcome(_ row: ConformanceCase) throws {
    let player = Player(try row.loaded(), options: PlaybackOptions(pace: .instant))
    for step in row.steps {
      let request = try StubRequest(step.request)
      check(
        player.decide(about: request), of: request, step.outcome, player,
        "\(request.method) \(request.url)")
    }
    #expect(player.run.journal.count == row.steps.count)
  }

  @Test func namesAreUnique() {
    let names = ConformanceCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 80)
  }

  /// What the rows say of responses.
  ///
  /// A file is read with its document, before anything is played, and events are chunks by then. A WebSocket is played by
  /// the server alone.
  private static let played: Set<String> = {
    let scenarios = ConformanceCase.all.compactMap { row in
      try? ScenarioDocument.decode(Data(row.document.utf8))
    }
    let responses = scenarios.flatMap(\.stubs).flatMap(\.responses)
    return Set(responses.flatMap { $0.jsonObject(includingBody: true).keys })
  }()

  @Test(arguments: ResponsePart.allCases.filter { ![.file, .events, .webSocket].contains($0) })
  func everyPartOfAResponseIsPlayed(part: ResponsePart) {
    #expect(Self.played.contains(part.rawValue), "no row has it")
  }

  private func check(
    _ decision: Player.Decision, of request: StubRequest, _ expected: ConformanceOutcome,
    _ player: Player, _ comment: Comment
  ) {
    switch (decision, expected) {
    case (.unmatched(let event), .unmatched(let off)):
      let misses = event.nearMisses
      let parts = misses.first?.mismatches.map(\.part.description) ?? []
      #expect(off.isEmpty || Set(parts) == Set(off), comment)
      #expect(misses.allSatisfy { $0.distance > 0 && $0.distance <= 1 }, comment)
    case (.answer(let answer, let event), _):
      check(answer, event, expected, player, comment)
    default:
      Issue.record("expected \(expected), got \(decision): \(comment)")
    }
  }

  private func check(
    _ answer: Answer, _ event: ServeEvent, _ expected: ConformanceOutcome, _ player: Player,
    _ comment: Comment
  ) {
    switch (answer.kind, expected) {
    case (.reply(let reply), .response(let stub, let status, let fields, let body, let delay)):
      #expect(event.stubKey == stub, comment)
      #expect(reply.head.status == status, comment)
      for (name, values) in fields {
        #expect(HTTPField.Name(name).map { reply.head.headers[values: $0] } == values, comment)
      }
      let data = try? player.bytes(of: reply, for: event)
      #expect(data.map { String(decoding: $0, as: UTF8.self) } == body, comment)
      #expect(answer.delay == .milliseconds(delay), comment)
    case (.reply(let reply), .pieces(let stub, let body, let pieces, let code)):
      #expect(event.stubKey == stub, comment)
      #expect(reply.head.status == 200, comment)
      let data = reply.content.flatMap { try? player.run.scenario.body(of: $0.body) }
      #expect(data.map { String(decoding: $0, as: UTF8.self) } == body, comment)
      #expect(reply.pieces.map(\.byteCount) == pieces.map(\.bytes), comment)
      #expect(reply.pieces.map(\.after) == pieces.map { .milliseconds($0.after) }, comment)
      switch reply.ending {
      case .complete: #expect(code == nil, comment)
      case .error(let error, _): #expect(error.code == code, comment)
      case .never: #expect(code == 0, comment)
      }
    case (.never, .silence(let stub)), (.network, .passthrough(let stub)):
      #expect(event.stubKey == stub, comment)
    case (.error(let error, _), .error(let stub, let domain, let code)):
      #expect(event.stubKey == stub, comment)
      #expect(error.domain == domain && error.code == code, comment)
    default:
      Issue.record("expected \(expected), got \(answer): \(comment)")
    }
  }
}

extension ConformanceCase {
  func loaded() throws -> LoadedScenario {
    try LoadedScenario(
      try ScenarioDocument.decode(Data(document.utf8)),
      including: try includes.map { try ScenarioDocument.decode(Data($0.utf8)) })
  }
}

extension StubRequest {
  init(_ request: ConformanceRequest) throws {
    var fields = HTTPFields()
    for header in request.headers {
      fields.append(
        HTTPField(name: try #require(HTTPField.Name(header.name)), value: header.value))
    }
    let body: RequestBody =
      switch request.body {
      case .bytes(let data): .bytes(data)
      case .unknown: .unknown(reason: "the stream was read before")
      }
    self.init(method: request.method, url: request.url, headers: fields, body: body)
  }
}
