public import HTTPTypes
public import StubDBEngine
public import StubDBModel

/// Something that plays a scenario to a client, and what can be asked of every such thing.
public protocol ScenarioPlayback: AnyObject, Sendable {
  /// What plays the scenario.
  var player: Player { get }

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  func end()
}

extension ScenarioPlayback {
  /// The scenario that is played.
  public var scenario: LoadedScenario { player.run.scenario }

  /// How it is played.
  public var options: PlaybackOptions { player.options }

  /// The requests so far and what answered them, in order of arrival; those that nothing answered are among them.
  public var journal: [ServeEvent] { player.run.journal }

  /// The requests so far, answered or not, in order of arrival.
  public var requests: [StubRequest] { journal.map(\.request) }

  /// The requests so far that a pattern matches, answered or not, in order of arrival.
  ///
  /// - Throws: `VerificationError` for a pattern that cannot match, such as an invalid regular expression.
  public func requests(
    matching pattern: RequestPattern
  ) throws(VerificationError) -> [StubRequest] {
    try player.run.requests(matching: pattern).map(\.request)
  }

  /// The requests so far to a URL, answered or not, in order of arrival.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**` in
  /// the path; query parameters that it does not name may be there. Without a method, all of them.
  /// - Throws: `DocumentError` for a URL that cannot be read.
  public func requests(
    to url: String, method: HTTPRequest.Method? = nil
  ) throws(DocumentError) -> [StubRequest] {
    let pattern = try RequestPattern(method: method?.rawValue, url: url)
    do throws(VerificationError) {
      return try requests(matching: pattern)
    } catch {
      throw DocumentError(.invalidValue, message: error.description)
    }
  }

  /// The stubs that answered nothing so far, in the order in which they answer.
  public var unusedStubs: [LoadedScenario.Source] { player.run.unusedStubs }

  /// Expects that so many requests match a pattern, answered or not.
  ///
  /// - Throws: `VerificationError` that lists the requests.
  public func expect(count: Int, matching pattern: RequestPattern) throws(VerificationError) {
    try player.run.expect(count: count, matching: pattern)
  }

  /// Expects that a number of requests in a range matches a pattern, answered or not.
  ///
  /// - Throws: `VerificationError` that lists the requests.
  public func expect(
    count: ClosedRange<Int>, matching pattern: RequestPattern
  ) throws(VerificationError) {
    try player.run.expect(count: count, matching: pattern)
  }

  /// Expects that requests match the patterns in this order; others may come before, between and after them.
  ///
  /// - Throws: `VerificationError` that names the first pattern that found none and lists the requests.
  public func expect(inOrder patterns: [RequestPattern]) throws(VerificationError) {
    try player.run.expect(inOrder: patterns)
  }

  /// Checks that everything went as the scenario says.
  ///
  /// - Throws: `VerificationError` for requests that no stub answered (unless the policy has an answer for them),
  ///   required stubs that answered nothing, and stubs that gave some of their responses and not all, where they are required,
  ///   say `"then": "fail"`, or the options require whole sequences.
  public func verify() throws(VerificationError) {
    let problems = player.problems()
    if !problems.isEmpty { throw VerificationError(problems: problems) }
  }
}
