// Lists of which only the beginning is shown.

extension Collection<String> {
  /// The first of the lines, and how many there are besides.
  func cut(to count: Int) -> [String] {
    Array(prefix(count)) + CutList.end(self.count - count)
  }

  /// The first of the texts in a sentence: `a, b and 3 more`.
  func listed(upTo count: Int) -> String {
    let rest = self.count - count
    return prefix(count).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// The end of a list of which only the beginning is shown.
enum CutList {
  /// The line that says how many there are besides; none if there are no others.
  static func end(_ rest: Int, indent: String = "", hint: String? = nil) -> [String] {
    rest > 0 ? ["\(indent)... and \(rest) more" + (hint.map { "; \($0)" } ?? "")] : []
  }
}
