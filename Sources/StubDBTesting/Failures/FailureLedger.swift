import StubDB
import StubDBModel

/// The interceptors of one test, whose problems become failures of that test when it is over.
///
/// A request may come from any thread, and both frameworks attribute what is recorded there to no test or to the wrong
/// one. So nothing is recorded when it happens: the test's own task asks for it at the end.
final class FailureLedger: Sendable {
  private let interceptors = Locked([Interceptor]())

  /// Has the interceptor ended and verified with the test.
  func add(_ interceptor: Interceptor) {
    interceptors.withLock { $0.append(interceptor) }
  }

  /// Ends all interceptors and gives the messages of what went wrong, in order; a second time there are none.
  ///
  /// A test that is cut short, since it was skipped or cancelled, does not answer for what it did not come to do.
  func drain(isCutShort: Bool = false) -> [String] {
    let ending = interceptors.withLock { interceptors in
      defer { interceptors = [] }
      return interceptors
    }
    return ending.flatMap { interceptor in
      interceptor.end()
      return Self.messages(of: interceptor, isCutShort: isCutShort)
    }
  }

  private static func messages(of interceptor: Interceptor, isCutShort: Bool) -> [String] {
    do throws(VerificationError) {
      try interceptor.verify()
      return []
    } catch {
      // The message names scenario and stub; what is left to say is where their document is.
      let catalog = interceptor.scenario.catalogDescription.map { "\n\nCatalog: \($0)" } ?? ""
      return error.problems
        .filter { !isCutShort || ![.unusedStub, .unfinishedSequence].contains($0.kind) }
        .map { $0.message + catalog }
    }
  }
}
