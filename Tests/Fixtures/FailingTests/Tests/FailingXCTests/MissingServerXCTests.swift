import StubDBUITesting
import XCTest

/// Nothing listens at port 9: one test fails, and the others are skipped.
@MainActor final class MissingServerXCTests: XCTestCase {
  private let server = StubServerAddress("http://127.0.0.1:9")

  func testFailsWithoutAServer() async throws {
    _ = try await startSession("checkout/paid", server: server)
  }

  func testIsSkippedWithoutAServer() async throws {
    _ = try await startSession("checkout/paid", server: server)
    XCTFail("A test without a server goes on")
  }
}
