package import StubDBEngine
import StubDBModel
import StubDBSupport

extension ScenarioRun {
  /// The states of all flows that the stubs name.
  package var flowStates: [String: String] {
    let states = state.withLock(\.progress.states)
    return flowNames.reduce(into: [:]) { $0[$1] = states[$1] ?? FlowStep.initialState }
  }

  /// Sets the state of a flow; false if no stub names the flow.
  package func setState(_ name: String, ofFlow flow: String) -> Bool {
    guard flowNames.contains(flow) else { return false }
    state.withLock { $0.progress.states[flow] = name }
    return true
  }

  private var flowNames: Set<String> {
    Set(scenario.sources.lazy.compactMap { $0.stub.flow?.name })
  }

  /// The entries of the journal after a number, up to the first one that is not decided yet.
  ///
  /// The cost depends on the limit, and not on the length of the journal.
  package func journal(after number: Int, limit: Int) -> JournalPage {
    state.withLock { $0.journal.page(after: number, limit: limit) }
  }

  /// The entry of the journal with a number; nil if it was dropped.
  package func journalEntry(_ number: Int) -> ServeEvent? {
    state.withLock { $0.journal.entry(number) }
  }

  /// Says in the journal which status a client got, nil for none, what to keep of the answer, and how long it took.
  package func conclude(
    _ event: ServeEvent, status: Int?, kept: (any KeptAnswer)? = nil, after time: Duration
  ) {
    state.withLock { $0.journal.conclude(event, status: status, kept: kept, after: time) }
  }

  /// What is kept of the answer to an entry of the journal; nil for nothing.
  package func keptAnswer(toEntry number: Int) -> (any KeptAnswer)? {
    state.withLock { $0.journal.kept(of: number) }
  }

  /// How long the answer to an entry of the journal took; nil while that is not known.
  package func duration(ofEntry number: Int) -> Duration? {
    state.withLock { $0.journal.duration(ofEntry: number) }
  }

  /// Removes entries from the journal, as if their requests had not been made; numbers without an entry have no effect.
  package func removeJournalEntries(_ numbers: Set<Int>) {
    state.withLock { $0.removeEntries(numbers) }
  }

  /// The number of the last request; 0 before the first.
  package var lastNumber: Int { state.withLock { $0.journal.nextNumber - 1 } }

  /// Says in the journal what a client got in place of an answer.
  package func remark(_ text: String, on event: ServeEvent) {
    state.withLock { $0.remark(text, onEntry: event.number) }
  }

  /// Adds to the journal the outcome of a message on the WebSocket that a request opened.
  package func record(_ frame: FrameRecord, on event: ServeEvent) {
    state.withLock { $0.journal.update(event.number) { $0.with(frame: frame) } }
  }

  /// Adds a problem in making an answer.
  package func note(_ problem: VerificationProblem) { state.withLock { $0.note(problem) } }

  /// The number of entries that the journal has, with those of requests without a decision.
  package var journalCount: Int { state.withLock(\.journal.count) }
}
