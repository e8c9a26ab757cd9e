import StubDBModel

/// Values of a difference on one line, cut so that what differs is in sight.
enum ValueExcerpt {
  private static let limit = 72

  /// The value before and the value after; `(nothing)` where there is none.
  static func pair(_ before: JSONValue?, _ after: JSONValue?) -> (before: String, after: String) {
    let (old, new) = (text(before), text(after))
    let start = common(old, new)
    return (cut(old, from: start), cut(new, from: start))
  }

  /// One value.
  static func of(_ value: JSONValue?) -> String { cut(text(value), from: 0) }

  private static func text(_ value: JSONValue?) -> String {
    value.map { Printable.line($0.canonicalText) } ?? "(nothing)"
  }

  /// How many characters the texts begin with alike.
  private static func common(_ left: String, _ right: String) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }

  private static func cut(_ text: String, from start: Int) -> String {
    guard text.utf8.count > limit, text.count > limit else { return text }
    let skipped = max(0, min(start - limit / 3, text.count - limit))
    let shown = text.dropFirst(skipped)
    return (skipped > 0 ? "…" : "") + shown.prefix(limit) + (shown.count > limit ? "…" : "")
  }
}
