package import Foundation
package import StubDBEngine
import StubDBJSON
package import StubDBModel
package import StubDBPlayback
import StubDBSupport

/// Records what the real network answers to the requests of one run.
///
/// Safe to use from any thread.
package final class RunRecorder: Sendable {
  private struct State {
    var test: String?
    var recordedCount = 0
    /// Why something was not recorded; each reason once.
    var problems: [String] = []
    var hasEnded = false
  }

  private let writer: DraftWriter
  fileprivate let scenario: ScenarioName
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

  /// Says that the run has ended, and whether its test failed; does nothing the second time.
  package func end(failed: Bool) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { writer.end(run: run, failed: failed) }
  }

  fileprivate func append(
    _ exchange: ExchangeDocument, number: Int, for key: Stub.Key?, wait: Int, receive: Int
  ) {
    do {
      let test = state.withLock(\.test)
      try writer.append(exchange.scenario(named: scenario.rawValue, on: day)) { process, stub in
        var line = DraftExchange(
          process: process, run: run, order: number, scenario: scenario.rawValue, test: test,
          mode: mode.name, wait: wait, receive: receive, stub: stub)
        line.stubKey = key?.rawValue
        return line
      }
      state.withLock { $0.recordedCount += 1 }
    } catch let error as ExchangeDocument.Failure {
      note("A request was not recorded: \(error.reason).")
    } catch let error as DraftWriter.Failure {
      note(error.message)
    } catch {
      note("A request was not recorded.")
    }
  }

  /// Says why something was not recorded, or not as it was; each reason is kept once.
  package func note(_ problem: String) {
    state.withLock { state in
      if !state.problems.contains(problem) { state.problems.append(problem) }
    }
  }
}

/// Collects the answer to one request.
///
/// It is written before the client is told its end, so that a test that has ended has all its requests in the draft.
package final class ExchangeRecorder: Sendable {
  private struct State {
    var status: Int?
    var headers: [(name: String, value: String)] = []
    var content = Data()
    var isTooLarge = false
    var answered: ContinuousClock.Instant?
    var isOver = false
  }

  /// The largest content of an answer that is recorded, in bytes.
  package static let largestContent = ExchangeDocument.largestContent

  private let recorder: RunRecorder
  private let request: StubRequest
  private let number: Int
  private let key: Stub.Key?
  private let began = ContinuousClock.now
  private let state = Locked(State())

  fileprivate init(
    _ recorder: RunRecorder, _ request: StubRequest, number: Int, for key: Stub.Key?
  ) {
    (self.recorder, self.request, self.number, self.key) = (recorder, request, number, key)
  }

  /// The head of the answer as Foundation tells it; joined cookies are separated.
  package func head(status: Int, headers: [(name: String, value: String)]) {
    let separated = headers.flatMap { field in
      field.name.lowercased() == "set-cookie"
        ? CookieFields.separate(field.value).map { (name: field.name, value: $0) } : [field]
    }
    // Names are sorted, since Foundation does not keep the order.
    let sorted = separated.enumerated().sorted {
      ($0.element.name.lowercased(), $0.offset) < ($1.element.name.lowercased(), $1.offset)
    }.map(\.element)
    state.withLock { state in
      (state.status, state.headers, state.answered) = (status, sorted, .now)
    }
  }

  /// The head of the answer as it came over the network, whose fields stay as they are.
  package func head(status: Int, exactly headers: [(name: String, value: String)]) {
    state.withLock { state in
      (state.status, state.headers, state.answered) = (status, headers, .now)
    }
  }

  /// A piece of its content.
  package func content(_ piece: Data) {
    state.withLock { state in
      guard state.content.count + piece.count <= ExchangeDocument.largestContent else {
        (state.isTooLarge, state.content) = (true, Data())
        return
      }
      if !state.isTooLarge { state.content.append(piece) }
    }
  }

  /// The answer is complete.
  package func finish() { finish(nil) }

  /// The network failed, and a stub is to fail in the same way: with the error of this name, such as
  /// `cannotConnectToHost`, or in the midst of the answer that came.
  package func finish(failingWith name: String) {
    let content = state.withLock { $0.isTooLarge ? 0 : $0.content.count }
    if content > 0 { return finish(.truncated) }
    state.withLock { state in
      (state.status, state.headers, state.content) = (state.status ?? 0, [], Data())
      state.answered = state.answered ?? .now
    }
    finish(.error(name))
  }

  private func finish(_ failure: ExchangeDocument.NetworkFailure?) {
    let finished = state.withLock { state -> State? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state
    }
    guard let finished, let status = finished.status, let answered = finished.answered else {
      return
    }
    guard !finished.isTooLarge else {
      return recorder.note(
        "A request was not recorded: its answer has more than "
          + "\(ExchangeDocument.largestContent >> 20) MiB.")
    }
    recorder.append(
      ExchangeDocument(
        request: request, status: status, headers: finished.headers, content: finished.content,
        failure: failure),
      number: number, for: key, wait: (answered - began).wholeMilliseconds,
      receive: (ContinuousClock.now - answered).wholeMilliseconds)
  }

  /// The network failed: a fault of the moment does not become a stub.
  package func fail() { giveUp("A request was not recorded: the network failed.") }

  /// The request is not recorded, for a reason that is one sentence.
  package func giveUp(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { recorder.note(reason) }
  }

  /// Foundation cannot read the answer, which a proxy passes on as it is.
  package func failUnreadably() {
    let host = URLComponents(string: request.url)?.host ?? "HOST"
    giveUp(
      "A request was not recorded: Foundation on Linux cannot read the answer of \(host). A proxy can: "
        + "stubdb record \(recorder.scenario) --record-host \(host) -- swift test")
  }

  /// Says what the stub lacks of the answer, in one sentence.
  package func note(_ loss: String) { recorder.note(loss) }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
