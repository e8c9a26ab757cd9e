import Foundation
import StubDBConformance
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The conformance table, which the engine runs too, sent through URL sessions.
@Suite struct ConformanceTests {
  @Test(arguments: ConformanceCase.all, Exchange.allCases)
  func clientGetsTheOutcome(_ row: ConformanceCase, _ exchange: Exchange) async throws {
    try await SessionLimit.shared.run { try await play(row, exchange) }
  }

  private func play(_ row: ConformanceCase, _ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try LoadedScenario(
        try ScenarioDocument.decode(Data(row.document.utf8)),
        including: try row.includes.map { try ScenarioDocument.decode(Data($0.utf8)) }),
      options: .init(pace: .instant))
    let steps = row.steps.filter(\.isSendable)
    for step in steps {
      let sent = try URLRequest(step.request)
      let comment: Comment = "\(step.request.method) \(step.request.url)"
      let result: Result<Exchange.Answer, any Error>
      do {
        result = .success(try await exchange.send(sent, through: interceptor))
      } catch {
        result = .failure(error)
      }
      check(result, interceptor.journal.last?.stubKey, step.outcome, comment)
    }
    #expect(interceptor.journal.count == steps.count)
  }

  private func check(
    _ result: Result<Exchange.Answer, any Error>, _ stubKey: String?,
    _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    switch (result, expected) {
    case (.success(let answer), .response(let stub, let status, let fields, let body, _)):
      #expect(stubKey == stub, comment)
      #expect(answer.status == status, comment)
      for (name, values) in fields {
        let joined = values.isEmpty ? nil : values.joined(separator: ", ")
        #expect(answer.header(name) == joined, comment)
      }
      #expect(answer.text == body, comment)
    case (.success(let answer), .pieces(let stub, let body, _, error: nil)):
      #expect(stubKey == stub, comment)
      #expect(answer.text == body, comment)
    case (.failure(let error as URLError), .pieces(let stub, _, _, let code?)):
      #expect(stubKey == stub, comment)
      #expect(error.errorCode == code, comment)
    case (.failure(let error as URLError), .silence(let stub)):
      #expect(stubKey == stub, comment)
      #expect(error.code == .timedOut, comment)
    case (.failure(let error as URLError), .passthrough(let stub)):
      // The interceptor does not allow passthrough.
      #expect(stubKey == stub, comment)
      #expect(error.code == UnmatchedPolicy.errorCode, comment)
    case (.failure(let error as URLError), .unmatched):
      #expect(stubKey == nil, comment)
      #expect(error.code == UnmatchedPolicy.errorCode, comment)
    case (.failure(let error), .error(let stub, let domain, let code)):
      #expect(stubKey == stub, comment)
      #expect((error as NSError).domain == domain, comment)
      #expect((error as NSError).code == code, comment)
      #expect((error is URLError) == (domain == NSURLErrorDomain), comment)
    default:
      Issue.record("expected \(expected), got \(result): \(comment)")
    }
  }
}

extension URLRequest {
  fileprivate init(_ request: ConformanceRequest) throws {
    self.init(url: try #require(URL(string: request.url)))
    httpMethod = request.method
    for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
    if case .bytes(let content) = request.body, !content.isEmpty { httpBody = content }
  }
}
