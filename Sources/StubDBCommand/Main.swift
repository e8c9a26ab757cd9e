import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBJobs
import StubDBPublishing

/// The entry point: runs the command, and turns its errors into text and an exit code.
@main
enum Main {
  // Not async, because starting threads and moving the command to one of them takes longer than most commands.
  static func main() {
    // The parent process may ignore SIGPIPE; `stubdb list | head` should end quietly at the first write without a
    // reader.
    signal(SIGPIPE, SIG_DFL)
    // Exceeding the limit on file sizes becomes an error of the write, so that temporary files are removed.
    signal(SIGXFSZ, SIG_IGN)
    let start = FileManager.default.currentDirectoryPath
    LockWait.onWait { path in
      let name = TerminalText.path(URL(fileURLWithPath: path))
      Console.note("Waiting for another program, which has \(name) locked …")
    }
    JobProgress.onProgress(ProgressLine.showing())
    exit(StartFolder.$path.withValue(start, operation: run))
  }

  /// Executes the arguments of this process and returns the exit code.
  private static func run() -> Int32 {
    var path = CommandPath([])
    do {
      let words = HelpSearch.withNames(
        try CommandLineWords.arranged(CommandLineWords.ofThisProcess()))
      path = CommandPath(words)
      if let code = answerHelp(words) { return code }
      try path.requireCommand()
      var command = try path.parsed() ?? RootCommand.parseAsRoot(words)
      let own = command as? any CommonCommand
      if let own {
        try own.common.enterFolders()
        try CatalogLocator.requireCurrentFolder()
      }
      let isPaged = own.map { type(of: $0).isPaged && !$0.common.noPager } ?? false
      return paging(Terminal(color: own?.common.color ?? .auto, isPaged: isPaged)) {
        do {
          try own?.checkUsage()
          UndoKeeping.begin(for: command, of: path)
          try command.run()
          return EXIT_SUCCESS
        } catch {
          return code(for: error, of: path)
        }
      }
    } catch {
      return code(for: error, of: path)
    }
  }

  /// Prints the help on a topic or a word; nil if the words ask for something else.
  private static func answerHelp(_ words: [String]) -> Int32? {
    let terminal = Terminal(isPaged: !CommandLine.arguments.contains("--no-pager"))
    guard
      let text = HelpSearch.answer(
        to: words, columns: helpColumns, style: Style(isColored: terminal.hasColoredOutput))
    else { return nil }
    return paging(terminal) { printing(text) }
  }

  /// The width of help: wider lines are hard to read, and narrower ones have no place for the explanations.
  private static var helpColumns: Int { min(max(Terminal.width() ?? 80, 40), 100) }

  private static func printing(_ text: String) -> Int32 {
    do {
      try Console.write(text)
      return EXIT_SUCCESS
    } catch {
      return fail(error)
    }
  }

  /// Runs the closure on the terminal, and waits until the pager, if any, has ended.
  private static func paging(_ terminal: Terminal, _ body: () -> Int32) -> Int32 {
    Terminal.$current.withValue(terminal) {
      let result = body()
      do {
        for text in try terminal.pager?.finish() ?? [] { try Console.write(text) }
        return result
      } catch {
        return fail(error)
      }
    }
  }

  /// Prints what parsing or running a command threw, and returns the exit code.
  private static func code(for error: any Error, of path: CommandPath) -> Int32 {
    let error = (error as? any RenderedError)?.rendered ?? error
    if let error = error as? ExitCode { return error.rawValue }
    if let error = error as? JobError { return code(for: error, of: path) }
    let parserCode = RootCommand.exitCode(for: error)
    if parserCode.isSuccess { return show(error, of: path) }
    guard parserCode == .validationFailure || error is UsageError else { return fail(error) }
    if let error = error as? UsageError {
      _ = fail(error)
    } else {
      let message = TypedCommand.hidingSecrets(
        of: path.rest, in: RootCommand.message(for: error))
      _ = fail(UsageError(message))
      Console.note("Usage: \(RootCommand.usageString(for: path.command))")
    }
    Console.note("  See '\(path.help)' for more information.")
    return ExitCode.validationFailure.rawValue
  }

  private static func code(for error: JobError, of path: CommandPath) -> Int32 {
    switch error.code {
    case .conflict:
      _ = fail(error)
      return 2
    case .invalidArgument: return code(for: UsageError(ErrorText.message(for: error)), of: path)
    default: return fail(error)
    }
  }

  /// Prints what was asked of the argument parser: help, the version, or what is to be completed.
  private static func show(_ error: any Error, of path: CommandPath) -> Int32 {
    let words = CommandLine.arguments
    let parser: any ParsableCommand.Type =
      words.contains { $0.hasPrefix("--generate-completion-script") }
      ? CompletedCommandLine.self : RootCommand.self
    let text = parser.fullMessage(for: error, columns: helpColumns)
    return paging(Terminal(isPaged: !words.contains("--no-pager"))) {
      text.isEmpty ? EXIT_SUCCESS : printing(text + "\n")
    }
  }

  /// Prints the error and returns the exit code.
  private static func fail(_ error: any Error) -> Int32 {
    Console.note("\(Style.notes.red("Error:")) \(ErrorText.message(for: error))")
    return ExitCode.failure.rawValue
  }
}
