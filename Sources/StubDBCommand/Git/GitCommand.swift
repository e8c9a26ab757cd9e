import Foundation

/// Runs git in a folder.
struct GitCommand {
  /// Variables that tie git to the repository that runs a hook, which need not be this folder's.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
  ]

  let folder: URL
  let environment: [String: String]

  /// Git in the folder, as if it were called there by hand.
  ///
  /// A hook runs with `GIT_DIR` set, often as a relative path: in another folder it would lead astray.
  init(in folder: URL) {
    self.folder = folder
    var environment = ProcessInfo.processInfo.environment
    for name in Self.repositoryVariables { environment[name] = nil }
    self.environment = environment
  }

  /// Git as this process's environment has it, for a repository that lies apart from its files.
  static func asInherited() -> GitCommand {
    GitCommand(
      folder: CatalogLocator().currentFolder, environment: ProcessInfo.processInfo.environment)
  }

  private init(folder: URL, environment: [String: String]) {
    self.folder = folder
    self.environment = environment
  }

  /// Runs git and gives what it wrote to standard output.
  ///
  /// - Throws: ``GitFailure`` where it ends with an error, ``CommandFailure`` where there is no git.
  func run(_ arguments: String...) throws -> Data {
    try run(arguments)
  }

  /// The same for a list of arguments.
  func run(_ arguments: [String]) throws -> Data {
    let result = try outcome(of: arguments)
    guard result.code == 0 else {
      throw GitFailure(
        arguments: arguments,
        message: result.message.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return result.output
  }

  /// One line that git answers with, without its line end.
  func line(_ arguments: String...) throws -> String {
    let text = String(decoding: try run(arguments), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Runs git and gives its exit code too, whatever it is.
  func outcome(of arguments: [String]) throws -> (code: Int32, output: Data, message: String) {
    let process = process(arguments)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try start(process)
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, data, String(decoding: message, as: UTF8.self))
  }

  /// A process that is ready to be started.
  func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    return process
  }

  /// Starts a process.
  func start(_ process: Process) throws {
    do {
      try process.run()
    } catch {
      throw CommandFailure("cannot run git in \(folder.path): \(error.localizedDescription)")
    }
  }
}
