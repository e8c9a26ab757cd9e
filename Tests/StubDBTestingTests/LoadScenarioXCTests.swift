import Foundation
import HTTPTypes
import StubDBTesting
import XCTest

final class LoadScenarioXCTests: XCTestCase {
  private var interceptor: StubInterceptor?

  override func setUp() async throws {
    interceptor = try loadScenario("checkout/declined", catalog: TestCatalog.path)
  }

  func testScenarioLoadedInSetUpAnswersAnAsyncTest() async throws {
    let session = try XCTUnwrap(interceptor).urlSession()
    let answers = [try await charge(in: session), try await charge(in: session)]
    XCTAssertEqual(answers, ["checkout/declined 1", "checkout/declined 2"])
  }

  func testASkippedTestDoesNotFailForWhatItDidNotDo() throws {
    _ = try loadScenario("checkout/accepted", catalog: TestCatalog.path)
    throw XCTSkip("This is what is tested: the required stub was not used.")
  }

  func testAnInterceptorForClosuresNeedsNoScenario() async throws {
    let interceptor = makeInterceptor()
    try interceptor.stub(.post, "/charges") { _ in .text("closure") }
    let answer = try await charge(in: interceptor.urlSession())
    XCTAssertEqual(answer, "closure")
  }

  func testScenarioLoadedInASynchronousTestHasARunOfItsOwn() throws {
    let second = try loadScenario("checkout/declined", catalog: TestCatalog.path)
    XCTAssertEqual(second.scenario.name.rawValue, "checkout/declined")
    XCTAssertTrue(second.journal.isEmpty)
    try interceptor?.verify()
  }
}
