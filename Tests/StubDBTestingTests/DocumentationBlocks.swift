import Foundation
import StubDBTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The Swift blocks of README.md and docs/migrating.md, compiled. `DocumentationTests` fails where a page says something else.

/// Compiled and not run where it needs a catalog that is not here.
@Suite(.disabled("The catalog of the example is not here.")) struct DocumentationBlocks {
  @Suite(.catalog("Fixtures/shop.stubdb"))
  struct CheckoutTests {
    @Test(.scenario("checkout/card-declined"))
    func aDeclinedCardCanBeReplaced() async throws {
      let shop = ShopClient(session: .stubbed)
      await #expect(throws: ShopError.cardDeclined) { try await shop.charge(1200) }
      #expect(try await shop.charge(1200).id == "ch_1")
    }
  }

  @Test(.scenario("uploads/presigned")) func theFileIsUploaded() async throws {
    try await Uploader(session: .stubbed).upload(Data("content".utf8))
  }
}

@Suite(.interceptor) struct UserTests {
  @Test func theUserIsDecoded() async throws {
    Interceptor.current.stub { request in
      #expect(request.method == "GET")
      #expect(request.headers["Accept"] == "application/json")
      return .json(["name": "Ada"])
    }
    let client = APIClient(session: .stubbed)
    #expect(try await client.user(7) == User(name: "Ada"))
  }
}

@Suite struct DocumentationClosureTests {
  /// The block on closures, played.
  @Test func closuresSitOnTop() async throws {
    let interceptor = Interceptor()
    try interceptor.stub("/v1/session") { _ in .json([:]) }
    let session = interceptor.urlSession()
    func send(_ path: String, _ body: String) async throws {
      var request = URLRequest(url: try #require(URL(string: "https://api.shop.test" + path)))
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      _ = try await session.data(for: request)
    }
    try interceptor.stub("POST", "https://api.shop.test/v1/orders/{id}") { request in
      let sent = try request.json()
      #expect(sent == ["item": "b_1"])
      #expect(request.headers["Content-Type"] == "application/json")
      return .json(["state": "paid"], status: 201)
    }
    try await send("/v1/session", "{}")
    try await send("/v1/orders/{id}", #"{"item": "b_1"}"#)
    let sent = try interceptor.requests(to: "/v1/orders/{id}")
    interceptor.expectRequests(1, to: "/v1/orders/{id}", method: "POST")
    interceptor.expectRequests(inOrder: ["POST /v1/session", "POST /v1/orders/{id}"])
    #expect(sent.count == 1)
  }

  /// A response of a table that was one of a `URLProtocol`.
  @Test(arguments: [true, false]) func aTableOfAnswersByURL(fails: Bool) async throws {
    let url = try #require(URL(string: "https://h.test/a"))
    let (data, error): (Data?, (any Error)?) =
      fails ? (nil, URLError(.timedOut)) : (Data("yes".utf8), nil)
    let response: URLResponse? = HTTPURLResponse(
      url: url, statusCode: 201, httpVersion: nil, headerFields: nil)
    let interceptor = Interceptor(unmatched: .passthrough)
    let registration = try interceptor.stub(url.absoluteString) { _ in
      if let error { throw error }
      guard let response = response as? HTTPURLResponse else { return nil }
      return StubResponse(response, content: data ?? Data())
    }
    let session = interceptor.urlSession()
    if fails {
      await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
    } else {
      let (content, answer) = try await session.data(from: url)
      #expect(content == data && (answer as? HTTPURLResponse)?.statusCode == 201)
    }
    registration.remove()
  }

  @Test func aConfigurationIsHandedOver() async throws {
    let interceptor = Interceptor()
    interceptor.stub { _ in .text("yes") }
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [interceptor.protocolClass]
    configuration.urlCache = nil
    let client = Client(configuration: configuration)
    #expect(try await client.text() == "yes")
  }

  @Test func theInterceptorWithoutATestFramework() async throws {
    let url = URL(fileURLWithPath: TestCatalog.path)
    let configuration = URLSessionConfiguration.ephemeral
    #expect(throws: CatalogError.self) {
      let catalog = try Catalog(contentsOf: url)
      let interceptor = try Interceptor("checkout/card-declined", in: catalog)
      let session = interceptor.urlSession()
      configuration.protocolClasses = [interceptor.protocolClass]
      _ = interceptor.journal
      try interceptor.verify()
      interceptor.end()
      _ = session
    }
  }

  /// Compiled only: nobody calls it.
  private func theTestInXCTest() {
    final class CheckoutTests: XCTestCase {
      func testADeclinedCardCanBeReplaced() async throws {
        let interceptor = try loadScenario(
          "checkout/card-declined", catalog: "Fixtures/shop.stubdb")
        let shop = ShopClient(session: interceptor.urlSession())
        do {
          _ = try await shop.charge(1200)
          XCTFail("the bank said yes")
        } catch ShopError.cardDeclined {}
        let charge = try await shop.charge(1200)
        XCTAssertEqual(charge.id, "ch_1")
      }
    }
  }
}

// What the blocks speak of.

private enum ShopError: Error, Equatable { case cardDeclined }

private struct ShopClient {
  struct Charge { var id: String }
  let session: URLSession

  func charge(_ amount: Int) async throws -> Charge { throw ShopError.cardDeclined }
}

private struct Uploader {
  let session: URLSession

  func upload(_ data: Data) async throws {}
}

private struct User: Decodable, Equatable { var name: String }

private struct APIClient {
  let session: URLSession

  func user(_ id: Int) async throws -> User {
    var request = URLRequest(url: try #require(URL(string: "https://h.test/users/\(id)")))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return try JSONDecoder().decode(User.self, from: try await session.data(for: request).0)
  }
}

private struct Client {
  let configuration: URLSessionConfiguration

  func text() async throws -> String {
    let url = try #require(URL(string: "https://h.test/"))
    let data = try await URLSession(configuration: configuration).data(from: url).0
    return String(decoding: data, as: UTF8.self)
  }
}
