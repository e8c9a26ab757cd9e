import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBSupport
import StubDBVariations

/// What the sweeps of a suite have tried, as text.
struct SweepReportView {
  /// More names are counted only.
  private static let mostNames = 5
  /// More notes are counted only.
  private static let mostNotes = 20

  let report: SweepReport
  let reading: SweepReading
  let catalogName: String

  /// Three tables, each below its heading: the tests, what was found, and the stubs.
  func text(columns: Int?, style: Style) -> String {
    [tests(columns, style), findings(columns, style), stubs(columns, style)]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// A line for each test and stub that was varied, and one for the orders of a test.
  private func tests(_ columns: Int?, _ style: Style) -> String {
    guard !report.tests.isEmpty else { return "" }
    var table = Table([.left, .left] + Array(repeating: .right, count: 6), names: 2)
    table.add(
      ["TEST", "STUB", "FAILURES", "CHANGES", "SURVIVED", "FOUND", "CRASHED", "SKIPPED"],
      style: style.dim)
    for test in report.tests {
      for part in test.parts {
        let counts = [
          part.tried(.failure), part.tried(.evolution),
          part.count(.survived), part.count(.found), part.count(.crashed, .suspected),
          part.count(.skipped),
        ]
        var cells = counts.map(String.init)
        if part.stub == nil { cells.replaceSubrange(0..<2, with: ["-", "-"]) }
        table.add([TerminalText.line(test.test), Self.name(of: part)] + cells)
      }
    }
    return table.text(fitting: columns)
  }

  /// The stub, or how many orders were tried.
  private static func name(of part: SweepReport.Part) -> String {
    part.stub.map { TerminalText.line($0.key) } ?? "(\(Plural.of(part.tried(.order), "order")))"
  }

  private func findings(_ columns: Int?, _ style: Style) -> String {
    var table = Table([.left, .left, .left], names: 2)
    table.add(["TEST", "VARIATION", "WHAT IT SHOWED"], style: style.dim)
    var isEmpty = true
    for test in report.tests {
      for outcome in test.outcomes {
        guard let text = Self.text(outcome) else { continue }
        isEmpty = false
        table.add([TerminalText.line(test.test), TerminalText.line(outcome.name), text])
      }
    }
    return isEmpty ? "" : table.text(fitting: columns)
  }

  /// What an outcome shows; nil for nothing.
  static func text(_ outcome: SweepOutcome) -> String? {
    switch outcome.state {
    case .found: TerminalText.line(outcome.finding?.message ?? "a defect")
    case .crashed: "the process ended"
    case .suspected: "the process ended, with other variations under way"
    case .survived, .skipped, .running: nil
    }
  }

  private func stubs(_ columns: Int?, _ style: Style) -> String {
    guard !report.stubs.isEmpty else { return "" }
    var table = Table([.left, .left, .right, .right, .left, .left], names: 2)
    table.add(
      ["SCENARIO", "STUB", "ANSWERED", "VARIED", "FAILURES", "CHANGES"], style: style.dim)
    for stub in report.stubs {
      table.add([
        TerminalText.line(stub.scenario), TerminalText.line(stub.key),
        Self.tests(stub.answered), Self.tests(stub.varied),
        Self.share(stub.survivedFailures.count, of: stub.failures.count),
        Self.share(stub.changes.survived, of: stub.changes.tried),
      ])
    }
    return table.text(fitting: columns)
  }

  private static func tests(_ tests: [String]) -> String { Plural.of(tests.count, "test") }

  /// How many of what was tried were survived.
  static func share(_ survived: Int, of tried: Int) -> String {
    tried == 0 ? "-" : "\(survived) of \(tried) survived"
  }

  // MARK: Notes

  /// The sums, what is not covered, and what the files cannot say.
  var notes: [String] { [sum] + untried + gaps + doubts }

  /// The sweeps that have tried nothing, or not everything.
  var untried: [String] {
    let texts = reading.notes.prefix(Self.mostNotes).map { note in
      let message = note.message
      return TerminalText.line(
        note.kind == .unknown
          ? message.prefix(1).uppercased() + message.dropFirst() : "\(note.test ?? ""): \(message)")
    }
    let rest = reading.notes.count - texts.count
    return texts
      + (rest > 0
        ? ["\(rest) more sweeps have tried nothing, or not everything; --format json has all."]
        : [])
  }

  /// How many variations were tried, and what became of them.
  var sum: String {
    let tried = report.count(.survived, .found, .crashed, .suspected)
    var parts = ["\(report.count(.survived)) survived", "\(report.count(.found)) found a defect"]
    let crashed = report.count(.crashed, .suspected)
    if crashed > 0 { parts.append("\(crashed) ended the process") }
    return "\(Plural.of(tried, "variation")) of \(Plural.of(report.tests.count, "test")) with "
      + "\(catalogName) \(tried == 1 ? "was" : "were") tried: \(parts.joined(separator: ", "))."
  }

  /// The stubs that no test varied.
  var gaps: [String] {
    var gaps: [String] = []
    if !report.neverVaried.isEmpty {
      gaps.append("Answered tests, but never varied: \(Self.listed(report.neverVaried)).")
    }
    let silent = report.stubs.filter { $0.answered.isEmpty }.count
    if silent > 0, report.knowsAnswers {
      gaps.append("Never varied, as no test was answered by them: \(Plural.of(silent, "stub")).")
    }
    if !report.gone.isEmpty {
      gaps.append("Varied, but no longer in the catalog: \(Self.listed(report.gone)).")
    }
    return gaps
  }

  private static func listed(_ stubs: [StubName]) -> String {
    stubs.map { TerminalText.line("\($0.scenario?.rawValue ?? "") \($0.key)") }
      .listed(upTo: mostNames)
  }

  /// Why the report may be wrong.
  var doubts: [String] {
    var doubts: [String] = []
    let stale = reading.outcomes.count { $0.isStale }
    if stale > 0 {
      doubts.append(
        stale == reading.outcomes.count
          ? "The catalog has changed since these sweeps; run the tests again."
          : "The catalog has changed since \(stale) of these variations; run their tests again.")
    }
    if !report.knowsAnswers {
      doubts.append(
        "Not known: which stubs answered; the usage ledger in the folder has no run of the catalog."
      )
    }
    if reading.runningCount > 0 {
      doubts.append(
        "\(Plural.of(reading.runningCount, "process", "processes")) still "
          + "\(reading.runningCount == 1 ? "runs" : "run"): what is under way is not counted.")
    }
    if reading.unreadableCount > 0 {
      doubts.append(
        "Not known: \(Plural.of(reading.unreadableCount, "line")) of the sweep files cannot be read."
      )
    }
    if reading.uncataloguedCount > 0 {
      doubts.append("Variations of scenarios that were made in memory are left out.")
    }
    return doubts
  }
}
