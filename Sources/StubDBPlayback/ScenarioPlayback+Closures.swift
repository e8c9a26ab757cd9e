public import HTTPTypes
public import StubDBEngine
public import StubDBJSON
public import StubDBModel

extension ScenarioPlayback {
  /// Has a closure answer the requests that match a pattern, in front of the scenario.
  ///
  /// The newest closure is asked first. A closure that returns nil leaves the request to the next one, and finally to
  /// the scenario, as does one that returns a response that delegates to the next stub; a template is refused. An error
  /// that it throws becomes the client's error. It may wait, and expectations in it belong to
  /// the test that registers it. Calls for concurrent requests run concurrently.
  ///
  /// - Throws: `EngineError` for a pattern that cannot be matched, such as one with an invalid regular expression.
  /// - Returns: A registration that can remove the closure, which otherwise stays until the run ends.
  @discardableResult
  public func stub(
    matching pattern: RequestPattern, fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) throws(EngineError) -> ClosureRegistration {
    register(try RequestFilter(pattern), fileID, line, answer)
  }

  /// Has a closure answer the requests to a URL with any method, in front of the scenario.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**`
  /// in the path. Otherwise like ``stub(matching:fileID:line:_:)``.
  /// - Throws: `DocumentError` for an invalid URL.
  @discardableResult
  public func stub(
    _ url: String, fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) throws(DocumentError) -> ClosureRegistration {
    register(try RequestFilter(method: nil, url: url), fileID, line, answer)
  }

  /// Has a closure answer the requests to a URL with a method, in front of the scenario.
  ///
  /// Otherwise like ``stub(_:fileID:line:_:)``.
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
  /// Otherwise like ``stub(matching:fileID:line:_:)``.
  @discardableResult
  public func stub(
    fileID: String = #fileID, line: Int = #line,
    _ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse?
  ) -> ClosureRegistration {
    register(.everything, fileID, line, answer)
  }

  /// Has a resource answer the requests to a list and its items, in front of the scenario, until the run ends.
  ///
  /// It lists, creates, reads, replaces, changes and removes items, which begin as those of `seed`. The parameters are
  /// those of `Stub.init(key:resourceAt:id:seed:pages:)`, whose stub a scenario can have as well; the journal names the
  /// place of this call.
  /// - Throws: `DocumentError` for a URL or a seed that no resource has.
  @discardableResult
  public func stub(
    resourceAt url: String, id: Stub.ItemID = .uuid, seed: [JSONObject] = [],
    pages: Stub.Pages? = nil, fileID: String = #fileID, line: Int = #line
  ) throws(DocumentError) -> ClosureRegistration {
    let stub = try Stub(key: "\(url)", resourceAt: url, id: id, seed: seed, pages: pages)
    let resource: (filter: RequestFilter, run: ScenarioRun)
    do throws(EngineError) {
      let scenario = Scenario(name: LoadedScenario.closuresOnly.name, stubs: [stub])
      let limit = JournalLimit(entryCount: 1, byteCount: 0)
      let run = try LoadedScenario(scenario).run(seed: player.run.seed, journalLimit: limit)
      resource = (try RequestFilter(stub.request), run)
    } catch {
      throw DocumentError(.invalidValue, message: error.message)
    }
    return register(resource.filter, fileID, line) { request in
      guard case .respond(let selection)? = resource.run.respond(to: request) else { return nil }
      return selection.response
    }
  }

  /// Removes all closures, so that only the scenario answers.
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

/// A closure that answers requests of an interceptor, until it is removed or the interceptor ends.
///
/// The closure stays registered even if this value is discarded.
public struct ClosureRegistration: Sendable {
  private let stub: ClosureStub
  private let closures: ClosureStubs

  init(stub: ClosureStub, closures: ClosureStubs) {
    self.stub = stub
    self.closures = closures
  }

  /// Removes the closure; requests that it has begun to answer still get its answer.
  ///
  /// Removing twice does nothing.
  public func remove() {
    closures.remove(stub)
  }
}
