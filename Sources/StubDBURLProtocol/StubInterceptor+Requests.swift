public import StubDBEngine
public import StubDBModel

extension StubInterceptor {
  /// The requests so far, answered or not, in order of arrival.
  public var requests: [StubRequest] { journal.map(\.request) }

  /// The requests so far that a pattern matches, answered or not, in order of arrival.
  ///
  /// - Throws: ``VerificationError`` for a pattern that means nothing, such as a regular expression that is none.
  public func requests(
    matching pattern: RequestPattern
  ) throws(VerificationError) -> [StubRequest] {
    try responder.run.requests(matching: pattern).map(\.request)
  }

  /// The requests so far to a URL, answered or not, in order of arrival.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**` in
  /// the path; query parameters that it does not name may be there. Without a method, all of them.
  /// - Throws: ``DocumentError`` for a URL that cannot be read.
  public func requests(to url: String, method: String? = nil) throws -> [StubRequest] {
    try requests(matching: RequestPattern(method: method, url: url))
  }

  /// The stubs that answered nothing so far, in the order in which they answer.
  public var unusedStubs: [LoadedScenario.Source] { responder.run.unusedStubs }

  /// Expects that so many requests match a pattern, answered or not.
  ///
  /// - Throws: ``VerificationError`` that lists the requests.
  public func expect(count: Int, matching pattern: RequestPattern) throws(VerificationError) {
    try responder.run.expect(count: count, matching: pattern)
  }

  /// Expects that a number of requests in a range matches a pattern, answered or not.
  ///
  /// - Throws: ``VerificationError`` that lists the requests.
  public func expect(
    count: ClosedRange<Int>, matching pattern: RequestPattern
  ) throws(VerificationError) {
    try responder.run.expect(count: count, matching: pattern)
  }

  /// Expects that requests match the patterns in this order; others may come before, between and after them.
  ///
  /// - Throws: ``VerificationError`` that names the first pattern that found none and lists the requests.
  public func expect(inOrder patterns: [RequestPattern]) throws(VerificationError) {
    try responder.run.expect(inOrder: patterns)
  }
}
