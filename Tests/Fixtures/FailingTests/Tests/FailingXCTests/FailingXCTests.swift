import Foundation
import StubDBTesting
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class FailingXCTests: XCTestCase {
  private let catalog = "Fixtures/failing.stubdb"

  private func charge(_ amount: Int) throws -> URLRequest {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "https://api.shop.test/v1/charges")))
    request.httpMethod = "POST"
    request.httpBody = Data("{\"amount\": \(amount)}".utf8)
    return request
  }

  /// Sends the request and ignores the result, like code that swallows errors.
  private func swallow(_ request: URLRequest, in session: URLSession) async {
    _ = try? await session.data(for: request)
  }

  func testPasses() async throws {
    let session = try loadScenario("checkout/failing", catalog: catalog).urlSession()
    await swallow(try charge(1200), in: session)
    await swallow(try charge(1200), in: session)
  }

  func testFailsUnmatched() async throws {
    let session = try loadScenario("checkout/failing", catalog: catalog).urlSession()
    await swallow(try charge(1300), in: session)
  }

  func testFailsUnmatchedInASynchronousTest() throws {
    let session = try loadScenario("checkout/failing", catalog: catalog).urlSession()
    let done = expectation(description: "answered")
    let request = try charge(1300)
    Thread.detachNewThread {
      session.dataTask(with: request) { _, _, _ in done.fulfill() }.resume()
    }
    wait(for: [done], timeout: 60)
  }

  func testFailsUnfinishedSequence() async throws {
    let session = try loadScenario("checkout/failing", catalog: catalog).urlSession()
    await swallow(try charge(1200), in: session)
  }

  func testFailsUnusedRequiredStub() throws {
    _ = try loadScenario("checkout/required", catalog: catalog)
  }

  func testFailsForAnAssertionInAClosure() async throws {
    let interceptor = try loadScenario("checkout/failing", catalog: catalog)
    interceptor.stub { request in
      XCTAssertEqual(request.method, "DELETE")
      return .status(204)
    }
    await swallow(try charge(1200), in: interceptor.urlSession())
  }

  func testFailsUnknownScenario() throws {
    _ = try loadScenario("checkout/no-such", catalog: catalog)
  }

  func testFailsMissingCatalog() throws {
    _ = try loadScenario("checkout/failing", catalog: "Fixtures/no-such.stubdb")
  }
}

/// The interceptor is loaded before each test; only the test that makes a mistake fails.
final class FailingSetUpXCTests: XCTestCase {
  private var session: URLSession = .shared

  override func setUp() async throws {
    session = try loadScenario("checkout/failing", catalog: "Fixtures/failing.stubdb").urlSession()
  }

  func testFailsAtTheLineOfTheSetUp() async throws {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "https://api.shop.test/v1/charges")))
    request.httpMethod = "DELETE"
    _ = try? await session.data(for: request)
  }

  func testPassesBesideIt() {}

  func testFailsForAnotherOrder() async throws {
    let interceptor = try loadScenario("checkout/failing", catalog: "Fixtures/failing.stubdb")
    interceptor.expectRequests(inOrder: ["POST https://api.shop.test/v1/charges"])
  }
}

final class FailingUseXCTests: XCTestCase {
  func testFailsForTheSharedSession() async throws {
    _ = try loadScenario("checkout/partly", catalog: "Fixtures/failing.stubdb")
    let url = try XCTUnwrap(URL(string: "http://127.0.0.2:9/v1/charges?token=abc"))
    _ = try? await URLSession.shared.data(from: url)
  }

  func testPassesWithAScenarioThatIsAskedNothing() throws {
    _ = try loadScenario("checkout/partly", catalog: "Fixtures/failing.stubdb")
  }

  func testFailsForWhatNoClosureAnswers() async throws {
    let session = makeInterceptor().urlSession()
    let url = try XCTUnwrap(URL(string: "https://api.shop.test/v1/charges"))
    _ = try? await session.data(from: url)
  }
}

final class FailingLateXCTests: XCTestCase {
  func testFailsWithALateRequestBefore() async throws {
    let catalog = "Fixtures/failing.stubdb"
    let ended = try loadScenario("checkout/journal", catalog: catalog)
    let session = ended.urlSession()
    ended.end()
    let url = try XCTUnwrap(URL(string: "https://api.shop.test/v1/me"))
    _ = try? await session.data(from: url)
    _ = try loadScenario("checkout/required", catalog: catalog)
  }
}
