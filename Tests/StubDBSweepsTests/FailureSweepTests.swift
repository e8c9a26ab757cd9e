import Foundation
import StubDBSupport
import StubDBSweeps
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How often functions of tests were called.
private let calls = Locked([String: Int]())

/// Notes a call; returns its number.
private func call(_ name: String = #function) -> Int {
  calls.withLock { calls in
    calls[name, default: 0] += 1
    return calls[name] ?? 0
  }
}

/// Gets the status of an answer, whether its content comes or not; nil if no answer begins.
private final class StatusDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let finish: @Sendable (Int?) -> Void

  init(finish: @escaping @Sendable (Int?) -> Void) { self.finish = finish }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish((task.response as? HTTPURLResponse)?.statusCode)
  }
}

private func isShopError(_ error: any Error, _ failure: SweptFailure) -> Bool {
  error is ShopError
}

@Suite(.catalog(SweptCatalog.path))
struct FailureSweepTests {
  @Test(
    .finds([:]), .scenario("shop/paid"), .everyFailure(expecting: isShopError, mayFail: ["metrics"])
  )
  func nothingIsFoundInACorrectClient() async throws {
    #expect(try await SweptShop().buy() == "ch_1")
  }

  /// A 401 in place of a 401 is no failure, nor is less of no content, so that no other error can be expected.
  @Test(.finds([:]), .scenario("shop/signed-out"), .everyFailure(expecting: isShopError))
  func whatChangesNothingIsNotTried() async throws {
    let url = try #require(URL(string: "https://api.shop.test/session"))
    var request = URLRequest(url: url)
    let first = try await status(of: request)
    #expect(first == 401)
    request.httpMethod = "DELETE"
    let second = try await status(of: request)
    #expect(second == 204)
    guard first == 401, second == 204 else { throw ShopError.refused }
  }

  /// The answer to HEAD has no content, whatever the stub has.
  @Test(
    .finds([:]), .scenario("shop/card"),
    .everyFailure([.captivePortal], expecting: ShopError.self))
  func thePageOfAPortalIsNotSeenByHEAD() async throws { try await askForCard() }

  private func askForCard() async throws {
    let url = try #require(URL(string: "https://api.shop.test/card"))
    var request = URLRequest(url: url)
    request.httpMethod = "HEAD"
    guard try await status(of: request) == 200 else { throw ShopError.refused }
  }

  #if compiler(>=6.3)
    @Test(
      .warns(".everyFailure has tried nothing: The failures that it is given change none"),
      .scenario("shop/card"), .everyFailure([.empty, .truncated], expecting: ShopError.self))
    func lessContentOfNoneIsNotTried() async throws { try await askForCard() }

    @Test(
      .warns(".everyFailure has tried nothing: The failures that it is given change none"),
      .scenario("shop/signed-out"), .everyFailure([.empty, .truncated], expecting: ShopError.self))
    func whatIsEmptyIsNotEmptied() async throws {
      let url = try #require(URL(string: "https://api.shop.test/session"))
      var request = URLRequest(url: url)
      request.httpMethod = "PUT"
      guard try await status(of: request) == 200 else { throw ShopError.refused }
    }

    /// An error has no content to lose, which is no fault of the code under test.
    @Test(
      .warns(".everyFailure has tried nothing: The failures that it is given change none"),
      .scenario("shop/signed-out"), .everyFailure([.noConnection, .empty, .truncated]))
    func anErrorHasNoContentToLose() async throws {
      let url = try #require(URL(string: "https://api.shop.test/session"))
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      await #expect(throws: ShopError.unreachable) { try await status(of: request) }
    }
  #endif

  // MARK: Content that is lost with the connection

  private func statusAlone(of path: String) async throws -> Int {
    let url = try #require(URL(string: "https://api.shop.test/\(path)"))
    let status: Int? = await withCheckedContinuation { continuation in
      let session = URLSession(
        configuration: StubInterceptor.current.configuration(),
        delegate: StatusDelegate { continuation.resume(returning: $0) }, delegateQueue: nil)
      session.dataTask(with: url).resume()
      session.finishTasksAndInvalidate()
    }
    guard let status else { throw ShopError.unreachable }
    return status
  }

  /// The status says it all, of a reset in the middle of the content, too.
  @Test(.finds([:]), .scenario("shop/signed-out"), .everyFailure(expecting: ShopError.self))
  func theContentOfAnErrorMayBeLost() async throws {
    guard try await statusAlone(of: "session") == 401 else { throw ShopError.refused }
  }

  @Test(
    .finds(["orders/reset": "does not come out, and the test threw none"]),
    .scenario("shop/orders"), .everyFailure([.noConnection, .reset], expecting: ShopError.self))
  func theContentOfASuccessMayNotBeLost() async throws {
    guard try await statusAlone(of: "orders") == 200 else { throw ShopError.refused }
  }

  // MARK: Writes that are sent again

  /// Pays, and once more after a failure, with the members of the content in another order.
  private func payTwice(_ members: [String]) async throws {
    let url = try #require(URL(string: "https://api.shop.test/pay"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    for content in [members, members.reversed()] {
      request.httpBody = Data("{\(content.joined(separator: ","))}".utf8)
      if (try? await status(of: request)) == 200 { return }
    }
  }

  @Test(
    .finds([
      "pay/timeout": "POST https://api.shop.test/pay was sent again, although",
      "pay/reset": "POST https://api.shop.test/pay was sent again, although",
    ]), .scenario("shop/card"), .everyFailure([.timeout, .reset]))
  func theSameValuesInAnotherOrderAreSentAgain() async throws {
    try await payTwice([#""cents": 1200"#, #""currency": "EUR""#])
  }

  @Test(.finds([:]), .scenario("shop/card"), .everyFailure([.timeout, .reset]))
  func aKeyInTheContentMakesItSafe() async throws {
    try await payTwice([#""cents": 1200"#, #""idempotency_key": "k1""#])
  }

  /// The status of the answer to a request.
  private func status(of request: URLRequest) async throws -> Int? {
    do {
      let response = try await URLSession.stubbed.data(for: request).1
      return (response as? HTTPURLResponse)?.statusCode
    } catch {
      throw ShopError.unreachable
    }
  }

  @Test(
    .finds([
      "charge/timeout": "POST https://api.shop.test/charges was sent again, although",
      "charge/reset": "without an Idempotency-Key",
    ]), .scenario("shop/paid"), .everyFailure)
  func aSecondChargeIsFound() async throws {
    #expect(try await SweptShop(defect: .repeatsCharge).buy() == "ch_1")
  }

  @Test(
    .finds([
      "cart/429": "ms, although the answer asked to wait for 1 s",
      "charge/429": "The request was sent again after ",
      "metrics/429": "The request was sent again after ",
    ]), .scenario("shop/paid"), .everyFailure)
  func aRetryThatDoesNotWaitIsFound() async throws {
    #expect(try await SweptShop(defect: .ignoresRetryAfter).buy() == "ch_1")
  }

  @Test(
    .finds(
      Dictionary(
        uniqueKeysWithValues: ["cart", "charge", "metrics"].flatMap { key in
          ["no-connection", "timeout", "reset"].map {
            ("\(key)/\($0)", "was sent again and again, more than 10 times")
          }
        })), .scenario("shop/paid"), .everyFailure)
  func aRetryWithoutALimitIsFound() async throws {
    #expect(try await SweptShop(defect: .retriesForEver).buy() == "ch_1")
  }

  @Test(
    .finds(
      Dictionary(
        uniqueKeysWithValues: SweptFailure.allCases.map {
          ("charge/\($0.name)", #"To allow it: mayFail: ["charge"]."#)
        })), .scenario("shop/paid"),
    .everyFailure(expecting: isShopError, mayFail: ["metrics"]))
  func aSwallowedErrorIsFound() async throws {
    let id = try await SweptShop(defect: .swallows).buy()
    #expect(id == nil || id == "ch_1")
  }

  @Test(
    .finds([
      "charge/500": "POST https://other.shop.test/charges was sent, which no stub matches",
      "charge/401": "POST https://other.shop.test/charges", "charge/429": "allowing: [",
    ]), .scenario("shop/paid"), .everyFailure)
  func aRequestThatNoStubMatchesIsFound() async throws {
    #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
  }

  @Test(
    .finds([:]), .scenario("shop/paid"),
    .everyFailure(allowing: ["POST https://other.shop.test/**"]))
  func whatIsAllowedIsNotFound() async throws {
    #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
  }

  @Test(
    .finds([
      "cart/empty": "does not end", "cart/truncated": "does not end",
      "cart/captive-portal": "does not end",
    ]), .scenario("shop/paid"), .everyFailure(deadline: .milliseconds(300)))
  func aTestThatHangsIsFound() async throws {
    #expect(try await SweptShop(defect: .hangs).buy() == "ch_1")
  }

  @Test(
    .finds(["charge/500": #".only("charge/500")"#]), .scenario("shop/paid"), .everyFailure,
    .only("charge/500"))
  func aNamedVariationIsTriedAlone() async throws {
    // As it is, under the variation, and once more as it is, since the variation finds something.
    #expect(call() <= 3)
    #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
  }

  @Test(
    .finds([
      "charge/500":
        #"swift test --filter '^StubDBSweepsTests\.FailureSweepTests/aFindingPrintsWhatRepeatsIt\(_:\)(/|$)'"#
    ]), .scenario("shop/paid"), .everyFailure([.serverError, .timeout]), arguments: [1, 2])
  func aFindingPrintsWhatRepeatsIt(_ number: Int) async throws {
    #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
  }

  private static let noSuchCharge =
    "This test has no variation \"charge/timout\". Did you mean \"charge/timeout\"? It has"

  @Test(
    .finds([noSuchCharge: "charge/timeout, "]),
    .scenario("shop/paid"), .everyFailure, .only("charge/timout"))
  func aNameThatNoVariationHasIsReported() async throws {
    #expect(try await SweptShop().buy() == "ch_1")
  }

  @Test(
    .finds([noSuchCharge: "charge/timeout, "]),
    .scenario("shop/paid"), .everyFailure, .everyEvolution, .only("charge/timout"))
  func aNameThatNoneOfTwoSweepsHasIsReportedOnce() async throws {
    #expect(try await SweptShop().buy() == "ch_1")
  }

  @Test(
    .finds(["What a sweep allows cannot be read": ""]), .scenario("shop/paid"),
    .everyFailure(expecting: ShopError.self, mayFail: ["metrics"], allowing: ["GET not a URL"]))
  func whatIsAllowedHasToBeReadable() async throws {
    #expect(try await SweptShop().buy() == "ch_1")
  }

  #if compiler(>=6.3)
    /// Repeated, it would swallow the failures of metrics.
    @Test(
      .finds(["Expectation failed": ""]), .scenario("shop/paid"),
      .everyFailure([.serverError], expecting: ShopError.self))
    func aTestThatFailsIsNotRepeated() async throws {
      _ = try await SweptShop().buy()
      #expect(StubInterceptor.current.journal.isEmpty)
    }
  #endif
}
