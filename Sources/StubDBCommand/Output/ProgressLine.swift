import Foundation

/// A line on the terminal that shows the progress of a long command; does nothing without a terminal.
final class ProgressLine {
  private let what: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// A text such as `Comparing: 40 of 100 scenarios`.
  init(_ what: String) {
    self.what = what
  }

  /// Shows the counts, first after one second and then ten times a second.
  func show(_ done: Int, of count: Int, _ noun: String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), last.map({ now - $0 > .milliseconds(100) }) ?? true else {
      return
    }
    last = now
    Console.noteInPassing("\r\(what): \(done) of \(Counted.of(count, noun))\u{1B}[K")
  }

  /// Erases the line.
  func end() {
    if last != nil { Console.noteInPassing("\r\u{1B}[K") }
    last = nil
  }
}
