import Foundation
import StubDBJobs
import StubDBSupport

/// The output of a command: data goes to standard output, everything else to standard error.
enum Console {
  /// Writes text to standard output; a terminal gets what it would obey as escapes of JSON.
  ///
  /// If the pager has ended, nothing is written, and the command continues in order to determine its exit code.
  /// - Throws: ``CommandError`` if the output fails, for example because the disk is full.
  static func write(_ text: String) throws {
    let text = Terminal.current.columns == nil ? text : text.escapingTerminalControls
    if Terminal.current.pager?.send(text) == true { return }
    guard Descriptor.transfer(text, to: STDOUT_FILENO) == text.utf8.count else {
      throw CommandError("cannot write to standard output: \(String(cString: strerror(errno)))")
    }
  }

  /// Writes a line to standard output.
  static func line(_ text: String) throws {
    try write(text + "\n")
  }

  /// Writes a line to standard error; errors of standard error are ignored.
  ///
  /// If a pager shows the output, it shows this line too, in sequence.
  static func note(_ text: String) {
    let pager = isatty(STDERR_FILENO) == 1 && isPagerRunning ? Terminal.current.pager : nil
    if pager?.send(text + "\n") != true { _ = Descriptor.transfer(text + "\n", to: STDERR_FILENO) }
  }

  /// Writes temporary text to standard error, unless a pager has the terminal.
  static func noteInPassing(_ text: String) {
    if !isPagerRunning { _ = Descriptor.transfer(text, to: STDERR_FILENO) }
  }

  private static var isPagerRunning: Bool { Terminal.current.pager?.isRunning == true }

  /// Asks a yes-or-no question; only `y` and `yes` mean yes.
  static func confirm(_ question: String) -> Bool {
    _ = Descriptor.transfer("\(question) [y/N] ", to: STDERR_FILENO)
    guard let answer = readLine() else { return false }
    return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
  }
}

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
    show("\(done) of \(Plural.of(count, noun))")
  }

  /// Shows a text, first after one second and then ten times a second.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), last.map({ now - $0 > .milliseconds(100) }) ?? true else {
      return
    }
    last = now
    Console.noteInPassing("\r\(what): \(TerminalText.line(text()))\u{1B}[K")
  }

  /// Erases the line.
  func end() {
    if last != nil { Console.noteInPassing("\r\u{1B}[K") }
    last = nil
  }

  /// Shows how far jobs are, each kind of work on a line of its own.
  static func showing() -> @Sendable (JobProgress) -> Void {
    let lines = Locked<[JobProgress.Work: ProgressLine]>([:])
    return { progress in
      lines.withLock { lines in
        guard let count = progress.count else {
          lines.removeValue(forKey: progress.work)?.end()
          return
        }
        let line = lines[progress.work] ?? ProgressLine(title(progress.work))
        lines[progress.work] = line
        switch progress.work {
        case .comparing, .merging: line.show(progress.done, of: count, "scenario")
        case .downloading, .uploading:
          line.show("\(Plural.bytes(progress.done)) of \(Plural.bytes(count))")
        }
      }
    }
  }

  private static func title(_ work: JobProgress.Work) -> String {
    switch work {
    case .comparing: "Comparing"
    case .merging: "Merging"
    case .downloading: "Downloading"
    case .uploading: "Uploading"
    }
  }
}
