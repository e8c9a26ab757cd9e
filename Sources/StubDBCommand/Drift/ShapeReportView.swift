import StubDBDocuments
import StubDBDrift
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport
import StubDBTransfer

/// A report on shapes as lines of text and as JSON.
struct ShapeReportView {
  let report: ShapeReport
  /// Whether live values are shown, without their secrets.
  var showsValues = false

  /// `1 error, 2 warnings`; `no differences` if there are none.
  var counts: String {
    let parts = ShapeDifference.Level.allCases.reversed().compactMap { level in
      report.count(of: level) == 0
        ? nil : Plural.of(report.count(of: level), level.rawValue)
    }
    return parts.isEmpty ? "no differences" : parts.joined(separator: ", ")
  }

  // MARK: Lines

  /// The differences below their stubs.
  var text: String {
    var lines: [String] = []
    var last = ""
    let rows = report.differences.map(row)
    let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    for (found, row) in zip(report.differences, rows) {
      let title = Self.title(found.scenario, found.key, found.response)
      if title != last { lines.append(Style.output.bold(title)) }
      last = title
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columns) }
      lines.append(
        "  \(Self.colored(cells[0], found.difference.level))  \(cells[1])  \(cells[2])  \(row[3])")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ found: ShapeReport.Found) -> [String] {
    let difference = found.difference
    let pointer = difference.pointer.description
    return [
      difference.level.rawValue, difference.id.rawValue,
      TerminalText.line(pointer.isEmpty ? "(answer)" : pointer),
      TerminalText.line(change(difference)),
    ]
  }

  /// What the stub has, and what the server has.
  func change(_ difference: ShapeDifference) -> String {
    "\(difference.stored) → \(live(difference))"
  }

  private func live(_ difference: ShapeDifference) -> String {
    guard showsValues, let value = difference.liveValue else { return difference.live }
    // The member that it belongs to, whose name may mark it as a secret.
    let name = difference.pointer.tokens.last { $0 != "*" } ?? ""
    return "\(difference.live): "
      + TerminalText.shortened(SecretDisplay.value(value, of: name), limit: 100)
  }

  private static func title(_ scenario: ScenarioName, _ key: Stub.Key, _ response: Int?) -> String {
    "\(scenario) \(TerminalText.line(key.rawValue))" + (response.map { " (answer \($0))" } ?? "")
  }

  private static func colored(_ text: String, _ level: ShapeDifference.Level) -> String {
    switch level {
    case .error: Style.output.red(text)
    case .warning: Style.output.yellow(text)
    case .note: Style.output.dim(text)
    }
  }

  /// Says which places and stubs were not compared.
  func noteGaps() {
    for unknown in report.inconclusive {
      Console.note(
        "Inconclusive: \(Self.title(unknown.scenario, unknown.key, unknown.response)) "
          + "\(TerminalText.line(unknown.shape.pointer.description)): \(unknown.shape.reason).")
    }
    for skipped in report.skipped {
      Console.note(
        "Skipped: \(Self.title(skipped.scenario, skipped.key, nil)): "
          + "\(TerminalText.line(skipped.reason)).")
    }
  }

  /// `{"differences", "inconclusive", "skipped"}`.
  var json: OrderedJSON { report.json(live) }
}
