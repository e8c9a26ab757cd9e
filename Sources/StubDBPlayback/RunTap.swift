package import Foundation
package import StubDBEngine
package import StubDBModel

/// Sees what the real network answers to the requests of one run, such as to record it.
///
/// Recording is a module of its own, which most tests do not need, and which those that play a scenario do not build.
package protocol RunTap: Sendable {
  /// Where what was seen is kept: the path of the catalog's draft.
  var folder: String { get }
  /// How many requests were kept, and why others were not.
  var outcome: (count: Int, problems: [String]) { get }
  /// Names the test that the run belongs to.
  func name(test: String)
  /// Begins with a request that goes to the network; `number` is its number in the journal.
  func tap(_ request: StubRequest, number: Int) -> any ExchangeTap
  /// Ends the run; does nothing the second time.
  func end(failed: Bool)
}

/// Sees the answer to one request.
package protocol ExchangeTap: Sendable {
  /// The head of the answer as Foundation reads it, in which fields of one name may be joined.
  func head(status: Int, headers: [(name: String, value: String)])
  /// A piece of its content.
  func content(_ piece: Data)
  /// The answer is complete.
  func finish()
  /// The network failed.
  func fail()
  /// Foundation cannot read the answer.
  func failUnreadably()
}

/// Makes the taps of runs that record, and the journals of those that fail.
///
/// The module StubDBRecording has the only one. It is found by its name, so that only programs that record compile it.
package protocol RunTapMaker: AnyObject, Sendable {
  /// Makes the tap of a run of a scenario, which the catalog at the path need not have yet.
  ///
  /// - Throws: An error whose description says which rules of redaction cannot be used.
  static func tap(
    for scenario: ScenarioName, mode: RecordMode, catalog path: String
  ) throws -> any RunTap

  /// The journal of a run as lines of JSON, without secrets.
  static func journal(of player: Player, test: String?, problems: [String]) -> Data
}
