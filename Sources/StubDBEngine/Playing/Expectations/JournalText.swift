/// A journal as text.
enum JournalText {
  /// The largest number of lines.
  private static let maximumCount = 40

  /// The requests, one per line, with a mark at those that were counted; the end is omitted if there are many.
  static func lines(of journal: [ServeEvent], marked: Set<Int>) -> String {
    guard !journal.isEmpty else { return "There were no requests." }
    var lines = ["The requests (✓ for those that were counted):"]
    for event in journal.prefix(maximumCount) {
      let mark = marked.contains(event.number) ? "✓" : " "
      let request = "\(event.request.method) \(TextExcerpt.plain(event.request.url))"
      let answer = event.stubKey.map { "stub \(TextExcerpt.plain($0))" } ?? "no stub"
      lines.append("  \(mark) \(event.number). \(request)  (\(answer))")
    }
    if journal.count > maximumCount { lines.append("    … \(journal.count - maximumCount) more") }
    return lines.joined(separator: "\n")
  }
}
