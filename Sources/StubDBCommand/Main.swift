import ArgumentParser
import Foundation

/// The entry point: runs the command and turns what it throws into text and an exit code.
@main
enum Main {
  private static let usageExitCode: Int32 = 64

  // Not async: that would start threads and move every command to one of them, which takes longer
  // than most commands do.
  static func main() {
    // Whoever started this process may have set SIGPIPE aside; `stubdb list | head` is to end
    // quietly at the first write that nobody reads.
    signal(SIGPIPE, SIG_DFL)
    // A file that may not grow any more is an error of the write, after which temporary files are removed.
    signal(SIGXFSZ, SIG_IGN)
    var command = parsed()
    do {
      try command.run()
    } catch {
      end(with: error, of: type(of: command))
    }
  }

  /// The command that the arguments ask for.
  private static func parsed() -> any ParsableCommand {
    do {
      return try RootCommand.parseAsRoot()
    } catch {
      if let failure = CommandNames.failure(for: CommandLine.arguments.dropFirst().first) {
        endWithUsage(failure, help: "stubdb --help")
      }
      // Usage errors, help, version and completion scripts are the argument parser's to print.
      RootCommand.exit(withError: error)
    }
  }

  /// Prints what went wrong and ends the process.
  private static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
    guard let path = CommandNames.path(of: command) else {
      // Help is a command of the argument parser's own.
      RootCommand.exit(withError: error)
    }
    switch error {
    case is ExitCode, is CleanExit:
      RootCommand.exit(withError: error)
    case let error as UsageFailure:
      endWithUsage(error, help: "stubdb \(path) --help")
    default:
      complain(ErrorText.message(for: error))
      exit(ExitCode.failure.rawValue)
    }
  }

  private static func endWithUsage(_ failure: UsageFailure, help: String) -> Never {
    complain(failure.description)
    Console.note("  See '\(help)' for more information.")
    exit(usageExitCode)
  }

  private static func complain(_ message: String) {
    Console.note("\(Style.notes.red("Error:")) \(message)")
  }
}
