import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport
import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The interceptor of a test, with the problems that become failures of the test at its end.
///
/// Requests come from any thread, and both frameworks would attribute an issue recorded there to no test or to the
/// wrong one. So problems are collected, and the test's own task reports them at the end.
final class FailureLedger: Sendable {
  /// How the test ended, which decides which problems count.
  enum Ending {
    /// It ran to its end.
    case complete
    /// It threw an error, which is reported separately.
    case failed
    /// It was skipped or cancelled, so that stubs it did not use are no problem.
    case cutShort
  }

  /// What executes the test.
  enum Framework {
    case swiftTesting
    case xcTest

    /// How a test can hand the session to the code under test.
    var session: String {
      switch self {
      case .swiftTesting: "URLSession.stubbed"
      case .xcTest: "interceptor.urlSession()"
      }
    }

    /// XCTest has no warnings, and earlier versions of Swift Testing have none.
    var hasWarnings: Bool {
      #if compiler(>=6.3)
        self == .swiftTesting
      #else
        false
      #endif
    }
  }

  /// A problem to report with the test.
  struct Finding: Sendable {
    fileprivate(set) var message: String
    /// Whether it is only a warning.
    var isWarning = false
  }

  private let interceptor: StubInterceptor
  private let framework: Framework
  private let reach: SessionReach
  /// The requests that the test sent through the shared session.
  let sharedRequests = SharedRequests()
  /// Whether the test failed otherwise than by an error that it threw or by a problem of its run.
  let hasFailed = Locked(false)

  /// Makes the ledger of a test.
  init(
    _ interceptor: StubInterceptor, in framework: Framework, reach: SessionReach = .ownSessions
  ) {
    (self.interceptor, self.framework, self.reach) = (interceptor, framework, reach)
  }

  /// Whether an error says only that a request had no answer, which the test reports with all that differs.
  ///
  /// The error of another run, or one with another message, is not.
  func willReport(_ error: any Error) -> Bool {
    guard let error = error as? URLError, error.code == UnmatchedPolicy.errorCode else {
      return false
    }
    return interceptor.player.problems().contains { problem in
      problem.kind == .unmatchedRequest
        && Player.heading(of: problem.message) == error.localizedDescription
    }
  }

  /// Ends the interceptor and returns the problems, in order.
  func close(_ ending: Ending) -> [Finding] {
    interceptor.end()
    let found = Self.problems(of: interceptor, ending)
    let problems =
      found + recorded(failed: ending == .failed || !found.isEmpty) + Self.ledgerProblem
    return withLateRequests(problems.isEmpty ? unasked(ending) : problems)
  }

  /// What a run has to say that was asked nothing; empty for others.
  private func unasked(_ ending: Ending) -> [Finding] {
    guard interceptor.journal.isEmpty, ending != .cutShort,
      interceptor.options.unmatched != .passthrough
    else { return [] }
    if let request = sharedRequests.first { return [bypassed(by: request)] }
    return ending == .complete && interceptor.player.hasScenario ? [unused] : []
  }

  /// The findings, with late requests in the first failure or as a warning; else the next test that fails names them.
  private func withLateRequests(_ findings: [Finding]) -> [Finding] {
    let failure = findings.firstIndex { !$0.isWarning }
    guard failure != nil || framework.hasWarnings else { return findings }
    let late = LateRequests.take()
    guard !late.isEmpty else { return findings }
    let text = late.joined(separator: ".\n") + ". A test should end what it has begun."
    guard let failure else { return findings + [Finding(message: text, isWarning: true)] }
    var findings = findings
    findings[failure].message += "\n\n\(text)"
    return findings
  }

  /// The journal of a test that failed, by its findings or otherwise, without secrets; nil if it passed, or if the
  /// program is not linked with what writes journals.
  static func journal(
    of player: Player, test: String, _ findings: [Finding], _ hasFailed: Bool
  ) -> Data? {
    let problems = findings.filter { !$0.isWarning }.map(\.message)
    guard let maker = RecordedPlay.linkedMaker, hasFailed || !problems.isEmpty else { return nil }
    return maker.journal(of: player, test: test, problems: problems)
  }

  /// The name of the journal among the attachments of a test.
  static let journalName = "stubdb-journal.jsonl"

  /// What was recorded, which is in the draft beside the catalog now.
  private func recorded(failed: Bool) -> [Finding] {
    guard let recorder = interceptor.recorder else { return [] }
    recorder.end(failed: failed || hasFailed.withLock(\.self))
    let (count, problems) = recorder.outcome
    let recorded =
      "Recorded \(Plural.of(count, "request")) into \(recorder.folder). To see and accept them: stubdb review; then the "
      + "test plays them."
    return ((count > 0 ? [recorded] : []) + problems).map { Finding(message: $0, isWarning: true) }
  }

  /// Why the usage ledger is incomplete; the next test that ends reports it.
  private static var ledgerProblem: [Finding] {
    UsageLedger.shared.takeProblem().map { [Finding(message: $0, isWarning: true)] } ?? []
  }

  /// What went wrong in a run, in order.
  static func problems(of playback: any ScenarioPlayback, _ ending: Ending) -> [Finding] {
    do throws(VerificationError) {
      try playback.verify()
      return []
    } catch {
      // The message names scenario and stub; this adds where their document is.
      let catalog = playback.scenario.catalogDescription.map { "\n\nCatalog: \($0)" } ?? ""
      return error.problems
        .filter { ending != .cutShort || ![.unusedStub, .unfinishedSequence].contains($0.kind) }
        .map { Finding(message: $0.message + catalog) }
    }
  }

  private var name: String {
    interceptor.player.hasScenario ? "Scenario \"\(interceptor.scenario.name)\"" : "The interceptor"
  }

  private func bypassed(by request: String) -> Finding {
    let more = Plural.more(sharedRequests.count - 1)
    return Finding(
      message: """
        \(name) was asked nothing, but this test asked URLSession.shared for \(request)\(more), which goes to the real \
        network. Hand \(framework.session) to the code under test; where that cannot be, \(remedy). If that is \
        intended, say unmatched: .passthrough.
        """)
  }

  /// How the shared session is answered.
  private var remedy: String {
    guard framework == .swiftTesting else { return "call interceptor.interceptSharedSession()" }
    let trait =
      interceptor.player.hasScenario
      ? ".scenario(\"\(interceptor.scenario.name)\", reach: .sharedSession)"
      : ".interceptor(reach: .sharedSession)"
    return "write the trait \(trait), with which tests take turns"
  }

  private var unused: Finding {
    let use = reach == .sharedSession ? "ask URLSession.shared" : "have \(framework.session)"
    return Finding(
      message: """
        \(name) was asked nothing. Does the code under test \(use)? A test that needs no scenario passes \
        without naming one.
        """, isWarning: true)
  }
}
