import Foundation
import HTTPTypes
import StubDB
import StubDBDocuments
import StubDBTestSupport
import StubDBTesting
import XCTest

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  func testTheSettingsOfTheCatalogCountAndTheOptionsBeforeThem() async throws {
    let folder = try makeTemporaryFolder()
    addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
    let settings =
      #"{"defaults": {"requiresStubs": true, "requiresWholeSequences": true, "unmatched": 404}}"#
    try Data(settings.utf8).write(to: folder.appendingPathComponent(".stubdb-settings.json"))
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let document = #"{"scenario": "shop", "stubs": [{"key": "pay", "request": {"path": "/pay"}}]}"#
    try catalog.edit { try $0.insert(ScenarioDocument.decode(Data(document.utf8))) }
    // It would fail at the end of this test.
    let strict = try loadScenario("shop", catalog: catalog)
    XCTAssertTrue(strict.options.requiresStubs && strict.options.requiresWholeSequences)
    let answer = try await charge(in: strict.urlSession())
    XCTAssertTrue(answer.contains("No stub of scenario \"shop\" answers"), answer)
    let url = try XCTUnwrap(URL(string: "https://api.shop.test/pay"))
    _ = try await strict.urlSession().data(from: url)
    let open = try loadScenario("shop", catalog: catalog, options: .init(requiresStubs: false))
    XCTAssertFalse(open.options.requiresStubs)
  }

  #if canImport(FoundationNetworking)
    func testTheSharedSessionIsAnsweredUntilTheTestEnds() async throws {
      // Teardown blocks run in the opposite order.
      addTeardownBlock {
        let classes = URLSession.shared.configuration.protocolClasses ?? []
        XCTAssertFalse(classes.contains { $0 is StubURLProtocol.Type })
      }
      let shared = try loadScenario("checkout/declined", catalog: TestCatalog.path)
      try shared.interceptSharedSession()
      let answers = [try await charge(in: .shared), try await charge(in: .shared)]
      XCTAssertEqual(answers, ["checkout/declined 1", "checkout/declined 2"])
    }
  #endif
}
