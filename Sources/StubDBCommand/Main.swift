import ArgumentParser
import Foundation
import StubDBCatalog

/// The entry point: runs the command, and turns its errors into text and an exit code.
@main
enum Main {
  private static let usageExitCode: Int32 = 64

  // Not async, because starting threads and moving the command to one of them takes longer than most commands.
  static func main() {
    // The parent process may ignore SIGPIPE; `stubdb list | head` should end quietly at the first write without a
    // reader.
    signal(SIGPIPE, SIG_DFL)
    // Exceeding the limit on file sizes becomes an error of the write, so that temporary files are removed.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let words = try CommandLineWords.ofThisProcess()
      let start = FileManager.default.currentDirectoryPath
      LockWait.onWait { path in
        let name = CatalogLocator.display(URL(fileURLWithPath: path))
        Console.note("Waiting for another program, which has \(name) locked …")
      }
      exit(try StartFolder.$path.withValue(start) { try run(CommandLineWords(words)) })
    } catch {
      exit(code(for: error, help: "stubdb --help"))
    }
  }

  /// Executes the arguments and returns the exit code.
  private static func run(_ line: CommandLineWords) throws -> Int32 {
    let path = CommandPath(line.words)
    if path.names.isEmpty, path.rest.first == "help" {
      return try help(path.rest.dropFirst(), line)
    }
    if let script = CompletedCommandLine.script(for: line.words) {
      try Console.line(script)
      return EXIT_SUCCESS
    }
    var command: any ParsableCommand
    do {
      command = try path.parsed() ?? RootCommand.parseAsRoot(line.words)
    } catch {
      return failure(error, path, line)
    }
    if let failure = RepeatedOption.failure(in: path) { return code(for: failure, help: path.help) }
    let common = (command as? any CommonCommand)?.common
    let isPaged = (type(of: command) as? any CommonCommand.Type)?.isPaged ?? false
    try common?.enterFolders()
    if common != nil { try CatalogLocator.requireCurrentFolder() }
    let terminal = Terminal(
      color: common?.color ?? .auto, isPaged: isPaged && common?.noPager == false)
    return paging(terminal) {
      do {
        try command.run()
        return EXIT_SUCCESS
      } catch  where !(error is ExitCode) && RootCommand.exitCode(for: error).isSuccess {
        // A command of the argument parser, such as `--help`, or one that only has subcommands.
        return failure(error, path, line)
      } catch {
        return code(for: error, help: path.help)
      }
    }
  }

  /// Prints the argument parser's result and returns the exit code.
  private static func failure(
    _ error: any Error, _ path: CommandPath, _ line: CommandLineWords
  ) -> Int32 {
    let parserCode = RootCommand.exitCode(for: error)
    if parserCode == .validationFailure {
      return code(for: path.failure ?? usageFailure(error, path), help: path.help)
    }
    // The parser's own help begins this way; versions and completion scripts do not.
    if RootCommand.message(for: error).hasPrefix("OVERVIEW: ") { return show(path.names, line) }
    let text = RootCommand.fullMessage(for: error)
    guard parserCode.isSuccess else {
      if !text.isEmpty { Console.note(TerminalText.lines(text)) }
      return parserCode.rawValue
    }
    do {
      if !text.isEmpty { try Console.line(text) }
      return EXIT_SUCCESS
    } catch {
      return code(for: error, help: path.help)
    }
  }

  /// The argument parser's message, with our usage.
  private static func usageFailure(_ error: any Error, _ path: CommandPath) -> UsageError {
    let text = RootCommand.fullMessage(for: error, columns: 80)
    let description = try? CommandDescription.of(path)
    // A command's own checks come before the parser's, and a mistyped option is why they miss something.
    let message =
      description?.unknownWord(in: path.rest) ?? text.components(separatedBy: "\nUsage: ")[0]
    let prefix = "Error: "
    let usage = description.map {
      "Usage: " + ([$0.path] + $0.synopsis).joined(separator: " ")
    }
    return UsageError(
      TypedCommand.hidingSecrets(
        of: path.rest,
        in: TypedCommand.withoutField(
          message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)),
      usage: usage)
  }

  /// Executes `help` with these words.
  private static func help(
    _ words: ArraySlice<String>, _ line: CommandLineWords
  ) throws -> Int32 {
    if let option = words.firstIndex(of: "--man") {
      guard let folder = words.dropFirst(option - words.startIndex + 1).first else {
        throw UsageError("--man needs the folder to write the manual pages to.")
      }
      try ManualPage.writeAll(to: CatalogLocator().resolve(folder))
      return EXIT_SUCCESS
    }
    let topic = CommandPath(words.filter { !$0.hasPrefix("-") && $0 != "help" })
    if let word = topic.rest.first { throw topic.noCommand(word, after: "stubdb help") }
    return show(topic.names, line)
  }

  /// Shows the help of a command.
  private static func show(_ names: [String], _ line: CommandLineWords) -> Int32 {
    paging(Terminal(isPaged: !line.hasNoPager)) {
      do {
        try Console.write(HelpView(CommandDescription.of(CommandPath(names))).text)
        return EXIT_SUCCESS
      } catch {
        return code(for: error, help: "stubdb --help")
      }
    }
  }

  /// Runs the closure on the terminal, and waits until the pager, if any, has ended.
  private static func paging(_ terminal: Terminal, _ body: () -> Int32) -> Int32 {
    Terminal.$current.withValue(terminal) {
      let result = body()
      do {
        try terminal.pager?.finish()
        return result
      } catch {
        return code(for: error, help: "stubdb --help")
      }
    }
  }

  /// Prints the error and returns the exit code.
  private static func code(for error: any Error, help: String) -> Int32 {
    switch error {
    case let error as ExitCode:
      return error.rawValue
    case let error as UsageError:
      complain(ErrorText.message(for: error))
      if let usage = error.usage { Console.note(usage) }
      Console.note("  See '\(help)' for more information.")
      return usageExitCode
    default:
      complain(ErrorText.message(for: error))
      return ExitCode.failure.rawValue
    }
  }

  private static func complain(_ message: String) {
    Console.note("\(Style.notes.red("Error:")) \(message)")
  }
}
