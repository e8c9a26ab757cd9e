package import StubDBJSON

extension AffectedTests {
  /// Everything, for programs; `unknown` are the tests of a list that the ledger does not have.
  package func json(unknown: [String]) -> OrderedJSON {
    .object([
      ("tests", .array(tests.map(Self.json))),
      ("unknown", .strings(unknown)),
      ("unnamed", .array(unnamed.map(Self.json))),
      ("stale", .strings(stale)),
      ("known", .integer(testCount)),
    ])
  }

  private static func json(_ test: Affected) -> OrderedJSON {
    .object([("test", .string(test.test)), ("reasons", .array(test.reasons.map(json)))])
  }

  private static func json(_ reason: AffectedReason) -> OrderedJSON {
    .object([
      ("kind", .string(reason.kind.rawValue)), ("scenario", .string(reason.scenario)),
      ("key", .string(reason.key)), ("text", .string(reason.text)),
    ])
  }
}
