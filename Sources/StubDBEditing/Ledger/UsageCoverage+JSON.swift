package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

extension UsageCoverage {
  /// Everything, with what the ledger cannot say, for programs.
  package func json(_ reading: LedgerReading) -> OrderedJSON {
    .object([
      ("runs", .integer(reading.entries.count)),
      ("tests", .integer(tests.count)),
      ("unfinishedProcesses", .integer(reading.unfinishedCount)),
      ("unreadableLines", .integer(reading.unreadableCount)),
      ("staleRuns", .integer(reading.staleCount)),
      ("scenarios", .array(scenarios.map(Self.json))),
      ("byTest", .array(tests.map(Self.json))),
    ])
  }

  private static func json(_ scenario: UsageCoverage.ScenarioUse) -> OrderedJSON {
    .object([
      ("scenario", .string(scenario.name.rawValue)),
      ("runs", .integer(scenario.runCount)),
      ("tests", .strings(scenario.tests.sorted())),
      (
        "stubs",
        .array(
          scenario.stubs.map { stub in
            .object([
              ("key", .string(stub.key)), ("runs", .integer(stub.runCount)),
              ("tests", .strings(stub.tests.sorted())),
            ])
          })
      ),
    ])
  }

  private static func json(_ test: UsageCoverage.TestUse) -> OrderedJSON {
    .object([
      ("test", .string(test.test)),
      ("scenarios", .strings(test.scenarios.sorted())),
      (
        "stubs",
        .array(
          test.stubs.sorted().map { stub in
            .object([("scenario", .string(stub.scenario)), ("key", .string(stub.key))])
          })
      ),
    ])
  }
}
