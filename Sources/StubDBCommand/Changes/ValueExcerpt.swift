import StubDBJSON
import StubDBModel

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
    let (old, new) = (text(before), text(after))
    let start = common(old, new)
    return (cut(old, from: start, to: limit), cut(new, from: start, to: limit))
  }

  /// One value.
  static func of(_ value: JSONValue?, limit: Int?) -> String {
    cut(text(value), from: 0, to: limit)
  }

  private static func text(_ value: JSONValue?) -> String {
    value.map { Printable.line($0.canonicalText) } ?? "(nothing)"
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
