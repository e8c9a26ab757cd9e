package import Foundation
package import StubDBEngine
import StubDBJSON
package import StubDBModel
package import StubDBPlayback
import StubDBSupport

/// Records what the real network answers to the requests of one run.
///
/// Safe to use from any thread.
package final class RunRecorder: RunTap {
  private struct State {
    var test: String?
    var recordedCount = 0
    /// Why something was not recorded; each reason once.
    var problems: [String] = []
    var hasEnded = false
  }

  let writer: DraftWriter
  let scenario: ScenarioName
  private let mode: RecordMode
  private let run: Int
  private let day: String
  private let state = Locked(State())
  /// The path of the catalog's draft.
  package let folder: String

  /// Begins to record for a scenario of a catalog, which need not have it yet.
  package init(
    _ scenario: ScenarioName, mode: RecordMode, catalog path: String, writer: DraftWriter,
    now: Date = Date()
  ) {
    (self.scenario, self.mode, self.writer) = (scenario, mode, writer)
    folder = DraftWriter.folder(ofCatalog: path)
    run = writer.beginRun()
    day = now.formatted(.iso8601.year().month().day())
  }

  /// Names the test that the run belongs to.
  package func name(test: String) { state.withLock { $0.test = test } }

  /// How many requests were recorded, and why others were not.
  package var outcome: (count: Int, problems: [String]) {
    state.withLock { ($0.recordedCount, $0.problems) }
  }

  /// Begins with a request that goes to the network; `number` is its number in the journal.
  ///
  /// `key` names the stub that the answer is proposed for; without it the request says which one it is.
  package func begin(
    _ request: StubRequest, number: Int, for key: Stub.Key? = nil
  ) -> ExchangeRecorder {
    ExchangeRecorder(self, request, number: number, for: key)
  }

  package func tap(_ request: StubRequest, number: Int) -> any ExchangeTap {
    begin(request, number: number)
  }

  /// Says that the run has ended, and whether its test failed; does nothing the second time.
  package func end(failed: Bool) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { writer.end(run: run, failed: failed) }
  }

  func append(
    _ exchange: ExchangeDocument, _ content: LongContent?, number: Int, for key: Stub.Key?,
    wait: Int, receive: Int
  ) {
    let test = state.withLock(\.test)
    let document: Scenario
    do throws(ExchangeDocument.Failure) {
      document = try exchange.scenario(named: scenario.rawValue, on: day, writer.limits)
    } catch {
      content?.remove()
      return note("\(exchange.request.shownName) was not recorded: \(error.reason).")
    }
    do throws(DraftWriter.Failure) {
      try writer.append(document, content) { process, stub in
        var line = DraftExchange(
          process: process, run: run, order: number, scenario: scenario.rawValue, test: test,
          mode: mode.name, wait: wait, receive: receive, stub: stub)
        line.stubKey = key?.rawValue
        return line
      }
      state.withLock { $0.recordedCount += 1 }
    } catch {
      note(error.message)
    }
  }

  /// More sentences than a person reads; a run may have any number of requests.
  private static let mostProblems = 100

  /// Says why something was not recorded, or not as it was; each reason is kept once.
  package func note(_ problem: String) {
    state.withLock { state in
      if state.problems.count < Self.mostProblems, !state.problems.contains(problem) {
        state.problems.append(problem)
      }
    }
  }
}

extension StubRequest {
  /// The request in messages: its method, and its URL without secrets.
  package var shownName: String {
    let url = url.prefix { $0 != "?" && $0 != "#" }
    return "\(method) \(SecretDisplay.text(String(url)))"
  }
}

/// Has the runs of a program recorded, and writes the journals of failing tests.
///
/// Interceptors look this class up by its name, so a program that is linked with this module can record without a call.
package final class RecorderMaker: RunTapMaker {
  /// Does nothing; whoever calls it is linked with this class, also where the module is a static library.
  package static func link() {}

  package static func tap(
    for scenario: ScenarioName, mode: RecordMode, catalog path: String
  ) throws -> any RunTap {
    RunRecorder(
      scenario, mode: mode, catalog: path, writer: try DraftWriter.shared(forCatalog: path))
  }

  package static func journal(of player: Player, test: String?, problems: [String]) -> Data {
    let text = JournalWriter.text(
      of: player, test: test, problems: problems,
      environment: ProcessInfo.processInfo.environment)
    return Data(text.utf8)
  }
}
