import StubDBSupport

/// What a run has kept of its requests.
package struct RunParts: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// How often each stub answered, and the counters of templates.
  package static let counters = RunParts(rawValue: 1)
  /// The states of flows.
  package static let flows = RunParts(rawValue: 2)
  /// The values that stubs captured.
  package static let captures = RunParts(rawValue: 4)
  /// The journal, and the problems in making answers.
  package static let journal = RunParts(rawValue: 8)
  /// Everything, as in a new run.
  package static let all: RunParts = [.counters, .flows, .captures, .journal]
}

extension ScenarioRun {
  /// Forgets parts of what the run has kept; the numbers of the journal continue.
  ///
  /// A request that is being decided meanwhile is decided before or after.
  package func reset(_ parts: RunParts = .all) {
    state.withLock { $0.reset(parts) }
  }

  /// The number of entries that the limit of the journal has dropped.
  package var droppedCount: Int { state.withLock(\.journal.dropped.count) }
}
