import StubDBEditing
import StubDBJobs
import StubDBSupport

/// The tests that a change affects, as text.
struct AffectedView {
  let affected: AffectedTests
  let reading: LedgerReading
  /// What affects them, for messages.
  let change: String
  /// The tests of a list that the ledger does not have.
  let unknown: [String]

  /// A line for each test: the test, and why it is affected.
  func table(columns: Int?, style: Style) -> String {
    var table = Table([.left, .left])
    if columns != nil { table.add(["TEST", "WHY"], style: style.dim) }
    for test in affected.tests {
      let more = test.reasons.count - 1
      table.add([
        TerminalText.line(test.test), Self.text(test.reasons[0]) + Plural.more(more),
      ])
    }
    for test in unknown { table.add([TerminalText.line(test), "not known: not in the ledger"]) }
    return table.text(fitting: columns)
  }

  private static func text(_ reason: AffectedReason) -> String {
    let place = [reason.scenario, reason.key].compactMap { $0.map(TerminalText.line) }
    return (place + [TerminalText.line(reason.text)]).joined(separator: " ")
  }

  /// The sum, and what the ledger cannot say.
  func notes(isFilter: Bool) -> [String] {
    let count = affected.tests.count
    var notes = [
      "\(count) of \(Plural.of(affected.testCount, "test")) in the ledger \(count == 1 ? "is" : "are") "
        + "affected by \(change)."
    ]
    if !affected.stale.isEmpty {
      notes.append(
        "The ledger is of another state of what \(Plural.of(affected.stale.count, "of them", "of them")) "
          + "load, so that any change there counts; run them to be exact.")
    }
    if !unknown.isEmpty {
      notes.append(
        "Not known: \(Plural.of(unknown.count, "test")) of the list never wrote to the ledger"
          + (isFilter ? "; selected." : "."))
    }
    if !affected.unnamed.isEmpty {
      let scenarios = Set(affected.unnamed.compactMap(\.scenario)).sorted()
      notes.append(
        "Not known: runs that name no test use what changed"
          + (scenarios.isEmpty
            ? ""
            : ": \(scenarios.prefix(5).joined(separator: ", "))"
              + Plural.more(scenarios.count - 5))
          + (isFilter ? "; whatever tests these are, they are not selected." : "."))
    }
    return notes + doubts
  }

  private var doubts: [String] {
    var doubts: [String] = []
    if reading.unfinishedCount > 0 {
      doubts.append(
        "Not known: what the last runs of \(Plural.of(reading.unfinishedCount, "process", "processes")) "
          + "used, killed or still running.")
    }
    if reading.unreadableCount > 0 {
      doubts.append(
        "Not known: \(Plural.of(reading.unreadableCount, "line")) of the ledger cannot be read.")
    }
    return doubts
  }
}
