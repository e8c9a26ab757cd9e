public import Foundation
public import HTTPTypes
public import StubDBEngine
public import StubDBModel

/// A front end that plays a scenario to clients, with what all of them offer.
public protocol ScenarioPlayback: AnyObject, Sendable {
  /// The player of the scenario.
  var player: Player { get }

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  func end()
}

extension ScenarioPlayback {
  /// The scenario that is played.
  public var scenario: LoadedScenario { player.run.scenario }

  /// The options of the run.
  public var options: PlaybackOptions { player.options }

  /// The time of the run, for code that can be given a clock; that of the system, unless the options say what today is.
  public var now: Date { player.run.now }

  /// By how many seconds the dates of answers are later than recorded; 0 without ``PlaybackOptions/today``.
  public var dateShift: TimeInterval { TimeInterval(player.run.shift) }

  /// The requests so far with what answered them, in order of arrival; unmatched requests are included.
  ///
  /// A request that a closure has not answered yet is missing; later it is at the place of its arrival.
  public var journal: [ServeEvent] { player.run.journal }

  /// The requests so far, answered or not, in order of arrival.
  public var requests: [StubRequest] { journal.map(\.request) }

  /// The requests so far that match a pattern, answered or not, in order of arrival.
  ///
  /// - Throws: `VerificationError` for a pattern that cannot match, such as an invalid regular expression.
  public func requests(
    matching pattern: RequestPattern
  ) throws(VerificationError) -> [StubRequest] {
    try player.run.requests(matching: pattern).map(\.request)
  }

  /// The requests so far to a URL, answered or not, in order of arrival.
  ///
  /// The URL is written as in a scenario document: absolute, or beginning with `/` for any host, with `{name}` and `**`
  /// in the path. Query parameters that it does not name are allowed. Without a method, requests of all methods count.
  /// - Throws: `DocumentError` for an invalid URL.
  public func requests(
    to url: String, method: HTTPRequest.Method? = nil
  ) throws(DocumentError) -> [StubRequest] {
    let pattern = try RequestPattern(method: method, url: url)
    do throws(VerificationError) {
      return try requests(matching: pattern)
    } catch {
      throw DocumentError(.invalidValue, message: error.description)
    }
  }

  /// The stubs that have answered nothing so far, in the order in which they answer.
  public var unusedStubs: [LoadedScenario.Source] { player.run.unusedStubs }

  /// The callbacks that were due so far, in that order.
  ///
  /// They are never sent: a test acts for the service that makes the call.
  public var callbacks: [CallbackEvent] { player.callbacks.events }

  /// Waits until all callbacks of the answers so far were due, and returns those of the run, in that order.
  ///
  /// Takes as long as the callbacks say at the run's pace. Returns early if the run ends or the task is cancelled.
  public func allCallbacks() async -> [CallbackEvent] {
    await player.callbacks.waitForAll()
    return callbacks
  }

  /// Expects that this many requests match a pattern, answered or not.
  ///
  /// - Throws: `VerificationError` that lists the requests.
  public func expect(count: Int, matching pattern: RequestPattern) throws(VerificationError) {
    try player.run.expect(count: count, matching: pattern)
  }

  /// Expects that the number of requests that match a pattern is in a range, answered or not.
  ///
  /// - Throws: `VerificationError` that lists the requests.
  public func expect(
    count: ClosedRange<Int>, matching pattern: RequestPattern
  ) throws(VerificationError) {
    try player.run.expect(count: count, matching: pattern)
  }

  /// Expects that requests match the patterns in this order; others may come before, between and after them.
  ///
  /// - Throws: `VerificationError` with the first pattern without a request, and the list of requests.
  public func expect(inOrder patterns: [RequestPattern]) throws(VerificationError) {
    try player.run.expect(inOrder: patterns)
  }

  /// Checks that the run has no problems.
  ///
  /// - Throws: `VerificationError` for unmatched requests (unless the policy answers them), required stubs that were
  /// not used, and sequences that were begun and not finished, if the stub is required or says `"then": "fail"`, or if
  /// the options require whole sequences.
  public func verify() throws(VerificationError) {
    let problems = player.problems()
    if !problems.isEmpty { throw VerificationError(problems: problems) }
  }
}
