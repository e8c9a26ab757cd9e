import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client with twelve defects that pass a review, and tests with the answers that the server usually gives.
actor CarelessShop: Shop {
  let connection: Connection
  private var token = "t_1"
  private(set) var found: [String] = []
  private(set) var cart: [String] = []

  init(_ connection: Connection) { self.connection = connection }

  // Forgotten retry limit: without a network, the loop never ends.
  func products() async throws -> [String] {
    while true {
      do {
        let answer: Products = try await connection.get("/products")
        return answer.products
      } catch RequestError.unreachable {
        continue
      }
    }
  }

  // Swallowed error: whatever happens, the customer reads that the address is changed.
  func move(to city: String) async throws {
    _ = try? await connection.send("PUT", "/address", ["city": city]) as Address
  }

  // Double charge after a time-out: the server may have charged the card before the answer was lost.
  func charge(cents: Int) async throws -> String {
    func charge() async throws -> Charge {
      try await connection.send("POST", "/charges", ["cents": "\(cents)"])
    }
    do {
      return try await charge().id
    } catch RequestError.unreachable(.timedOut) {
      return try await charge().id
    }
  }

  // Hang on reset: for an error that the list lacks, the continuation is never resumed.
  func receipt(of charge: String) async throws -> String {
    let request = try connection.request("GET", "/charges/\(charge)/receipt")
    let receipt: Receipt = try await withCheckedThrowingContinuation { continuation in
      let task = connection.session.dataTask(with: request) { data, response, error in
        switch (error as? URLError)?.code {
        case nil:
          continuation.resume(with: Result { try Connection.answer(data ?? Data(), response) })
        case let code? where [.notConnectedToInternet, .timedOut].contains(code):
          continuation.resume(throwing: RequestError.unreachable(code))
        default:
          break
        }
      }
      task.resume()
    }
    return receipt.number
  }

  // Brittle enumeration: one order with a new status, and no order is shown.
  func orders() async throws -> [String] {
    enum Status: String, Decodable { case open, paid }
    struct Order: Decodable {
      var id: String
      var status: Status
    }
    struct Orders: Decodable { var orders: [Order] }
    let answer: Orders = try await connection.get("/orders")
    return answer.orders.map(\.id)
  }

  // Null where a value is required: not each customer has given a telephone.
  func customer() async throws -> String {
    struct Customer: Decodable {
      var name: String
      var phone: String
    }
    let answer: Customer = try await connection.get("/me")
    return answer.name
  }

  // Overflow of Int32: so much money is not representable.
  func balance() async throws -> Int {
    struct Balance: Decodable { var cents: Int32 }
    let answer: Balance = try await connection.get("/balance")
    return Int(answer.cents)
  }

  // List assumed not to be empty: the app crashes for a customer without a card.
  func card() async throws -> String? {
    let answer: Cards = try await connection.get("/cards")
    return answer.cards[0].ending
  }

  // Race of token refreshes: two requests that see the token expire use the refresh token twice, and it is good for once.
  private func authorized<Answer: Decodable & Sendable>(_ path: String) async throws -> Answer {
    let expired = token
    do {
      return try await connection.get(path, token: expired)
    } catch RequestError.refused(status: 401, _) {
      if token == expired {
        let answer: Token = try await connection.send("POST", "/token", ["refresh": "r_1"])
        token = answer.token
      }
      return try await connection.get(path, token: token)
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

  // Stale search result: the answer to an earlier text may come last, and is shown.
  func type(_ text: String) -> Task<Void, any Error> {
    Task {
      let answer: Products = try await connection.get("/search?q=\(text)")
      found = answer.products
    }
  }

  // Lost update: what is added while the server answers is overwritten.
  func add(_ product: String) async throws {
    let price: Price = try await connection.get("/prices/\(product)")
    let before = cart
    let line: Line = try await connection.send(
      "POST", "/cart", ["product": product, "cents": "\(price.cents)"])
    cart = before + [line.product]
  }

  // Retry without backoff: a server that has too much to do gets three requests at once.
  func stock(of product: String) async throws -> Int {
    func count() async throws -> Int {
      let answer: Stock = try await connection.get("/stock/\(product)")
      return answer.count
    }
    for _ in 1...2 {
      do {
        return try await count()
      } catch RequestError.refused(status: 429, _) {
        continue
      }
    }
    return try await count()
  }
}
