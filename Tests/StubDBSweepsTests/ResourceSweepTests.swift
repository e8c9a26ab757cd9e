import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of notes, which are a resource of the scenario.
private struct Notes {
  struct Note: Decodable {
    var id: Int
    var title: String
    var state: String
  }

  private static let url = "https://api.shop.test/v1/notes"

  func list() async throws -> [Note] { try decoded(await send("GET", "")) }

  func add(_ title: String) async throws -> Note {
    try decoded(await send("POST", "", ["title": title, "state": "open"]))
  }

  /// Looks at nothing but the status.
  func remove(_ id: Int) async throws {
    guard try await send("DELETE", "/\(id)").status == 204 else { throw ShopError.refused }
  }

  private func decoded<Value: Decodable>(_ answer: (data: Data, status: Int)) throws -> Value {
    guard (200..<300).contains(answer.status) else { throw ShopError.refused }
    guard let value = try? JSONDecoder().decode(Value.self, from: answer.data) else {
      throw ShopError.unreadable
    }
    return value
  }

  private func send(
    _ method: String, _ path: String, _ content: [String: String]? = nil
  ) async throws -> (data: Data, status: Int) {
    var request = URLRequest(url: try #require(URL(string: Self.url + path)))
    request.httpMethod = method
    request.httpBody = try content.map { try JSONEncoder().encode($0) }
    do {
      let (data, response) = try await URLSession.stubbed.data(for: request)
      return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    } catch {
      throw ShopError.unreachable
    }
  }
}

/// Sweeps of tests whose answers are the items of a resource.
@Suite(.catalog(SweptCatalog.path))
struct ResourceSweepTests {
  // MARK: Failures

  /// What a resource begins with is not the content of its 204.
  @Test(.finds([:]), .scenario("shop/notes"), .everyFailure(expecting: ShopError.self))
  func aRemovalHasNoContentToLose() async throws {
    try await Notes().remove(1)
  }

  /// The removal stays as it is while the list has lost its content.
  @Test(
    .finds([
      "notes/empty": "The error that is expected after this failure does not come out",
      "notes/truncated": "The error that is expected after this failure does not come out",
    ]), .scenario("shop/notes"),
    .everyFailure([.serverError, .empty, .truncated], expecting: ShopError.self))
  func aListHasContentToLose() async throws {
    try await Notes().remove(1)
    do {
      let notes = try await Notes().list()
      #expect(notes.map(\.id) == [2])
    } catch ShopError.unreadable {
      // What must not be swallowed.
    }
  }
}
