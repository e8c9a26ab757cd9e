public import Foundation

/// A run of a scenario in `stubdb serve`, for the test of a program that runs in a process of its own.
///
/// The program sends its requests to ``baseURL``. The functions ask the server, and can be called from any thread.
public struct StubSession: Sendable {
  /// Something that went wrong in a run, such as a request that no stub answers.
  public struct Problem: Sendable, Hashable, Decodable {
    /// What it is, such as `unmatchedRequest`, `unusedStub` or `unfinishedSequence`.
    public let kind: String
    /// The report, as other tests print it; of several lines.
    public let message: String
    /// The scenario whose document has the stub; nil if no stub is concerned.
    public let scenario: String?
    /// The key of the stub; nil if no stub is concerned.
    public let key: String?

    /// Whether it counts; a test that was skipped or cancelled does not fail for what it did not do.
    func counts(ifCutShort isCutShort: Bool) -> Bool {
      !isCutShort || !["unusedStub", "unfinishedSequence"].contains(kind)
    }
  }

  /// What the server calls the session.
  public let id: String
  /// Where the requests of the program go; it has a path, so that paths are appended to it.
  public let baseURL: URL
  /// The server that has the session.
  public let server: StubServerAddress

  /// Starts a session, whose stubs answer until it ends.
  ///
  /// Overlays are scenarios on top of it; the last one answers first. The page of the server and its log show `name`.
  /// - Throws: ``StubSessionError`` if no server answers, or if it refuses, for example because its catalog does not have
  /// the scenario.
  public static func start(
    _ scenario: String, overlays: [String] = [], name: String? = nil,
    server: StubServerAddress = .fromEnvironment
  ) async throws(StubSessionError) -> StubSession {
    let wanted = Settings(scenario: scenario, overlays: overlays, name: name)
    let made: Started = try await server.ask("POST", "sessions", wanted)
    guard let baseURL = URL(string: made.baseURL) else {
      throw StubSessionError(
        .refused,
        "The server at \(server) gave a session the address \(made.baseURL), which is no URL.")
    }
    return StubSession(id: made.id, baseURL: baseURL, server: server)
  }

  /// Begins a run of another scenario at the same address; problems of the run before are forgotten.
  ///
  /// - Throws: ``StubSessionError`` if the server refuses or does not answer.
  public func play(_ scenario: String, overlays: [String] = []) async throws(StubSessionError) {
    let wanted = Settings(scenario: scenario, overlays: overlays, name: nil)
    let _: Started = try await server.ask("PATCH", "sessions/\(id)", wanted)
  }

  /// Sets the state of a flow of the scenario, as if requests had led to it.
  ///
  /// - Throws: ``StubSessionError`` if the scenario has no such flow or state, or if the server does not answer.
  public func setFlow(_ name: String, to state: String) async throws(StubSessionError) {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
    let name = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    _ = try await server.send("PUT", "sessions/\(id)/flows/\(name)", ["state": state])
  }

  /// Forgets the requests so far, states of flows, and where sequences are.
  ///
  /// - Throws: ``StubSessionError`` if the session has ended or the server does not answer.
  public func reset() async throws(StubSessionError) {
    _ = try await server.send("POST", "sessions/\(id)/reset", [String: Bool]())
  }

  /// Returns what is wrong unless this many requests came, answered or not; empty if nothing is.
  ///
  /// The request is a method and a URL, such as `"POST /v1/charges"`, with `{name}` and `**` in its path as in a scenario
  /// document.
  /// - Throws: ``StubSessionError`` if the session has ended or the server does not answer.
  public func verify(
    _ request: String, count: Int
  ) async throws(StubSessionError) -> [Problem] {
    let report: Report = try await server.ask(
      "POST", "sessions/\(id)/verify", Count(request: request, count: count))
    return report.problems
  }

  /// Ends the session, and returns what a test has to report.
  ///
  /// That is, in order: requests that no stub answers, required stubs that were not used, and sequences that had to be
  /// finished and were not.
  /// - Throws: ``StubSessionError`` if the session has ended before or the server does not answer.
  public func end() async throws(StubSessionError) -> [Problem] {
    let report: Report = try await server.ask("DELETE", "sessions/\(id)", String?.none)
    return report.problems
  }
}

private struct Settings: Encodable {
  var scenario: String
  var overlays: [String]
  var name: String?
}

private struct Started: Decodable {
  var id: String
  var baseURL: String
}

private struct Report: Decodable {
  var problems: [StubSession.Problem]
}

private struct Count: Encodable {
  var request: String
  var count: Int
}
