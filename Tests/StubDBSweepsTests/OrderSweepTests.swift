import Foundation
import StubDBSupport
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

  /// It does so in four orders.
  @Test(
    .finds(["order=a,abc,ab": "GET https://other.shop.test/stale was sent, which no stub matches"]),
    .scenario("shop/search"), .everyOrder)
  func whatIsSentInManyOrdersIsFoundOnce() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    try await model.type(all: ["a", "ab", "abc"])
    guard await model.shown != "abc" else { return }
    let url = try #require(URL(string: "https://other.shop.test/stale"))
    _ = try? await URLSession.stubbed.data(from: url)
  }

  @Test(
    .finds(["order=ab,abc,a": "the answers come in the order ab,abc,a"]), .scenario("shop/search"),
    .everyOrder, .only("order=ab,abc,a"))
  func anOrderIsRepeatedAlone() async throws {
    let model = SearchModel(.stubbed, isStale: true)
    try await model.type(all: ["a", "ab", "abc"])
    #expect(await model.shown == "abc")
  }

  // MARK: Orders that are no more

  /// Another order would say nothing of the one that was found.
  @Test(
    .finds(["order=a,a.2,ab": "after a, nothing waits for a.2, but for ab"]),
    .scenario("shop/search"), .everyOrder, .only("order=a,a.2,ab"))
  func anOrderOfOtherRequestsIsNotFollowed() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
  }

  @Test(
    .finds(["order=ab,a,abc": "the test has passed, and has not waited for abc"]),
    .scenario("shop/search"), .everyOrder, .only("order=ab,a,abc"))
  func anOrderOfMoreRequestsIsNotFollowed() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
  }

  /// What comes after what is named comes in any order.
  @Test(.finds([:]), .scenario("shop/search"), .everyOrder, .only("order=ab"))
  func anOrderMayNameItsBeginning() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab", "abc"])
  }

  /// One of the cases does not send the second request.
  @Test(
    .finds([:]), .scenario("shop/search"), .everyOrder, .only("order=a,ab"),
    arguments: [["a", "ab"], ["a"]])
  func anOrderMayBeOneOfAnotherCase(texts: [String]) async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: texts)
  }

  @Test(
    .finds(["This test has no variation \"order=abd,a\"": "Did you mean \"order=ab,a\"? To try"]),
    .scenario("shop/search"), .everyOrder, .only("order=abd,a"))
  func anOrderOfUnknownStubsIsNoOrderOfTheTest() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
  }

  /// Its number says nothing where the requests are others.
  @Test(
    .finds([
      "This test has no variation \"order=@random-3-0-000000\"": "which are others now. To try"
    ]), .scenario("shop/search"), .everyOrder, .only("order=@random-3-0-000000"))
  func aRandomOrderOfOtherRequestsIsNotRepeated() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
  }

  @Test(
    .finds([
      "This test has no variation \"a/timeout\", but orders of answers, whose names begin with \"order=\".":
        ""
    ]), .scenario("shop/search"), .everyOrder, .only("a/timeout"))
  func aFailureIsNoOrderOfTheTest() async throws {
    try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
  }

  #if compiler(>=6.3)
    @Test(
      .warns(".everyOrder has tried nothing: It is given a limit of no orders."),
      .scenario("shop/search"), .everyOrder(limit: 0))
    func noOrdersAreNone() async throws {
      try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
    }
  #endif

  // MARK: Limits

  #if compiler(>=6.3)
    @Test(
      .warns(
        ".everyOrder has tried 1 order of answers, and there are more. To try more, add limit: 2. To try none that "
          + "differ only by when a stub answers, add its key, as in independent: [\"a\"]."),
      .scenario("shop/search"), .everyOrder(limit: 1))
    func moreOrdersThanTheLimitAreSaid() async throws {
      try await SearchModel(.stubbed, isStale: false).type(all: ["ab", "a"])
    }

    @Test(.warnsNothing, .scenario("shop/search"), .everyOrder(limit: 2))
    func asManyOrdersAsTheLimitAreAll() async throws {
      try await SearchModel(.stubbed, isStale: false).type(all: ["ab", "a"])
    }
  #endif

  /// The order that comes last is tried, too, and none at random in its place.
  @Test(
    .finds(["order=abc,ab,a": "the test throws TooSlow()"]), .scenario("shop/search"),
    .everyOrder(limit: 6))
  func ordersUpToTheLimitAreTriedOneAfterTheOther() async throws {
    let order = Locked([String]())
    let searches = ["a", "ab", "abc"].map { text in
      Task {
        let shown = try await answer(to: text)
        order.withLock { $0.append(shown) }
      }
    }
    for search in searches { try await search.value }
    guard order.withLock(\.self) != ["abc", "ab", "a"] else { throw TooSlow() }
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

  // MARK: Sleeps

  private struct TooSlow: Error {}

  private static let instant = PlaybackOptions(pace: .instant)

  private func answer(to text: String = "a") async throws -> String {
    let url = try #require(URL(string: "https://api.shop.test/search?q=\(text)"))
    return String(decoding: try await URLSession.stubbed.data(from: url).0, as: UTF8.self)
  }

  /// The answer comes before the time-out in one order, and after it in another.
  @Test(
    .finds(["order=@30000ms": "the test throws TooSlow()"]), .scenario("shop/search"), .everyOrder)
  func aSleepEndsBeforeAnAnswerAndAfterIt() async throws {
    let clock = StubInterceptor.current.clock
    let shown = try await withThrowingTaskGroup(of: String.self) { group in
      group.addTask { try await answer() }
      group.addTask {
        // Much longer than the answer takes where the test runs as it is, on a machine that has other work, too.
        try await clock.sleep(for: .seconds(30))
        throw TooSlow()
      }
      defer { group.cancelAll() }
      return try await group.next()
    }
    #expect(shown == "a")
  }

  /// What is shown while a search takes long gives way to its result.
  @Test(.finds([:]), .scenario("shop/search", options: instant), .everyOrder)
  func aClientThatStandsBothIsNotFound() async throws {
    let clock = StubInterceptor.current.clock
    let shown = Locked("")
    let note = Task {
      try await clock.sleep(for: .seconds(1))
      shown.withLock { if $0.isEmpty { $0 = "searching" } }
    }
    let result = try await answer()
    note.cancel()
    shown.withLock { $0 = result }
    #expect(shown.withLock(\.self) == "a")
  }

  /// How often the function was called that looks for an answer again and again.
  private static let looks = Locked(0)

  @Test(.finds([:]), .scenario("shop/search", options: instant), .everyOrder)
  func aClientThatLooksAgainAndAgainComesToAnEnd() async throws {
    // Once without a sweep, and with none to three sleeps before the answer.
    #expect(
      Self.looks.withLock {
        $0 += 1
        return $0
      } <= 5)
    let clock = StubInterceptor.current.clock
    let isThere = Locked(false)
    let search = Task {
      _ = try await answer()
      isThere.withLock { $0 = true }
    }
    while !isThere.withLock(\.self) { try await clock.sleep(for: .milliseconds(100)) }
    try await search.value
  }

  // MARK: A blocked main actor

  /// Waits for an answer as a script does.
  private func waitForAnswer() throws -> String {
    let url = try #require(URL(string: "https://api.shop.test/search?q=a"))
    let (done, answer) = (DispatchSemaphore(value: 0), Locked(""))
    URLSession.stubbed.dataTask(with: url) { data, _, _ in
      answer.withLock { $0 = String(decoding: data ?? Data(), as: UTF8.self) }
      done.signal()
    }.resume()
    done.wait()
    return answer.withLock(\.self)
  }

  @Test(.finds([:]), .scenario("shop/search"), .everyOrder)
  @MainActor func aMainActorThatWaitsGetsItsAnswer() throws {
    #expect(try waitForAnswer() == "a")
  }
}
