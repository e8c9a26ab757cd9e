import StubDB
import StubDBModel

/// The interceptor of one test, whose problems become failures of that test when it is over.
///
/// A request may come from any thread, and both frameworks attribute what is recorded there to no test or to the wrong
/// one. So nothing is recorded when it happens: the test's own task asks for it at the end.
final class FailureLedger: Sendable {
  /// How the test came to its end, which decides what it answers for.
  enum Ending {
    /// It came to its end.
    case complete
    /// It threw an error, which is reported anyway.
    case failed
    /// It was skipped or cancelled, and does not answer for what it did not come to do.
    case cutShort
  }

  /// Something to report with the test.
  struct Finding: Sendable {
    let message: String
    /// Whether the test passes all the same.
    var isWarning = false
  }

  private let interceptor: Interceptor
  /// How the test gets the session that it should hand to the code under test.
  private let session: String
  /// What the test asked of the shared session.
  let sharedRequests = SharedRequests()

  /// Has the interceptor ended and verified with the test.
  init(_ interceptor: Interceptor, session: String) {
    self.interceptor = interceptor
    self.session = session
  }

  /// Ends the interceptor and says what went wrong, in order.
  func close(_ ending: Ending) -> [Finding] {
    interceptor.end()
    let problems = problems(ending)
    guard problems.isEmpty, interceptor.journal.isEmpty, ending != .cutShort,
      interceptor.options.unmatched != .passthrough
    else { return problems }
    if let request = sharedRequests.first { return [bypassed(by: request)] }
    return ending == .complete && interceptor.hasScenario ? [unused] : []
  }

  private func problems(_ ending: Ending) -> [Finding] {
    do throws(VerificationError) {
      try interceptor.verify()
      return []
    } catch {
      // The message names scenario and stub; what is left to say is where their document is.
      let catalog = interceptor.scenario.catalogDescription.map { "\n\nCatalog: \($0)" } ?? ""
      return error.problems
        .filter { ending != .cutShort || ![.unusedStub, .unfinishedSequence].contains($0.kind) }
        .map { Finding(message: $0.message + catalog) }
    }
  }

  private var name: String {
    interceptor.hasScenario ? "Scenario \"\(interceptor.scenario.name)\"" : "The interceptor"
  }

  private func bypassed(by request: String) -> Finding {
    let more = sharedRequests.count > 1 ? " and \(sharedRequests.count - 1) more" : ""
    return Finding(
      message: """
        \(name) was asked nothing, but this test asked URLSession.shared for \(request)\(more), which goes to the real \
        network. Hand \(session) to the code under test; where that cannot be, call interceptSharedSession() on the \
        interceptor, in a suite that is .serialized. With unmatched: .passthrough nothing is said.
        """)
  }

  private var unused: Finding {
    Finding(
      message: """
        \(name) was asked nothing. Does the code under test have \(session)? A test that needs no scenario passes \
        without naming one.
        """, isWarning: true)
  }
}
