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
    let differences = await row.differences(
      journal: transport.session.journal, isExpected: Self.isExpected
    ) { request, _, content in
      let base = try #require(URL(string: "\(request.scheme ?? "")://\(request.authority ?? "")"))
      var request = request
      (request.scheme, request.authority) = (nil, nil)
      let (response, body) = try await transport.send(
        request, body: content.isEmpty ? nil : HTTPBody(content), baseURL: base,
        operationID: "asked")
      var pieces = Data()
      if let body {
        for try await piece in body { pieces += piece }
      }
      return ConformanceAnswer(response, content: pieces)
    }
    #expect(differences == [])
    #expect(transport.session.requests.allSatisfy { $0.operation == "asked" })
  }

  private static func isExpected(_ error: any Error, _ failure: ConformanceFailure) -> Bool {
    switch failure {
    case .unmatched: error is UnmatchedRequestError
    case .passthrough: error is PassthroughError
    case .silence: (error as? URLError)?.code == .timedOut
    case .error(let domain, let code):
      (error as NSError).domain == domain && (error as NSError).code == code
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
