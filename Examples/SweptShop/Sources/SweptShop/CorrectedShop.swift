import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client without the twelve defects.
actor CorrectedShop: Shop {
  let connection: Connection
  private var token = "t_1"
  private var refresh: (of: String, task: Task<String, any Error>)?
  private var text = ""
  private(set) var found: [String] = []
  private(set) var cart: [String] = []

  init(_ connection: Connection) { self.connection = connection }

  /// Asks up to three times, and waits as long as the server says, or longer each time.
  private func retrying<Answer: Sendable>(
    _ ask: () async throws -> Answer
  ) async throws -> Answer {
    for attempt in 1...2 {
      do {
        return try await ask()
      } catch RequestError.unreachable {
        try await connection.clock.sleep(for: .seconds(attempt))
      } catch RequestError.refused(status: 429, let seconds) {
        try await connection.clock.sleep(for: .seconds(seconds ?? attempt))
      }
    }
    return try await ask()
  }

  func products() async throws -> [String] {
    let answer: Products = try await retrying { try await connection.get("/products") }
    return answer.products
  }

  func move(to city: String) async throws {
    let _: Address = try await connection.send("PUT", "/address", ["city": city])
  }

  // The key says to the server that a second request is the same charge.
  func charge(cents: Int) async throws -> String {
    let key = UUID().uuidString
    let answer: Charge = try await retrying {
      try await connection.send(
        "POST", "/charges", ["cents": "\(cents)"], headers: ["Idempotency-Key": key])
    }
    return answer.id
  }

  // Each path resumes the continuation.
  func receipt(of charge: String) async throws -> String {
    let request = try connection.request("GET", "/charges/\(charge)/receipt")
    let receipt: Receipt = try await withCheckedThrowingContinuation { continuation in
      let task = connection.session.dataTask(with: request) { data, response, error in
        if let error = error as? URLError {
          continuation.resume(throwing: RequestError.unreachable(error.code))
        } else {
          continuation.resume(with: Result { try Connection.answer(data ?? Data(), response) })
        }
      }
      task.resume()
    }
    return receipt.number
  }

  // A status that was added later is one of its own.
  func orders() async throws -> [String] {
    enum Status: String, Decodable {
      case open, paid, other

      init(from decoder: any Decoder) throws {
        self = Self(rawValue: try String(from: decoder)) ?? .other
      }
    }
    struct Order: Decodable {
      var id: String
      var status: Status
    }
    struct Orders: Decodable { var orders: [Order] }
    let answer: Orders = try await connection.get("/orders")
    return answer.orders.map(\.id)
  }

  func customer() async throws -> String {
    struct Customer: Decodable {
      var name: String
      var phone: String?
    }
    let answer: Customer = try await connection.get("/me")
    return answer.name
  }

  func balance() async throws -> Int {
    struct Balance: Decodable { var cents: Int }
    let answer: Balance = try await connection.get("/balance")
    return answer.cents
  }

  func card() async throws -> String? {
    let answer: Cards = try await connection.get("/cards")
    return answer.cards.first?.ending
  }

  // All requests that see the same token expire wait for one refresh of it.
  private func token(insteadOf expired: String) async throws -> String {
    if token != expired { return token }
    if let refresh, refresh.of == expired { return try await refresh.task.value }
    let task = Task {
      let answer: Token = try await connection.send("POST", "/token", ["refresh": "r_1"])
      token = answer.token
      return answer.token
    }
    refresh = (expired, task)
    return try await task.value
  }

  private func authorized<Answer: Decodable & Sendable>(_ path: String) async throws -> Answer {
    let expired = token
    do {
      return try await connection.get(path, token: expired)
    } catch RequestError.refused(status: 401, _) {
      return try await connection.get(path, token: try await token(insteadOf: expired))
    }
  }

  func profile() async throws -> String {
    let answer: Profile = try await authorized("/profile")
    return answer.name
  }

  func wishlist() async throws -> [String] {
    let answer: Products = try await authorized("/wishlist")
    return answer.products
  }

  // Only the answer to the text that is still in the field is shown.
  func type(_ text: String) -> Task<Void, any Error> {
    self.text = text
    return Task {
      let answer: Products = try await connection.get("/search?q=\(text)")
      if self.text == text { found = answer.products }
    }
  }

  // The cart is read and written without a wait in between.
  func add(_ product: String) async throws {
    let price: Price = try await connection.get("/prices/\(product)")
    let line: Line = try await connection.send(
      "POST", "/cart", ["product": product, "cents": "\(price.cents)"])
    cart.append(line.product)
  }

  func stock(of product: String) async throws -> Int {
    let answer: Stock = try await retrying { try await connection.get("/stock/\(product)") }
    return answer.count
  }
}
