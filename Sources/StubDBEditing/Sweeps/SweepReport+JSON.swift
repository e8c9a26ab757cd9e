package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBVariations

extension SweepReport {
  /// Everything, with what the files cannot say, for programs.
  package func json(_ reading: SweepReading) -> OrderedJSON {
    .object([
      ("counts", Self.counts(tests.flatMap(\.outcomes))),
      ("tests", .array(tests.map(Self.json))),
      ("stubs", .array(stubs.map(Self.json))),
      ("neverVaried", .array(neverVaried.map(Self.json))),
      ("gone", .array(gone.map(Self.json))),
      ("notes", .array(reading.notes.map(Self.json))),
      ("knowsAnswers", .json(.bool(knowsAnswers))),
      ("files", .integer(reading.fileCount)),
      ("runningProcesses", .integer(reading.runningCount)),
      ("unreadableLines", .integer(reading.unreadableCount)),
      ("staleOutcomes", .integer(reading.outcomes.count { $0.isStale })),
    ])
  }

  private static func counts(_ outcomes: [SweepOutcome]) -> OrderedJSON {
    .object(
      SweepOutcome.State.allCases.map { state in
        (state.rawValue, .integer(outcomes.count { $0.state == state }))
      })
  }

  private static func json(_ test: TestSweep) -> OrderedJSON {
    .object([
      ("test", .string(test.test)), ("scenarios", .strings(test.scenarios)),
      ("counts", counts(test.outcomes)), ("outcomes", .array(test.outcomes.map(json))),
    ])
  }

  private static func json(_ note: SweepNote) -> OrderedJSON {
    let texts: [(String, String?)] = [
      ("note", note.kind.rawValue), ("test", note.test), ("variation", note.variation),
      ("kind", note.sweep?.rawValue), ("message", note.message),
    ]
    return .object(texts.flatMap(OrderedJSON.text))
  }

  private static func json(_ outcome: SweepOutcome) -> OrderedJSON {
    let line = outcome.line
    let texts: [(String, String?)] = [
      ("variation", outcome.name), ("kind", line.kind.rawValue), ("scenario", line.origin),
      ("key", line.key), ("failure", line.failure?.rawValue), ("pointer", line.pointer),
      ("state", outcome.state.rawValue), ("finding", outcome.finding?.kind.rawValue),
      ("message", outcome.finding?.message),
    ]
    let members = texts.flatMap(OrderedJSON.text)
    return .object(members + (outcome.isStale ? [("stale", .yes)] : []))
  }

  private static func json(_ stub: StubSweep) -> OrderedJSON {
    .object([
      ("scenario", .string(stub.scenario)), ("key", .string(stub.key)),
      ("answered", .strings(stub.answered)), ("varied", .strings(stub.varied)),
      (
        "failures",
        .object([
          ("tried", words(stub.failures)), ("survived", words(stub.survivedFailures)),
        ])
      ),
      (
        "changes",
        .object([
          ("tried", .integer(stub.changes.tried)), ("survived", .integer(stub.changes.survived)),
        ])
      ),
    ])
  }

  private static func words(_ failures: Set<FailureKind>) -> OrderedJSON {
    .words(FailureKind.allCases.filter(failures.contains).map(\.rawValue))
  }

  private static func json(_ stub: StubName) -> OrderedJSON {
    .object([("scenario", .string(stub.scenario?.rawValue)), ("key", .string(stub.key))])
  }
}
