import Foundation
import StubDBTesting
import XCTest

final class LoadScenarioXCTests: XCTestCase {
  private var interceptor: Interceptor?

  override func setUp() async throws {
    interceptor = try loadScenario("checkout/accepted", catalog: TestCatalog.path)
  }

  func testScenarioLoadedInSetUpAnswersAnAsyncTest() async throws {
    let session = try XCTUnwrap(interceptor).urlSession()
    let answers = [try await charge(in: session), try await charge(in: session)]
    XCTAssertEqual(answers, ["checkout/accepted 1", "checkout/accepted 2"])
  }

  func testScenarioLoadedInASynchronousTestHasARunOfItsOwn() throws {
    let declined = try loadScenario("checkout/declined", catalog: TestCatalog.path)
    XCTAssertEqual(declined.scenario.name.rawValue, "checkout/declined")
    XCTAssertTrue(declined.journal.isEmpty)
    try interceptor?.verify()
  }
}
