package import Foundation
package import StubDBJobs
internal import StubDBMirror
internal import StubDBSupport

/// Runs git in a folder.
package struct GitCommand: Sendable {
  /// Variables that bind git to the repository that runs a hook, which may be another one.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
  ]

  /// Settings of the user that would change git's output.
  private static let settings = [
    "i18n.logOutputEncoding=UTF-8", "log.showSignature=false", "log.showRoot=true",
    "diff.relative=false", "color.ui=false",
  ]

  package let folder: URL
  package let environment: [String: String]

  /// Runs git in the folder as if it were called there by hand.
  ///
  /// A hook runs with `GIT_DIR` set, often to a relative path, which would be wrong in another folder.
  package init(in folder: URL) {
    self.folder = folder
    var environment = ProcessInfo.processInfo.environment
    for name in Self.repositoryVariables { environment[name] = nil }
    self.environment = environment
  }

  /// Runs git with this process's environment, for a repository apart from its files.
  package static func asInherited() -> GitCommand {
    GitCommand(
      folder: URL(
        fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true),
      environment: ProcessInfo.processInfo.environment)
  }

  /// The path of a repository's file relative to the folder where git was called, for a hook.
  ///
  /// Git starts hooks in the top folder and passes that folder in `GIT_PREFIX`.
  package static func callerPath(ofHookIn root: URL, to path: String) -> String {
    let prefix = ProcessInfo.processInfo.environment["GIT_PREFIX"] ?? ""
    return MirrorOwner.path(
      from: root.appendingPathComponent(prefix, isDirectory: true),
      to: root.appendingPathComponent(path))
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
  /// - Throws: `JobError` if git fails or is not installed.
  package func run(_ arguments: String...) throws(JobError) -> Data {
    try run(arguments)
  }

  /// The same for a list of arguments, and a file that git reads as its standard input.
  package func run(
    _ arguments: [String], input: Program.Stream = .nothing
  ) throws(JobError) -> Data {
    let result = try outcome(of: arguments, input: input)
    guard result.code == 0 else {
      throw Self.failure(of: arguments, result)
    }
    return result.output
  }

  /// Runs git with its standard output in a file.
  ///
  /// - Throws: `JobError` if git fails or is not installed.
  func run(_ arguments: [String], output: FileHandle) throws(JobError) {
    let end: Program.End
    do {
      end = try program(arguments).run(output: .file(output))
    } catch {
      throw Self.failure(error)
    }
    guard end.code == 0 else { throw Self.failure(of: arguments, end) }
  }

  /// The only line of git's output, without its line end.
  package func line(_ arguments: String...) throws(JobError) -> String {
    let text = String(decoding: try run(arguments), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Runs git and returns its output and exit code.
  package func outcome(
    of arguments: [String], input: Program.Stream = .nothing
  ) throws(JobError) -> Program.End {
    do {
      return try program(arguments).run(input: input)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Starts git, with pipes for its input and output.
  func start(_ arguments: [String]) throws(JobError) -> RunningProgram {
    do {
      return try program(arguments).start(input: .pipe)
    } catch {
      throw Self.failure(error)
    }
  }

  private func program(_ arguments: [String]) -> Program {
    Program(
      ["git", "-C", folder.path] + Self.settings.flatMap { ["-c", $0] } + arguments,
      environment: environment)
  }

  private static func failure(_ error: JobError) -> JobError {
    error.code == .notFound
      ? JobError(.notFound, "git is not installed, or not on the PATH") : error
  }

  /// The error for a command that failed, with what git said.
  static func failure(of arguments: [String], _ end: Program.End) -> JobError {
    let command = (["git"] + arguments).map(ShellWord.quoted).joined(separator: " ")
    let message = String(decoding: end.errors, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return JobError(.program, "\(command) failed: \(lines: message)")
  }
}
