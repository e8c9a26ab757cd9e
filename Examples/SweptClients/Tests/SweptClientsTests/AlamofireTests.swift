import Alamofire
import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private let server = "https://api.shop.test/v1"

/// What apps do with Alamofire.
@Suite(
  .catalog("SweptShop/Fixtures/shop.stubdb"), .everyFailure(expecting: AFError.self),
  .everyEvolution, .everyOrder)
struct AlamofireTests {
  /// A session that the scenario answers.
  private var session: Session { Session(configuration: StubInterceptor.current.configuration()) }

  @Test(.scenario("shop/orders"))
  func aListIsDecoded() async throws {
    let session = session
    let answer = try await session.request(server + "/orders").validate()
      .serializingDecodable(Orders.self).value
    #expect(answer.orders.map(\.id) == ["o_1", "o_2"])
  }

  @Test(.scenario("shop/address"))
  func parametersAreSent() async throws {
    let session = session
    let answer = try await session.request(
      server + "/address", method: .put, parameters: ["city": "Turin"],
      encoder: JSONParameterEncoder.default
    ).validate().serializingDecodable(Address.self).value
    #expect(answer.city == "Turin")
  }

  @Test(.scenario("shop/address"))
  func dataIsUploaded() async throws {
    let session = session
    let answer = try await session.upload(
      Data(#"{"city":"Turin"}"#.utf8), to: server + "/address", method: .put
    ).validate().serializingDecodable(Address.self).value
    #expect(answer.city == "Turin")
  }

  /// The policy repeats only what may be repeated, which a charge is not.
  @Test(.scenario("shop/charge"))
  func aPostIsNotRetried() async throws {
    let session = session
    let answer = try await session.request(
      server + "/charges", method: .post, parameters: ["cents": 1200],
      interceptor: RetryPolicy(exponentialBackoffScale: 0.01)
    ).validate().serializingDecodable(Charge.self).value
    #expect(answer.id == "ch_1")
  }

  @Test(.scenario("shop/products"))
  func aGetIsRetried() async throws {
    let session = session
    let answer = try await session.request(
      server + "/products", interceptor: RetryPolicy(exponentialBackoffScale: 0.01)
    ).validate().serializingDecodable(Products.self).value
    #expect(answer.products == ["tea", "cup"])
  }

  @Test(.scenario("shop/orders"))
  func completionHandlersAreCalled() async throws {
    let session = session
    let answer = try await withCheckedThrowingContinuation { continuation in
      session.request(server + "/orders").validate().responseDecodable(of: Orders.self) {
        continuation.resume(with: $0.result)
      }
    }
    #expect(answer.orders.map(\.id) == ["o_1", "o_2"])
  }

  @Test(.scenario("shop/dashboard"), .everyOrder(limit: 20))
  func manyRequestsAtOnce() async throws {
    let session = session
    let titles = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 1...5 {
        group.addTask {
          try await session.request(server + "/tiles/\(number)").validate()
            .serializingDecodable(Tile.self).value.title
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(titles.count == 5)
  }

  /// Requests that see a token expire wait for one refresh of it.
  @Test(.scenario("shop/session"))
  func anExpiredTokenIsRefreshedOnce() async throws {
    let session = session
    let interceptor = AuthenticationInterceptor(
      authenticator: ShopAuthenticator(), credential: ShopCredential(token: "t_1"))
    let profile = Task {
      try await session.request(server + "/profile", interceptor: interceptor).validate()
        .serializingDecodable(Profile.self).value
    }
    let wishlist = Task {
      try await session.request(server + "/wishlist", interceptor: interceptor).validate()
        .serializingDecodable(Products.self).value
    }
    let (name, products) = (await profile.result, await wishlist.result)
    #expect(try name.get().name == "Ada")
    #expect(try products.get().products == ["pot"])
  }
}

private struct ShopCredential: AuthenticationCredential, Sendable {
  var token: String
  let requiresRefresh = false
}

private final class ShopAuthenticator: Authenticator {
  func apply(_ credential: ShopCredential, to urlRequest: inout URLRequest) {
    urlRequest.headers.update(.authorization(bearerToken: credential.token))
  }

  func refresh(
    _ credential: ShopCredential, for session: Session,
    completion: @escaping @Sendable (Result<ShopCredential, any Error>) -> Void
  ) {
    session.request(server + "/token", method: .post, parameters: ["refresh": "r_1"]).validate()
      .responseDecodable(of: Token.self) { response in
        completion(response.result.map { ShopCredential(token: $0.token) }.mapError { $0 })
      }
  }

  func didRequest(
    _ urlRequest: URLRequest, with response: HTTPURLResponse,
    failDueToAuthenticationError error: any Error
  ) -> Bool {
    response.statusCode == 401
  }

  func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: ShopCredential) -> Bool {
    urlRequest.headers["Authorization"] == "Bearer " + credential.token
  }
}
