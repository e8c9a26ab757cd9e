public import StubDBEngine
public import StubDBModel

extension Interceptor {
  /// The requests so far, answered or not, in order of arrival.
  public var requests: [StubRequest] { journal.map(\.request) }

  /// The requests so far that a pattern matches, answered or not, in order of arrival.
  ///
  /// - Throws: ``EngineError`` for a pattern that cannot be matched.
  public func requests(matching pattern: RequestPattern) throws(EngineError) -> [StubRequest] {
    let filter = try RequestFilter(pattern)
    return requests.filter(filter.matches)
  }

  /// The requests so far to a URL, answered or not, in order of arrival.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**` in
  /// the path; query parameters that it does not name may be there. Without a method, all of them.
  /// - Throws: ``DocumentError`` for a URL that cannot be read.
  public func requests(to url: String, method: String? = nil) throws -> [StubRequest] {
    try requests(matching: RequestPattern(method: method, url: url))
  }
}
