import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a customer has paid.
public struct Charge: Decodable, Sendable {
  /// Its number at the bank.
  public var id: String
}

/// What went wrong, for the app to show.
public enum ShopError: Error {
  /// The bank refuses the card.
  case cardDeclined
}

/// Talks to the shop's server.
public struct ShopClient: Sendable {
  private let session: URLSession

  /// Makes a client that sends its requests in the session.
  public init(session: URLSession = .shared) {
    self.session = session
  }

  /// Charges the customer's card, in cents.
  public func charge(_ amount: Int) async throws -> Charge {
    guard let url = URL(string: "https://api.shop.test/v1/charges") else {
      throw URLError(.badURL)
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["amount": amount])
    let (data, response) = try await session.data(for: request)
    if (response as? HTTPURLResponse)?.statusCode == 402 {
      throw ShopError.cardDeclined
    }
    return try JSONDecoder().decode(Charge.self, from: data)
  }
}
