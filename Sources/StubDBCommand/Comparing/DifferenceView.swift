import StubDBChanges
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// Differences as text for a terminal.
struct DifferenceView {
  let style: Style

  /// A paragraph for each scenario; every line ends in a line feed.
  func text(_ differences: [ScenarioDifference]) -> String {
    differences.map { lines($0).joined(separator: "\n") + "\n" }.joined()
  }

  /// The scenario, with its differences below.
  func lines(_ difference: ScenarioDifference) -> [String] {
    switch (difference.before, difference.after) {
    case (nil, let name?):
      return [style.green("+ \(name) (\(Plural.of(difference.stubCount, "stub")))")]
    case (let name?, nil):
      return [style.red("- \(name) (\(Plural.of(difference.stubCount, "stub")))")]
    case (let old?, let new?) where old != new:
      return [style.bold("~ \(old) → \(new)")] + details(difference)
    default:
      return [style.bold("~ \(difference.name)")] + details(difference)
    }
  }

  /// The differences of a scenario that both versions have.
  func details(_ difference: ScenarioDifference) -> [String] {
    difference.changes.map { "    " + line($0) } + difference.stubs.flatMap(lines)
  }

  private func lines(_ difference: StubDifference) -> [String] {
    let key = TerminalText.line(difference.key)
    guard let after = difference.after else {
      return [style.red("  - \(key)\(request(difference.before))")]
    }
    guard let before = difference.before else {
      return [style.green("  + \(key)\(request(after))")]
    }
    let (old, new) = ValueExcerpt.distinct(before.key.rawValue, after.key.rawValue)
    let isSame = before.key == after.key
    let name = isSame ? key : "\(TerminalText.line(old)) → \(TerminalText.line(new))"
    let moved = difference.hasMoved ? style.dim("  (moved)") : ""
    let changes = difference.changes.filter { $0.pointer.tokens != ["key"] }
    return ["  \(style.yellow("~ " + name))\(moved)"] + changes.map { "      " + line($0) }
  }

  private func request(_ stub: Stub?) -> String {
    stub.map { "  " + $0.requestPhrase.line } ?? ""
  }

  private func line(_ change: ValueChange) -> String {
    let place = TerminalText.line(change.pointer.description)
    let indent = 12
    let values = change.before == nil || change.after == nil ? 1 : 2
    let (before, after) = ValueExcerpt.pair(
      change.before?.canonicalText, change.after?.canonicalText,
      limit: ValueExcerpt.room(beside: indent + place.columns, values: values))
    switch (change.before, change.after) {
    case (nil, _): return "\(place)  \(style.green("+ \(after)"))"
    case (_, nil): return "\(place)  \(style.red("- \(before)"))"
    default: return "\(place)  \(style.red(before)) → \(style.green(after))"
    }
  }
}
