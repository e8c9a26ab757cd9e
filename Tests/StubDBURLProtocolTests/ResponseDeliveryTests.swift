import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ResponseDeliveryTests {
  @Test(arguments: Exchange.allCases)
  func statusFieldsAndContentArrive(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try answering(
        StubResponse(status: 402, headers: [.retryAfter: "1"], body: .json(["error": "declined"]))))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.status == 402)
    #expect(answer.header("Retry-After") == "1")
    #expect(answer.header("Content-Type") == "application/json")
    #expect(answer.text == #"{"error":"declined"}"#)
    #expect(answer.response.url?.absoluteString == apiURL)
  }

  @Test(
    arguments: Exchange.allCases,
    [("HEAD", 200), ("GET", 204), ("GET", 205), ("GET", 304)])
  func answersThatHaveNoContentGetNone(
    _ exchange: Exchange, _ methodAndStatus: (String, Int)
  ) async throws {
    let (method, status) = methodAndStatus
    let interceptor = StubInterceptor(
      try answering(StubResponse(status: status, body: .text("not for this answer"))))
    let answer = try await exchange.send(try request(method), through: interceptor)
    #expect(answer.status == status)
    #expect(answer.content.isEmpty)
  }

  @Test(arguments: Exchange.allCases, ["Basic realm=\"shop\"", "Bearer x, basic realm=\"shop\""])
  func unauthorizedWithBasicIsDelivered(_ exchange: Exchange, _ challenge: String) async throws {
    let interceptor = StubInterceptor(
      try answering(
        StubResponse(
          status: 401, headers: [.wwwAuthenticate: challenge], body: .text("sign in first"))))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.status == 401)
    #expect(answer.text == "sign in first")
    #expect(answer.header("WWW-Authenticate")?.hasSuffix(challenge) == true)
  }

  @Test func repeatedFieldsArriveJoinedAndCookiesCanBeToldApart() async throws {
    var headers = HTTPFields()
    headers.append(HTTPField(name: .setCookie, value: "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT"))
    headers.append(HTTPField(name: .setCookie, value: "b=2; Path=/"))
    headers.append(HTTPField(name: .vary, value: "Accept"))
    headers.append(HTTPField(name: try #require(HTTPField.Name("VARY")), value: "Origin"))
    let interceptor = StubInterceptor(try answering(StubResponse(headers: headers)))
    let answer = try await Exchange.async.send(try request(), through: interceptor)
    #expect(answer.header("Vary") == "Accept, Origin")
    let fields = try #require(answer.response.allHeaderFields as? [String: String])
    let cookies = HTTPCookie.cookies(
      withResponseHeaderFields: fields, for: try #require(answer.response.url))
    #expect(Set(cookies.map { "\($0.name)=\($0.value)" }) == ["a=1", "b=2"])
  }

  @Test func everyAnswerToOneURLHasItsOwnHead() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/heads", "stubs": [ { "key": "any", "then": "cycle", "responses": [
          { "headers": { "X-Turn": "1" } },
          { "headers": { "X-Turn": "2" } },
          { "status": 201, "headers": { "X-Turn": "2" } },
          { "template": true, "headers": { "X-Turn": "{{request.headers.X-Number}}" } } ] } ] }
        """))
    var heads: [String] = []
    for number in 1...8 {
      let answer = try await Exchange.async.send(
        try request(headers: ["X-Number": "\(number)"]), through: interceptor)
      heads.append("\(answer.status) \(answer.header("X-Turn") ?? "")")
    }
    #expect(
      heads == ["200 1", "200 2", "201 2", "200 4", "200 1", "200 2", "201 2", "200 8"])
  }

  // printf "hello, hello, hello" | gzip -9n | base64
  private static let compressed = "H4sIAAAAAAACA8tIzcnJ11HIQKIAn6HKCRMAAAA="

  @Test(arguments: Exchange.allCases)
  func compressedContentArrivesDecoded(_ exchange: Exchange) async throws {
    let bytes = try #require(Data(base64Encoded: Self.compressed))
    let interceptor = StubInterceptor(
      try answering(StubResponse(headers: [.contentEncoding: "gzip"], body: .data(bytes))))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.text == "hello, hello, hello")
    #expect(answer.header("Content-Encoding") == "gzip")
  }

  @Test func contentThatWasStoredDecodedStaysAsItIs() async throws {
    let interceptor = StubInterceptor(
      try answering(StubResponse(headers: [.contentEncoding: "gzip"], body: .text("decoded"))))
    let answer = try await Exchange.async.send(try request(), through: interceptor)
    #expect(answer.text == "decoded")
  }

  @Test(arguments: Exchange.allCases)
  func contentThatIsCutOffCannotBeDecoded(_ exchange: Exchange) async throws {
    let bytes = try #require(Data(base64Encoded: Self.compressed)).dropLast(10)
    let interceptor = StubInterceptor(
      try answering(StubResponse(headers: [.contentEncoding: "gzip"], body: .data(Data(bytes)))))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request(), through: interceptor)
    }
    #expect(error?.code == .cannotDecodeContentData)
  }

  @Test(arguments: Exchange.allCases)
  func largeContentArrivesWhole(_ exchange: Exchange) async throws {
    let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let interceptor = StubInterceptor(try answering(StubResponse(body: .data(content))))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.content == content)
  }

  @Test func contentLeftInTheCatalogIsReadWhenItIsServed() async throws {
    let content = Data(repeating: 7, count: 100_000)
    let reader = FixedBodies(content: content)
    let interceptor = StubInterceptor(try scenario(reader: reader, byteCount: content.count))
    #expect(try await Exchange.async.send(try request(), through: interceptor).content == content)
    try interceptor.verify()
  }

  @Test(arguments: Exchange.allCases)
  func contentThatCannotBeReadFailsTheRequestAndTheVerification(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(try scenario(reader: FixedBodies(content: nil), byteCount: 1))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request(), through: interceptor)
    }
    #expect(error?.code == .cannotOpenFile)
    #expect(error?.localizedDescription.contains("the disk is gone") == true)
    let failure = #expect(throws: VerificationError.self) { try interceptor.verify() }
    #expect(failure?.problems.map(\.kind) == [.unreadableContent])
    #expect(failure?.problems.first?.stubKey == "stored")
  }

  private struct FixedBodies: StoredBodyReader {
    struct Gone: Error, CustomStringConvertible { let description = "the disk is gone" }
    let content: Data?

    func data(for body: StoredBody) throws -> Data {
      guard let content else { throw Gone() }
      return content
    }
  }

  private func scenario(reader: FixedBodies, byteCount: Int) throws -> LoadedScenario {
    let body = ResponseBody(
      kind: .base64,
      content: .stored(StoredBody(digest: Data(count: 32), byteCount: byteCount)))
    let name = ScenarioName(unchecked: "test/stored")
    return try LoadedScenario(
      name: name,
      stubs: [
        LoadedScenario.Source(
          origin: name, stub: Stub(key: "stored", responses: [StubResponse(body: body)]))
      ], bodies: reader)
  }
}
