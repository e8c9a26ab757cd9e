public import HTTPTypes
internal import StubDBEngine
internal import StubDBModel
public import StubDBPlayback

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

extension ScenarioPlayback {
  /// Fails the running test, at this line, unless this many requests went to a URL, answered or not.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**`
  /// in the path. Without a method, requests of all methods count. The failure lists the requests that came. Call it in
  /// the test's own task or thread.
  public func expectRequests(
    _ count: Int, to url: String, method: HTTPRequest.Method? = nil, fileID: String = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: Int = #column
  ) {
    check(TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)) {
      try expect(count: count, matching: RequestPattern(method: method, url: url))
    }
  }

  /// Fails the running test, at this line, unless requests came in this order; others may come before, between and
  /// after them.
  ///
  /// Each is written as a method and a URL, such as `"POST https://api.shop.test/v1/orders/{id}"`, or as a URL alone.
  public func expectRequests(
    inOrder lines: [String], fileID: String = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: Int = #column
  ) {
    check(TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)) {
      try expect(inOrder: lines.map { try RequestPattern(line: $0) })
    }
  }

  private func check(_ place: TestPlace, _ expectation: () throws -> Void) {
    do {
      try expectation()
    } catch {
      place.fail("\(error)")
    }
  }
}

/// A place in a test's source, in the types of both frameworks.
struct TestPlace {
  let fileID: String
  let filePath: StaticString
  let line: UInt
  let column: Int

  /// Fails the running test at this place, in the framework that runs it.
  func fail(_ message: String) {
    #if canImport(Testing)
      if Test.current != nil {
        Issue.record(
          Comment(rawValue: message),
          sourceLocation: SourceLocation(
            fileID: fileID, filePath: "\(filePath)", line: Int(line), column: column))
        return
      }
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: line)
    #endif
  }
}
