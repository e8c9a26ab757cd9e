public import HTTPTypes
public import StubDBEngine
public import StubDBModel

extension ScenarioPlayback {
  /// Has a closure answer the requests that a pattern matches, in front of the scenario.
  ///
  /// Of several closures the newest is asked first; one that gives nil leaves the request to the next, and at last to the
  /// scenario. What it throws is the error that the client gets. It may wait, and expectations inside it belong to the
  /// test that registers it. Calls run at the same time when requests do.
  ///
  /// - Throws: `EngineError` for a pattern that cannot be matched, such as one with an invalid regular expression.
  /// - Returns: what takes the closure away again; it stays until the run ends otherwise.
  @discardableResult
  public func stub(
    matching pattern: RequestPattern, fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) throws(EngineError) -> ClosureRegistration {
    register(try RequestFilter(pattern), fileID, line, answer)
  }

  /// Has a closure answer the requests to a URL, whatever their method, in front of the scenario.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**` in
  /// the path. Otherwise as ``stub(matching:fileID:line:_:)``.
  /// - Throws: `DocumentError` for a URL that cannot be read.
  @discardableResult
  public func stub(
    _ url: String, fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) throws(DocumentError) -> ClosureRegistration {
    register(try RequestFilter(method: nil, url: url), fileID, line, answer)
  }

  /// Has a closure answer the requests of a method to a URL, in front of the scenario.
  ///
  /// Otherwise as ``stub(_:fileID:line:_:)``.
  /// - Throws: `DocumentError` for a URL that cannot be read.
  @discardableResult
  public func stub(
    _ method: HTTPRequest.Method, _ url: String, fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) throws(DocumentError) -> ClosureRegistration {
    register(try RequestFilter(method: method, url: url), fileID, line, answer)
  }

  /// Has a closure answer every request, in front of the scenario.
  ///
  /// Otherwise as ``stub(matching:fileID:line:_:)``.
  @discardableResult
  public func stub(
    fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) -> ClosureRegistration {
    register(.everything, fileID, line, answer)
  }

  /// Takes all closures away, so that the scenario alone answers.
  public func removeClosures() {
    player.closures.removeAll()
  }

  private func register(
    _ filter: RequestFilter, _ fileID: String, _ line: Int, _ answer: @escaping ClosureStub.Answer
  ) -> ClosureRegistration {
    let stub = ClosureStub(filter: filter, origin: "closure at \(fileID):\(line)", answer: answer)
    player.closures.add(stub)
    return ClosureRegistration(stub: stub, closures: player.closures)
  }
}
