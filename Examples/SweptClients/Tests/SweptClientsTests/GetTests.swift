import Foundation
import Get
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What apps do with Get, whose errors have no type in common.
@Suite(
  .catalog("SweptShop/Fixtures/shop.stubdb"), .everyFailure(expecting: { _, _ in true }),
  .everyEvolution, .everyOrder)
struct GetTests {
  /// A client that the scenario answers.
  private func client(_ delegate: (any APIClientDelegate)? = nil) -> APIClient {
    APIClient(
      configuration: APIClient.Configuration(
        baseURL: URL(string: "https://api.shop.test"),
        sessionConfiguration: StubInterceptor.current.configuration(), delegate: delegate))
  }

  @Test(.scenario("shop/orders"))
  func aListIsDecoded() async throws {
    let answer = try await client().send(Request<Orders>(path: "/v1/orders")).value
    #expect(answer.orders.map(\.id) == ["o_1", "o_2"])
  }

  @Test(.scenario("shop/address"))
  func contentIsSent() async throws {
    let request = Request<Address>(path: "/v1/address", method: .put, body: ["city": "Turin"])
    #expect(try await client().send(request).value.city == "Turin")
  }

  @Test(.scenario("shop/address"))
  func dataIsUploaded() async throws {
    let request = Request<Address>(path: "/v1/address", method: .put)
    let content = Data(#"{"city":"Turin"}"#.utf8)
    #expect(try await client().upload(for: request, from: content).value.city == "Turin")
  }

  @Test(.scenario("shop/charge"))
  func aPostIsSentOnce() async throws {
    let request = Request<Charge>(path: "/v1/charges", method: .post, body: ["cents": 1200])
    #expect(try await client().send(request).value.id == "ch_1")
  }

  @Test(.scenario("shop/dashboard"), .everyOrder(limit: 20))
  func manyRequestsAtOnce() async throws {
    let client = client()
    let titles = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 1...5 {
        group.addTask {
          try await client.send(Request<Tile>(path: "/v1/tiles/\(number)")).value.title
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(titles.count == 5)
  }

  /// The delegate signs requests, and asks for another token once.
  @Test(.scenario("shop/session"))
  func anExpiredTokenIsRefreshedOnce() async throws {
    let signing = client(TokenDelegate(tokens: Tokens(client())))
    let profile = Task { try await signing.send(Request<Profile>(path: "/v1/profile")).value }
    let wishlist = Task { try await signing.send(Request<Products>(path: "/v1/wishlist")).value }
    let (name, products) = (await profile.result, await wishlist.result)
    #expect(try name.get().name == "Ada")
    #expect(try products.get().products == ["pot"])
  }
}

/// A token, and one refresh of it.
private actor Tokens {
  private let client: APIClient
  private var refresh: Task<String, any Error>?

  init(_ client: APIClient) { self.client = client }

  var current: String {
    get async throws { if let refresh { try await refresh.value } else { "t_1" } }
  }

  /// Asks for another token than one that has expired; false if that was done.
  func refresh(insteadOf expired: String?) -> Bool {
    guard expired == "Bearer t_1" else { return false }
    refresh =
      refresh
      ?? Task {
        let request = Request<Token>(path: "/v1/token", method: .post, body: ["refresh": "r_1"])
        return try await client.send(request).value.token
      }
    return true
  }
}

private struct TokenDelegate: APIClientDelegate {
  let tokens: Tokens

  func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
    request.setValue("Bearer \(try await tokens.current)", forHTTPHeaderField: "Authorization")
  }

  func client(
    _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
  ) async throws -> Bool {
    guard case APIError.unacceptableStatusCode(401) = error else { return false }
    let used = task.currentRequest?.value(forHTTPHeaderField: "Authorization")
    return await tokens.refresh(insteadOf: used)
  }
}
