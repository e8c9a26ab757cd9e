import StubDBURLProtocol
import XCTest

/// What a `URLProtocol` class takes, which is never freed.
///
/// With XCTest, because its tests run one after another in a process without those of Swift Testing, which take memory
/// too.
final class ClassMemoryXCTests: XCTestCase {
  func testTwentyThousandInterceptorsWithAClassTakeLessThan40Megabytes() throws {
    // Before, so that what is made once does not count.
    askForClasses(100)
    guard let before = ResidentMemory.byteCount else {
      throw XCTSkip("this system has no file with the memory of the process")
    }
    let count = 20_000
    askForClasses(count)
    let grown = try XCTUnwrap(ResidentMemory.byteCount) - before
    XCTAssertLessThan(grown, 40_000_000)
    XCTAssertLessThan(grown / count, 2_000, "bytes a class")
  }

  private func askForClasses(_ count: Int) {
    for _ in 0..<count { _ = StubInterceptor().protocolClass }
  }
}
