import StubDBEditing
import StubDBJobs
import StubDBVariations

/// What the sweeps of a suite have tried, as Markdown for the summary of a job or a comment on a pull request.
struct SweepReportMarkdown {
  let view: SweepReportView

  private var report: SweepReport { view.report }

  /// A heading, what was found, what is not covered, and a section for each test.
  var text: String {
    var text = "### Sweeps\n\n\(view.sum)\n"
    text += findings
    let notes = view.untried + view.gaps + view.doubts
    if !notes.isEmpty { text += "\n" + notes.map { "* \(Self.escaped($0))\n" }.joined() }
    return text + report.tests.map(section).joined()
  }

  private var findings: String {
    let rows = report.tests.flatMap { test in
      test.outcomes.compactMap { outcome in
        SweepReportView.text(outcome).map {
          "| \(Self.code(test.test)) | \(Self.code(outcome.name)) | \(Self.escaped($0)) |\n"
        }
      }
    }
    guard !rows.isEmpty else { return "" }
    return "\n| test | variation | what it showed |\n|---|---|---|\n" + rows.joined()
  }

  /// The stubs and failures of a test as a matrix, and its orders.
  private func section(_ test: SweepReport.TestSweep) -> String {
    let kinds = FailureKind.allCases.filter { kind in
      test.outcomes.contains { $0.line.failure == kind }
    }
    var text = "\n<details><summary>\(Self.html(test.test))</summary>\n\n"
    let stubs = test.parts.filter { $0.stub != nil }
    if !stubs.isEmpty {
      let heads = ["stub"] + kinds.map(\.rawValue) + ["changes"]
      text += Self.row(heads) + Self.row(heads.map { _ in "---" })
      for part in stubs { text += Self.row(cells(part, kinds)) }
    }
    for part in test.parts where part.stub == nil {
      text +=
        "\nOrders: \(SweepReportView.share(part.count(.survived), of: part.tried(.order)))\n"
    }
    return text + "\n</details>\n"
  }

  private func cells(_ part: SweepReport.Part, _ kinds: [FailureKind]) -> [String] {
    let states = Dictionary(part.outcomes.map { ($0.line.failure, $0.state) }) { first, _ in first }
    let marks = kinds.map { states[$0].map(Self.mark) ?? "" }
    let changes = part.outcomes.filter { $0.line.kind == .evolution }
    let survived = changes.count { $0.state == .survived }
    return [Self.code(part.stub?.key ?? "")] + marks
      + [SweepReportView.share(survived, of: part.tried(.evolution))]
  }

  private static func mark(_ state: SweepOutcome.State) -> String {
    switch state {
    case .survived: "✓"
    case .found: "✗"
    case .crashed, .suspected: "crash"
    case .skipped: "left out"
    case .running: "…"
    }
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  private static func code(_ text: String) -> String { DifferenceMarkdown.code(text) }

  /// Text that is no markup, in a cell of a table.
  private static func escaped(_ text: String) -> String {
    text.map { #"\`*_[]<>|#"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func html(_ text: String) -> String {
    TerminalText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}
