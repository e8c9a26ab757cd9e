import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum ShopError: Error, Equatable { case cardDeclined }

struct ShopClient {
  struct Charge: Decodable { var id: String }
  let session: URLSession

  func charge(_ amount: Int) async throws -> Charge {
    guard let url = URL(string: "https://api.shop.test/v1/charges?expand=customer") else {
      throw URLError(.badURL)
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"amount": \#(amount)}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer t_ada", forHTTPHeaderField: "Authorization")
    let (data, response) = try await session.data(for: request)
    if (response as? HTTPURLResponse)?.statusCode == 402 { throw ShopError.cardDeclined }
    return try JSONDecoder().decode(Charge.self, from: data)
  }
}
