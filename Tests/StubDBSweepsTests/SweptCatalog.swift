import Foundation
import StubDB
import StubDBDocuments
import StubDBSweeps
import StubDBTestSupport
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A catalog in a new folder, created once for all tests of the process.
enum SweptCatalog {
  static let path: String = {
    var file = URL(fileURLWithPath: "swept.stubdb")
    do {
      file = try makeTemporaryFolder().appendingPathComponent("swept.stubdb")
      let catalog = try Catalog.create(at: file)
      try catalog.edit { editor in
        for document in documents + [longList, manyMembers] {
          try editor.insert(try ScenarioDocument.decode(Data(document.utf8)))
        }
      }
    } catch {
      // The tests that open it report the error.
      return "\(file.path) (\(error))"
    }
    atexit {
      let file = URL(fileURLWithPath: SweptCatalog.path)
      try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
    return file.path
  }()

  /// More elements than are looked at; the last one has a member that the others have not.
  private static let longList: String = {
    let items = (1...60).map { #"{ "id": \#($0)\#($0 == 60 ? #", "note": "x""# : "") }"# }
    return """
      { "scenario": "shop/long", "stubs": [
        { "key": "long", "request": { "url": "https://api.shop.test/long" },
          "responses": [ { "json": { "items": [ \(items.joined(separator: ", ")) ] } } ] } ] }
      """
  }()

  /// More changes than are tried: two of each member, one of the whole and one of its order.
  private static let manyMembers: String = {
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let members = letters.flatMap { first in letters.prefix(10).map { first + $0 } }
      .map { "\"has_\($0)\": { \"cents\": 1 }" }
    return """
      { "scenario": "shop/many", "stubs": [
        { "key": "many", "request": { "url": "https://api.shop.test/many" },
          "responses": [ { "json": { \(members.joined(separator: ", ")) } } ] } ] }
      """
  }()

  private static let documents = [
    """
    { "scenario": "shop/notes", "stubs": [
      { "key": "notes", "resource": { "at": "https://api.shop.test/v1/notes", "id": "integer", "seed": [
        { "id": 1, "title": "Milk", "state": "open" }, { "id": 2, "title": "Bread", "state": "done" } ] } },
      { "key": "banner", "request": { "method": "GET", "url": "https://api.shop.test/v1/banner" },
        "responses": [ { "text": "Sale", "delay": "900ms" } ] } ] }
    """,
    """
    { "scenario": "shop/paid", "stubs": [
      { "key": "cart", "request": { "url": "https://api.shop.test/cart" },
        "responses": [ { "json": { "items": [ { "id": 1, "price": 1200 } ] }, "delay": "900ms" } ] },
      { "key": "charge", "required": true,
        "request": { "method": "POST", "url": "https://api.shop.test/charges" },
        "responses": [ { "status": 201, "json": { "id": "ch_1" } } ] },
      { "key": "metrics", "request": { "method": "POST", "url": "https://log.shop.test/events" },
        "responses": [ { "status": 204 } ] } ] }
    """,
    """
    { "scenario": "shop/signed-out", "stubs": [
      { "key": "session", "request": { "method": "GET", "url": "https://api.shop.test/session" },
        "responses": [ { "status": 401, "json": { "error": "signed_out" } } ] },
      { "key": "sign-out", "request": { "method": "DELETE", "url": "https://api.shop.test/session" },
        "responses": [ { "status": 204 } ] },
      { "key": "renew", "request": { "method": "PUT", "url": "https://api.shop.test/session" },
        "responses": [ { "text": "" } ] },
      { "key": "offline", "request": { "method": "POST", "url": "https://api.shop.test/session" },
        "responses": [ { "error": "notConnectedToInternet" } ] } ] }
    """,
    """
    { "scenario": "shop/search", "stubs": [
      { "key": "a", "request": { "url": "https://api.shop.test/search?q=a" },
        "responses": [ { "text": "a", "delay": "300ms" } ] },
      { "key": "ab", "request": { "url": "https://api.shop.test/search?q=ab" },
        "responses": [ { "text": "ab", "delay": "600ms" } ] },
      { "key": "abc", "request": { "url": "https://api.shop.test/search?q=abc" },
        "responses": [ { "text": "abc", "delay": "900ms" } ] },
      { "key": "abcd", "request": { "url": "https://api.shop.test/search?q=abcd" },
        "responses": [ { "text": "abcd", "delay": "1200ms" } ] } ] }
    """,
    """
    { "scenario": "shop/orders", "stubs": [
      { "key": "orders", "request": { "url": "https://api.shop.test/orders" },
        "responses": [ { "json": { "orders": [
          { "id": 1, "status": "paid", "total": 1200, "note": "gift" },
          { "id": 2, "status": "open", "total": 300 } ] } } ] } ] }
    """,
    """
    { "scenario": "shop/items", "stubs": [
      { "key": "items", "request": { "url": "https://api.shop.test/items" },
        "responses": [ { "json": {
          "items": [ { "id": 1 } ], "rates": { "eur": 1.5, "usd": 2.5 } } } ] },
      { "key": "item", "request": { "url": "https://api.shop.test/items/1" },
        "responses": [ { "json": { "name": "tea" } } ] } ] }
    """,
    """
    { "scenario": "shop/card", "stubs": [
      { "key": "card", "request": { "method": "HEAD", "url": "https://api.shop.test/card" },
        "responses": [ { "json": { "ending": "4242" } } ] },
      { "key": "pay", "request": { "method": "POST", "url": "https://api.shop.test/pay" },
        "responses": [ { "json": { "id": "ch_1" } } ] } ] }
    """,
  ]
}

/// What goes wrong in the client.
enum ShopError: Error { case unreachable, refused, unreadable }

/// A client of a shop, with a defect if it is asked for one.
struct SweptShop {
  /// What may be wrong with the client.
  enum Defect: CaseIterable {
    case crashes, hangs, retriesForEver, swallows, repeatsCharge, ignoresRetryAfter, asksElsewhere
  }

  var session = URLSession.stubbed
  var defect: Defect?

  /// Buys what is in the cart; returns the number of the charge, nil if a defect swallows an error.
  func buy() async throws -> String? {
    let cart = try await cart()
    let charge: [String: String]
    do {
      charge = try await send("POST", "https://api.shop.test/charges", ["amount": cart])
    } catch ShopError.unreachable where defect == .repeatsCharge {
      charge = try await send("POST", "https://api.shop.test/charges", ["amount": cart])
    } catch ShopError.refused where defect == .asksElsewhere {
      charge = try await send("POST", "https://other.shop.test/charges", ["amount": cart])
    } catch  where defect == .swallows {
      return nil
    }
    // A shop sells without its metrics too.
    _ = try? await send("POST", "https://log.shop.test/events", ["sold": 1])
    guard let id = charge["id"] else { throw ShopError.unreadable }
    return id
  }

  private func cart() async throws -> Int {
    struct Cart: Decodable {
      struct Item: Decodable { var price: Int }
      var items: [Item]
    }
    let (data, _) = try await response(to: try request("GET", "https://api.shop.test/cart"))
    if defect == .crashes {
      // What a forced cast would do.
      precondition(String(decoding: data, as: UTF8.self).hasPrefix("{"))
    }
    guard let cart = try? JSONDecoder().decode(Cart.self, from: data) else {
      if defect == .hangs {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      throw ShopError.unreadable
    }
    return cart.items.reduce(0) { $0 + $1.price }
  }

  private func send(
    _ method: String, _ url: String, _ content: [String: Int]
  ) async throws -> [String: String] {
    var request = try request(method, url)
    request.httpBody = try JSONEncoder().encode(content)
    let (data, status) = try await response(to: request)
    if status == 204 { return [:] }
    guard let answer = try? JSONDecoder().decode([String: String].self, from: data) else {
      throw ShopError.unreadable
    }
    return answer
  }

  private func request(_ method: String, _ url: String) throws -> URLRequest {
    guard let url = URL(string: url) else { throw ShopError.unreadable }
    var request = URLRequest(url: url)
    request.httpMethod = method
    return request
  }

  /// Tries three times, and waits as long as the server asks for.
  private func response(to request: URLRequest) async throws -> (Data, Int) {
    var tries = 0
    while true {
      tries += 1
      do {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 429, tries < 2 {
          if defect != .ignoresRetryAfter {
            try await StubInterceptor.current.clock.sleep(for: .seconds(1))
          }
          continue
        }
        guard (200..<300).contains(status) else { throw ShopError.refused }
        return (data, status)
      } catch is URLError {
        if defect == .retriesForEver { continue }
        throw ShopError.unreachable
      }
    }
  }
}
