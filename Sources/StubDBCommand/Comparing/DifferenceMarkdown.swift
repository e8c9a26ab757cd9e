import StubDBChanges
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBSupport

/// Differences as Markdown for a comment on a pull request.
enum DifferenceMarkdown {
  /// A heading with the counts, and a list for each scenario.
  static func text(_ differences: [ScenarioDifference]) -> String {
    var text = "### Stub catalog: \(summary(differences))\n"
    for difference in differences {
      text += "\n" + heading(difference) + "\n"
      let rows = difference.changes.map { row(nil, $0) } + difference.stubs.flatMap(rows)
      guard !rows.isEmpty else { continue }
      text += "\n| stub | place | before | after |\n|---|---|---|---|\n"
      text += rows.joined(separator: "\n") + "\n"
    }
    return text
  }

  /// A text such as `1 scenario added, 2 changed`.
  static func summary(_ differences: [ScenarioDifference]) -> String {
    let added = differences.filter { $0.before == nil }.count
    let removed = differences.filter { $0.after == nil }.count
    let renamed = differences.filter { $0.isRenamed && $0.isEmpty }.count
    let changed = differences.count - added - removed - renamed
    let parts = [
      (added, "added"), (removed, "removed"), (renamed, "renamed"), (changed, "changed"),
    ]
    .filter { $0.0 > 0 }
    guard let first = parts.first else { return "no differences" }
    return
      ([Plural.of(first.0, "scenario") + " " + first.1]
      + parts.dropFirst().map { "\($0.0) \($0.1)" }).joined(separator: ", ")
  }

  private static func heading(_ difference: ScenarioDifference) -> String {
    switch (difference.before, difference.after) {
    case (nil, let name?):
      return "**Added** `\(name)` (\(Plural.of(difference.stubCount, "stub")))"
    case (let name?, nil):
      return "**Removed** `\(name)` (\(Plural.of(difference.stubCount, "stub")))"
    case (let old?, let new?) where old != new:
      return "**Renamed** `\(old)` to `\(new)`"
    default:
      return "**Changed** `\(difference.name)`"
    }
  }

  private static func rows(_ difference: StubDifference) -> [String] {
    let key = difference.key
    switch (difference.before, difference.after) {
    case (nil, let stub?):
      return [row(key, "added", "", stub.requestPhrase.line)]
    case (let stub?, nil):
      return [row(key, "removed", stub.requestPhrase.line, "")]
    default:
      let moved = difference.hasMoved ? [row(key, "moved", "", "")] : []
      return moved + difference.changes.map { row(key, $0) }
    }
  }

  private static func row(_ key: String?, _ change: ValueChange) -> String {
    let (before, after) = ValueExcerpt.pair(
      change.before?.canonicalText, change.after?.canonicalText, limit: ValueExcerpt.markdownLimit)
    return
      "| \(code(key ?? "")) | \(code(change.pointer.description)) "
      + "| \(change.before == nil ? "" : code(before)) | \(change.after == nil ? "" : code(after)) |"
  }

  private static func row(
    _ key: String, _ what: String, _ before: String, _ after: String
  ) -> String {
    "| \(code(key)) | \(what) | \(code(before)) | \(code(after)) |"
  }

  /// A code span that is valid in a table's cell.
  static func code(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let line = TerminalText.line(text).replacing("|", with: "\\|")
    // The fence must be longer than any run of backticks inside.
    let longest = line.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    return longest == 0 ? "`\(line)`" : "\(fence) \(line) \(fence)"
  }
}
