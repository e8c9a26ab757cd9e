import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Talks to the shop's server.
public struct ShopClient: Sendable {
  private static let server = "https://api.shop.test"

  private let session: URLSession
  /// What signing in gave; nil before that.
  public private(set) var token: String?

  /// Makes a client that sends its requests in the session.
  public init(session: URLSession = .shared) {
    self.session = session
  }

  /// Signs the customer in, for all requests that follow.
  public mutating func signIn(email: String, password: String) async throws -> Customer {
    struct Credentials: Encodable {
      var email: String
      var password: String
    }
    struct Answer: Decodable {
      var token: String
      var user: Customer
    }
    let answer: Answer = try await send(
      "POST", "/v1/session", Credentials(email: email, password: password))
    token = answer.token
    return answer.user
  }

  /// Who is signed in.
  public func me() async throws -> Customer {
    try await send("GET", "/v1/me", String?.none)
  }

  /// Charges the customer's card, in cents.
  public func charge(amount: Int) async throws -> Charge {
    struct Order: Encodable {
      var amount: Int
      var currency = "EUR"
    }
    return try await send("POST", "/v1/charges?expand=customer", Order(amount: amount))
  }

  /// The parcels that arrive after a moment, from all pages.
  public func deliveries(from now: Date) async throws -> [Delivery] {
    struct Page: Decodable {
      var deliveries: [Delivery]
      var next: String?
      var expiresAt: Double
    }
    let day = ISO8601DateFormatter().string(from: now).prefix(10)
    var (found, next): ([Delivery], String?) = ([], "/v1/deliveries?from=\(day)")
    while let path = next {
      let page: Page = try await send("GET", path, String?.none)
      guard page.expiresAt > now.timeIntervalSince1970 else { throw ShopError.notUnderstood }
      found += page.deliveries
      next = page.next
    }
    return found.filter { $0.due > now }
  }

  /// Replaces the customer's picture, and gives the tag of the new one.
  public func uploadAvatar(_ picture: Data) async throws -> String? {
    var request = try request("PUT", "/v1/me/avatar")
    request.setValue("image/gif", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await session.upload(for: request, from: picture)
    return try Self.checked(data, response).response.value(forHTTPHeaderField: "ETag")
  }

  private func send<Answer: Decodable>(
    _ method: String, _ path: String, _ content: (some Encodable)?
  ) async throws -> Answer {
    var request = try request(method, path)
    if let content {
      request.httpBody = try JSONEncoder().encode(content)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.data(for: request)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(Answer.self, from: try Self.checked(data, response).data)
  }

  private func request(_ method: String, _ path: String) throws -> URLRequest {
    guard let url = URL(string: Self.server + path) else { throw ShopError.notUnderstood }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return request
  }

  private static func checked(
    _ data: Data, _ response: URLResponse
  ) throws -> (data: Data, response: HTTPURLResponse) {
    guard let response = response as? HTTPURLResponse else { throw ShopError.notUnderstood }
    switch response.statusCode {
    case 200..<300:
      return (data, response)
    case 401:
      throw ShopError.notSignedIn
    case 402:
      let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init)
      throw ShopError.cardDeclined(retryAfterSeconds: seconds)
    default:
      throw ShopError.failed(status: response.statusCode)
    }
  }
}
