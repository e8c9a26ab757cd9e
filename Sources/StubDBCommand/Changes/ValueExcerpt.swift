import StubDBJSON
import StubDBModel

/// Values of a difference on one line; with a limit, cut so that what differs is in sight.
enum ValueExcerpt {
  /// How long values are in Markdown: a comment has room for 64 KiB.
  static let markdownLimit = 72

  /// How many characters of a value a terminal has room for, beside so many columns of other text;
  /// nil where output is no terminal.
  static func room(beside columns: Int, values: Int = 1) -> Int? {
    let least = 24
    return Terminal.current.columns.map { max(least, ($0 - columns) / values) }
  }

  /// The value before and the value after; `(nothing)` where there is none.
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

  /// How many characters the texts begin with alike.
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
