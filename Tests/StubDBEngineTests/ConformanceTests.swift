import Foundation
import HTTPTypes
import StubDBConformance
import StubDBEngine
import StubDBModel
import Testing

@Suite struct ConformanceTests {
  @Test(arguments: ConformanceCase.all)
  func engineGivesTheOutcome(_ row: ConformanceCase) throws {
    let run = try row.loaded().run()
    for step in row.steps {
      let request = try StubRequest(step.request)
      check(
        run.respond(to: request), of: request, step.outcome, run,
        "\(request.method) \(request.url)")
    }
    #expect(run.journal.count == row.steps.count)
  }

  @Test func namesAreUnique() {
    let names = ConformanceCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 80)
  }

  private func check(
    _ outcome: Outcome, of request: StubRequest, _ expected: ConformanceOutcome, _ run: ScenarioRun,
    _ comment: Comment
  ) {
    switch (outcome, expected) {
    case (
      .respond(let plan, let event),
      .response(let stub, let status, let fields, let body, let delay)
    ):
      guard case .response(let actual, let headers, let content) = plan.action else {
        Issue.record("expected a response, got \(plan.action): \(comment)")
        return
      }
      #expect(event.stubKey == stub, comment)
      #expect(actual == status, comment)
      for (name, values) in fields {
        #expect(HTTPField.Name(name).map { headers[values: $0] } == values, comment)
      }
      var data = try? content.map { try run.scenario.body(of: $0) } ?? Data()
      if let range = plan.contentRange { data = data.map { Data($0[range]) } }
      if request.method == "HEAD" { data = Data() }
      #expect(data.map { String(decoding: $0, as: UTF8.self) } == body, comment)
      #expect(plan.delay == .milliseconds(delay), comment)
    case (.respond(let plan, let event), .pieces(let stub, let body, let pieces, let code)):
      #expect(event.stubKey == stub, comment)
      guard case .response(200, _, let content?) = plan.action else {
        Issue.record("expected a response with content, got \(plan.action): \(comment)")
        return
      }
      let data = try? run.scenario.body(of: content)
      #expect(data.map { String(decoding: $0, as: UTF8.self) } == body, comment)
      #expect(plan.pieces.map(\.byteCount) == pieces.map(\.bytes), comment)
      #expect(plan.pieces.map(\.after) == pieces.map { .milliseconds($0.after) }, comment)
      switch plan.ending {
      case .complete: #expect(code == nil, comment)
      case .error(let error): #expect(error.code == code, comment)
      case .never: #expect(code == 0, comment)
      }
    case (.respond(let plan, let event), .silence(let stub)):
      #expect(event.stubKey == stub && plan.action == .never, comment)
    case (.respond(let plan, let event), .passthrough(let stub)):
      #expect(event.stubKey == stub && plan.action == .passthrough, comment)
    case (.respond(let plan, let event), .error(let stub, let domain, let code)):
      guard case .error(let error) = plan.action else {
        Issue.record("expected an error, got \(plan.action): \(comment)")
        return
      }
      #expect(event.stubKey == stub, comment)
      #expect(error.domain == domain && error.code == code, comment)
    case (.unmatched(let nearMisses), .unmatched(let off)):
      #expect(
        off.isEmpty || Set(nearMisses.first?.mismatches.map(\.part) ?? []) == Set(off), comment)
      #expect(nearMisses.allSatisfy { $0.distance > 0 && $0.distance <= 1 }, comment)
    default:
      Issue.record("expected \(expected), got \(outcome): \(comment)")
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
