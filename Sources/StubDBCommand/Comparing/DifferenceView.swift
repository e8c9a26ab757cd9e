import StubDBChanges
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
    stub.map { "  " + RequestView(pattern: $0.request).requestLine } ?? ""
  }

  private func line(_ change: ValueChange) -> String {
    let place = TerminalText.line(change.pointer.description)
    let indent = 12
    let values = change.before == nil || change.after == nil ? 1 : 2
    let (before, after) = ValueExcerpt.pair(
      change.before, change.after,
      limit: ValueExcerpt.room(beside: indent + place.columns, values: values))
    switch (change.before, change.after) {
    case (nil, _): return "\(place)  \(style.green("+ \(after)"))"
    case (_, nil): return "\(place)  \(style.red("- \(before)"))"
    default: return "\(place)  \(style.red(before)) → \(style.green(after))"
    }
  }
}

/// Shows the values of a difference on one line, shortened around the difference if there is a limit.
enum ValueExcerpt {
  /// The limit in Markdown, because a comment has room for 64 KiB.
  static let markdownLimit = 72

  /// The limit on a terminal, which also shows other columns; nil if the output is not a terminal.
  static func room(beside columns: Int, values: Int = 1) -> Int? {
    let least = 24
    return Terminal.current.columns.map { max(least, ($0 - columns) / values) }
  }

  /// The old and the new value; `(nothing)` for a missing one.
  static func pair(
    _ before: JSONValue?, _ after: JSONValue?, limit: Int?
  ) -> (before: String, after: String) {
    let (old, new) = distinct(text(before), text(after))
    let start = common(old, new)
    return (cut(old, from: start, to: limit), cut(new, from: start, to: limit))
  }

  /// The two texts; with escapes such as those of JSON where they would look the same and are not.
  static func distinct(_ old: String, _ new: String) -> (String, String) {
    guard old == new, !old.hasSameBytes(as: new) else { return (old, new) }
    return (escaped(old), escaped(new))
  }

  private static func escaped(_ text: String) -> String {
    text.utf16.map { unit in
      guard unit >= 0x80 else { return String(UnicodeScalar(UInt8(unit))) }
      return "\\u" + String(UInt32(unit) + 0x10000, radix: 16).dropFirst()
    }.joined()
  }

  /// One value.
  static func of(_ value: JSONValue?, limit: Int?) -> String {
    cut(text(value), from: 0, to: limit)
  }

  private static func text(_ value: JSONValue?) -> String {
    value.map { TerminalText.line($0.canonicalText) } ?? "(nothing)"
  }

  /// The length of the common prefix in characters.
  private static func common(_ left: String, _ right: String) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }

  private static func cut(_ text: String, from start: Int, to limit: Int?) -> String {
    guard let limit, text.utf8.count > limit, text.count > limit else { return text }
    let skipped = max(0, min(start - limit / 3, text.count - limit))
    let shown = text.dropFirst(skipped)
    return (skipped > 0 ? "…" : "") + shown.prefix(limit) + (shown.count > limit ? "…" : "")
  }
}
