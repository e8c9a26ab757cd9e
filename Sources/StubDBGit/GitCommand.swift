import Foundation
import StubDBEngine

/// Runs git in a folder.
struct GitCommand {
  /// Variables that bind git to the repository that runs a hook, which may be another one.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
  ]

  /// Settings of the user that would change git's output.
  private static let settings = [
    "i18n.logOutputEncoding=UTF-8", "log.showSignature=false", "log.showRoot=true",
    "diff.relative=false", "color.ui=false",
  ]

  let folder: URL
  let environment: [String: String]

  /// Runs git in the folder as if it were called there by hand.
  ///
  /// A hook runs with `GIT_DIR` set, often to a relative path, which would be wrong in another folder.
  init(in folder: URL) {
    self.folder = folder
    var environment = ProcessInfo.processInfo.environment
    for name in Self.repositoryVariables { environment[name] = nil }
    self.environment = environment
  }

  /// Runs git with this process's environment, for a repository apart from its files.
  static func asInherited() -> GitCommand {
    GitCommand(
      folder: CatalogLocator().currentFolder, environment: ProcessInfo.processInfo.environment)
  }

  /// Runs git with an empty index, so that only files in the working folders count.
  var withoutIndex: GitCommand {
    // A file that does not exist is an empty index: https://git-scm.com/docs/git#Documentation/git.txt-GITINDEXFILE
    let none = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-no-index-\(UUID().uuidString)")
    return GitCommand(
      folder: folder, environment: environment.merging(["GIT_INDEX_FILE": none.path]) { $1 })
  }

  private init(folder: URL, environment: [String: String]) {
    self.folder = folder
    self.environment = environment
  }

  /// Runs git and returns its standard output.
  ///
  /// - Throws: ``GitError`` if git fails, or ``CommandError`` if git is not installed.
  func run(_ arguments: String...) throws -> Data {
    try run(arguments)
  }

  /// The same for a list of arguments, and a file that git reads as its standard input.
  func run(_ arguments: [String], input: FileHandle = .nullDevice) throws -> Data {
    let result = try outcome(of: arguments, input: input)
    guard result.code == 0 else {
      throw GitError(
        arguments: arguments,
        message: result.message.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return result.output
  }

  /// The only line of git's output, without its line end.
  func line(_ arguments: String...) throws -> String {
    let text = String(decoding: try run(arguments), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Runs git and returns its output and exit code.
  func outcome(
    of arguments: [String], input: FileHandle = .nullDevice
  ) throws -> (code: Int32, output: Data, message: String) {
    let process = try process(arguments)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input
    let end = try start(process)
    let contents = try ChildOutput.contents(of: [output, errors])
    end.wait()
    return (process.terminationStatus, contents[0], String(decoding: contents[1], as: UTF8.self))
  }

  /// A process that is ready to start.
  func process(_ arguments: [String]) throws -> Process {
    let process = try Process.startable()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + Self.settings.flatMap { ["-c", $0] } + arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    return process
  }

  /// Starts a process.
  func start(_ process: Process) throws -> ProcessEnd {
    do {
      return try ProcessEnd(starting: process)
    } catch {
      throw CommandError("cannot run git in \(folder.path): \(error.localizedDescription)")
    }
  }
}

/// The output of a program on several pipes.
enum ChildOutput {
  /// Reads all pipes concurrently, each to its end.
  ///
  /// If they were read in sequence, a program that fills the second pipe would wait for us while we wait for it.
  static func contents(of pipes: [Pipe]) throws -> [Data] {
    var contents = [Data](repeating: Data(), count: pipes.count)
    var open = pipes.map { pipe in
      pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // `poll` ignores negative descriptors.
    while open.contains(where: { $0.fd >= 0 }) {
      guard poll(&open, nfds_t(open.count), -1) >= 0 || errno == EINTR else { throw failure() }
      for index in open.indices where open[index].fd >= 0 && open[index].revents != 0 {
        let count = read(open[index].fd, &buffer, buffer.count)
        if count > 0 {
          contents[index].append(contentsOf: buffer[..<count])
        } else if count == 0 {
          open[index].fd = -1
        } else if errno != EINTR && errno != EAGAIN {
          throw failure()
        }
      }
    }
    return contents
  }

  private static func failure() -> CommandError {
    CommandError("cannot read what a program printed: \(String(cString: strerror(errno)))")
  }
}

/// An error message of git.
struct GitError: Error, CustomStringConvertible {
  /// The arguments of the command.
  let arguments: [String]
  /// Its standard error.
  let message: String

  var description: String {
    let command = (["git"] + arguments).map(ShellWord.quoted).joined(separator: " ")
    return "\(TerminalText.line(command)) failed: \(TerminalText.lines(message))"
  }
}
