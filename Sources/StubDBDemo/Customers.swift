import Foundation
import StubDBCatalog
import StubDBPlayback
import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Customers who pay at the same time, each through a session of its own.
struct Customers {
  private static let charges = "https://api.shop.test/v1/charges?expand=customer"

  let catalog: Catalog
  let scenario: String
  var count = 4

  /// The responses of each, in order.
  ///
  /// - Throws: An error of a session, and of a request that the scenario does not expect.
  func pay() async throws -> [String] {
    try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 1...count {
        group.addTask {
          let interceptor = try StubInterceptor(scenario, in: catalog)
          defer { interceptor.end() }
          let session = interceptor.urlSession()
          let first = try await Self.charge(session)
          let second = try await Self.charge(session)
          try interceptor.verify()
          return (number, "customer \(number): \(first), then \(second)")
        }
      }
      var lines: [(Int, String)] = []
      for try await line in group { lines.append(line) }
      return lines.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private static func charge(_ session: URLSession) async throws -> String {
    guard let url = URL(string: charges) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("Bearer demo", forHTTPHeaderField: "Authorization")
    request.httpBody = Data(#"{"amount": 1200}"#.utf8)
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return "\(status) \(String(decoding: data, as: UTF8.self))"
  }
}
