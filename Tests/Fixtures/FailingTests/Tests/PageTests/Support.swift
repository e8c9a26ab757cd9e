import Foundation
import HTTPTypes
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code that the Swift blocks of the pages use: code under test without stubs.

/// The catalog that `scripts/test-failing-fixture` makes from the documents of the examples and the pages.
let shopCatalog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../shop.stubdb").standardizedFileURL

enum ShopError: Error, Equatable { case cardDeclined }

struct ShopClient {
  struct Charge: Decodable { var id: String }
  let session: URLSession

  func charge(_ amount: Int) async throws -> Charge {
    let (data, response) = try await session.data(
      for: .json(
        "POST", "https://api.shop.test/v1/charges?expand=customer", #"{"amount": \#(amount)}"#))
    if (response as? HTTPURLResponse)?.statusCode == 402 { throw ShopError.cardDeclined }
    return try JSONDecoder().decode(Charge.self, from: data)
  }

  /// Signs in and buys an item.
  func buy(_ item: String) async throws {
    _ = try await session.data(for: .json("POST", "https://api.shop.test/v1/session", "{}"))
    _ = try await session.data(
      for: .json("POST", "https://api.shop.test/v1/orders/o_7", #"{"item": "\#(item)"}"#))
  }
}

struct Uploader {
  struct Ticket: Decodable { var url: URL }
  let session: URLSession

  func upload(_ content: Data) async throws {
    let ticket = try await session.data(for: .json("POST", "https://api.test/uploads", "{}")).0
    var request = URLRequest(url: try JSONDecoder().decode(Ticket.self, from: ticket).url)
    request.httpMethod = "PUT"
    _ = try await session.upload(for: request, from: content)
  }
}

struct User: Decodable, Equatable { var name: String }

struct APIClient {
  let session: URLSession

  func user(_ id: Int) async throws -> User {
    var request = URLRequest(url: try #require(URL(string: "https://h.test/users/\(id)")))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return try JSONDecoder().decode(User.self, from: try await session.data(for: request).0)
  }
}

struct Client {
  let configuration: URLSessionConfiguration
}

protocol HTTPSession: Sendable {
  func data(for request: HTTPRequest) async throws -> (Data, HTTPResponse)
  func upload(for request: HTTPRequest, from bodyData: Data) async throws -> (Data, HTTPResponse)
}

struct AvatarClient {
  let session: any HTTPSession
}

extension URLRequest {
  fileprivate static func json(_ method: String, _ url: String, _ body: String) throws -> URLRequest
  {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer t_ada", forHTTPHeaderField: "Authorization")
    return request
  }
}
