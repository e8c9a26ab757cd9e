import Foundation
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list of results that a text field asks for at each letter.
actor SearchModel {
  private let session: URLSession
  /// Whether an answer to an older text may replace a newer one.
  private let isStale: Bool
  private(set) var shown = ""
  private var latest = ""

  init(_ session: URLSession, isStale: Bool) { (self.session, self.isStale) = (session, isStale) }

  /// Sends the request for a text, and shows its answer later.
  func type(_ text: String) -> Task<Void, any Error> {
    latest = text
    return Task {
      let url = try #require(URL(string: "https://api.shop.test/search?q=\(text)"))
      let answer = String(decoding: try await session.data(from: url).0, as: UTF8.self)
      if isStale || latest == text { shown = answer }
    }
  }

  /// Types letter after letter, faster than the answers come.
  func type(all texts: [String]) async throws {
    for task in texts.map(type) { try await task.value }
  }
}

@Suite(.catalog(SweptCatalog.path))
struct OrderSweepTests {
  @Test(
    .finds([
      "order=a,abc,ab": #"add the trait .only("order=a,abc,ab"), or run"#
    ]), .scenario("shop/search"), .everyOrder(limit: 200))
  func aStaleResultIsFound() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    try await model.type(all: ["a", "ab", "abc"])
    #expect(await model.shown == "abc")
  }

  @Test(
    .finds(["order=ab,abc,a": "the answers come in the order ab,abc,a"]), .scenario("shop/search"),
    .everyOrder, .only("order=ab,abc,a"))
  func anOrderIsRepeatedAlone() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    try await model.type(all: ["a", "ab", "abc"])
    #expect(await model.shown == "abc")
  }

  @Test(.finds([:]), .scenario("shop/search"), .everyOrder)
  func nothingIsFoundInACorrectClient() async throws {
    let model = SearchModel(.stubbed, isStale: false)
    try await model.type(all: ["a", "ab", "abc", "abcd"])
    #expect(await model.shown == "abcd")
  }

  /// What is sent after an answer stays after it.
  @Test(.finds([:]), .scenario("shop/search"), .everyOrder(limit: 50))
  func causalityIsKept() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    async let aside: Void = SearchModel(.stubbed, isStale: true).type(all: ["abcd"])
    try await model.type(all: ["a"])
    try await model.type(all: ["ab"])
    try await aside
    #expect(await model.shown == "ab")
  }
}
