import StubDBSupport

// Lists of which only the beginning is shown.

extension Collection<String> {
  /// The first of the lines, and how many there are besides.
  func cut(to count: Int) -> [String] {
    Array(prefix(count)) + CutList.end(self.count - count)
  }
}

/// The end of a list of which only the beginning is shown.
enum CutList {
  /// The line that says how many there are besides; none if there are no others.
  static func end(_ rest: Int, indent: String = "", hint: String? = nil) -> [String] {
    rest > 0 ? ["\(indent)...\(Plural.more(rest))" + (hint.map { "; \($0)" } ?? "")] : []
  }
}
