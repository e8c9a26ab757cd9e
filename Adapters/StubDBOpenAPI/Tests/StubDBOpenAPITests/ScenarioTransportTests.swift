import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime
import StubDBConformance
import StubDBOpenAPI
import StubDBTesting
import Testing

struct ScenarioTransportTests {
  /// The conformance table, which all front ends run.
  @Test(arguments: ConformanceCase.all)
  func clientGetsTheOutcome(_ row: ConformanceCase) async throws {
    let transport = ScenarioTransport(
      ScenarioSession(try row.load(), options: .init(pace: .instant)))
    for step in row.steps {
      guard var request = step.request.httpRequest, case .bytes(let body) = step.request.body,
        let base = URL(string: "\(request.scheme ?? "")://\(request.authority ?? "")"),
        base.host != nil
      else { continue }
      (request.scheme, request.authority) = (nil, nil)
      let comment: Comment = "\(step.request.method) \(step.request.url)"
      do {
        let (response, content) = try await transport.send(
          request, body: body.isEmpty ? nil : HTTPBody(body), baseURL: base, operationID: "asked")
        var pieces = Data()
        if let content {
          for try await piece in content { pieces += piece }
        }
        check(response, pieces, transport.session.journal.last, step.outcome, comment)
      } catch {
        check(error, transport.session.journal.last, step.outcome, comment)
      }
      #expect(transport.session.requests.last?.operation == "asked", comment)
    }
  }

  private func check(
    _ response: HTTPResponse, _ content: Data, _ event: ServeEvent?,
    _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    let text = String(decoding: content, as: UTF8.self)
    switch expected {
    case .response(let stub, let status, let fields, let body, _):
      #expect(event?.stubKey == stub, comment)
      #expect(response.status.code == status, comment)
      for (name, values) in fields {
        #expect(HTTPField.Name(name).map { response.headerFields[values: $0] } == values, comment)
      }
      #expect(text == body, comment)
    case .pieces(let stub, let body, _, error: nil):
      #expect(event?.stubKey == stub, comment)
      #expect(text == body, comment)
    default:
      Issue.record("expected \(expected), got \(response.status): \(comment)")
    }
  }

  private func check(
    _ error: any Error, _ event: ServeEvent?, _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    switch expected {
    case .unmatched:
      #expect(error is UnmatchedRequestError, comment)
      #expect(event?.isMatched == false, comment)
    case .error(let stub, let domain, let code):
      #expect(event?.stubKey == stub, comment)
      #expect((error as NSError).domain == domain, comment)
      #expect((error as NSError).code == code, comment)
    case .pieces(let stub, _, _, error: let code?):
      #expect(event?.stubKey == stub, comment)
      #expect((error as? URLError)?.errorCode == code, comment)
    case .silence(let stub):
      #expect(event?.stubKey == stub, comment)
      #expect((error as? URLError)?.code == .timedOut, comment)
    case .passthrough(let stub):
      #expect(event?.stubKey == stub, comment)
      #expect(error is PassthroughError, comment)
    default:
      Issue.record("expected \(expected), got \(error): \(comment)")
    }
  }

  /// What swift-openapi-generator makes of an operation, as far as a transport sees it.
  private struct Client {
    let client: UniversalClient

    init(serverURL: URL, transport: any ClientTransport) {
      client = UniversalClient(serverURL: serverURL, transport: transport)
    }

    func getMe() async throws -> Int {
      try await client.send(
        input: (), forOperation: "getMe",
        serializer: { _ in
          (HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/me"), nil)
        },
        deserializer: { response, _ in response.status.code })
    }
  }

  @Test(.interceptor) func aGeneratedClientJoinsTheRunOfItsTest() async throws {
    let interceptor = StubInterceptor.current
    try interceptor.stub(.get, "https://api.shop.test/v1/me") { _ in .json(["id": 1]) }
    let url = try #require(URL(string: "https://api.shop.test/v1/"))
    let client = Client(serverURL: url, transport: ScenarioTransport(sharing: interceptor))
    #expect(try await client.getMe() == 200)
    #expect(interceptor.requests.map(\.operation) == ["getMe"])
    #expect(interceptor.journal[0].description.contains("GET https://api.shop.test/v1/me (getMe)"))
  }

  @Test func anUnmatchedOperationIsNamed() async throws {
    let transport = ScenarioTransport(ScenarioSession())
    let url = try #require(URL(string: "https://api.shop.test"))
    let error = await #expect(throws: ClientError.self) {
      try await Client(serverURL: url, transport: transport).getMe()
    }
    #expect(error?.underlyingError is UnmatchedRequestError)
    #expect(error?.operationID == "getMe")
  }
}
