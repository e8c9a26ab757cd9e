/// Numbers with nouns, and lists of which only the beginning is shown.
package enum Plural {
  /// A text such as `1 stub`, `3 stubs` or `2 processes`.
  package static func of(_ count: Int, _ noun: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : several ?? noun + "s")"
  }

  /// A text such as ` and 3 more`, for the end of a list; empty if there are no others.
  package static func more(_ count: Int) -> String { count > 0 ? " and \(count) more" : "" }
}

extension Collection<String> {
  /// The first of the texts in a sentence: `a, b and 3 more`.
  package func listed(upTo limit: Int) -> String {
    prefix(limit).joined(separator: ", ") + Plural.more(count - limit)
  }
}
