import Foundation
import StubDBSupport
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

  @Test(
    .finds(["notes/timeout": "POST https://api.shop.test/v1/notes was sent again, although"]),
    .scenario("shop/notes"), .everyFailure([.timeout, .serverError]))
  func whatMayHaveBeenAddedIsNotAddedAgain() async throws {
    do {
      _ = try await Notes().add("Eggs")
    } catch ShopError.unreachable {
      _ = try await Notes().add("Eggs")
    }
  }

  // MARK: Evolution

  private enum ClosedState: String, Decodable { case open, done }

  private struct ClosedNote: Decodable { var state: ClosedState }

  private func answer<Value: Decodable>(_ method: String, _ path: String) async throws -> Value {
    var request = URLRequest(
      url: try #require(URL(string: "https://api.shop.test/v1/notes" + path)))
    request.httpMethod = method
    if method == "POST" { request.httpBody = Data(#"{"title":"Eggs","state":"open"}"#.utf8) }
    let (data, _) = try await URLSession.stubbed.data(for: request)
    return try JSONDecoder().decode(Value.self, from: data)
  }

  @Test(
    .finds(["notes/0-state=unknown": "/0/state = an unknown constant: DecodingError"]),
    .scenario("shop/notes"), .everyEvolution)
  func anItemOfAListHasAnUnknownConstant() async throws {
    let notes: [ClosedNote] = try await answer("GET", "")
    #expect(notes.count == 2)
  }

  /// The content is not what the stub has.
  @Test(
    .finds(["notes/state=unknown": "/state = an unknown constant: DecodingError"]),
    .scenario("shop/notes"), .everyEvolution)
  func anItemThatIsAddedHasAnUnknownConstant() async throws {
    let note: ClosedNote = try await answer("POST", "")
    #expect(note.state == .open)
  }

  /// With more items, or with other ids, the client would ask for what the resource does not have.
  @Test(.finds([:]), .scenario("shop/notes"), .everyEvolution)
  func theItemsOfAChangedListAreThere() async throws {
    _ = try await Notes().add("Eggs")
    let notes = try await Notes().list()
    #expect(notes.map(\.id) == [1, 2, 3])
    for note in notes {
      let same: Notes.Note = try await answer("GET", "/\(note.id)")
      #expect(same.title == note.title)
    }
  }

  // MARK: Orders

  /// Shows what came last.
  private func last(ofNotesAndBanner isStale: Bool) async throws -> String {
    let shown = Locked("")
    let banner = Task {
      let url = try #require(URL(string: "https://api.shop.test/v1/banner"))
      let text = String(decoding: try await URLSession.stubbed.data(from: url).0, as: UTF8.self)
      shown.withLock { $0 = text }
    }
    let notes = try await Notes().list()
    shown.withLock { if isStale || $0.isEmpty { $0 = "\(notes.count) notes" } }
    try await banner.value
    return shown.withLock(\.self)
  }

  @Test(
    .finds(["order=banner,notes": "the answers come in the order banner,notes"]),
    .scenario("shop/notes"), .everyOrder)
  func aListThatComesLateIsFound() async throws {
    #expect(try await last(ofNotesAndBanner: true) == "Sale")
  }

  @Test(.finds([:]), .scenario("shop/notes"), .everyOrder)
  func whatWasAddedIsThereInEachOrder() async throws {
    async let shown = last(ofNotesAndBanner: false)
    let note = try await Notes().add("Eggs")
    #expect(try await Notes().list().map(\.id).contains(note.id))
    #expect(try await shown == "Sale")
  }
}
