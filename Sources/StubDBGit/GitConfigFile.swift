internal import Foundation
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// The configuration file of a clone, which is written under git's own lock.
struct GitConfigFile {
  private let file: URL
  private let git: GitCommand

  /// How often the file may be changed by others before nothing is written.
  private static let maximumAttempts = 20

  init(of repository: GitRepository) throws {
    git = repository.git
    let path = try git.line("rev-parse", "--git-path", "config")
    // Git puts the lock beside the file that a link leads to.
    file = URL(fileURLWithPath: path, relativeTo: repository.root.appendingPathComponent(""))
      .standardizedFileURL.resolvingSymlinksInPath()
  }

  private var lock: String { file.path + ".lock" }

  /// Writes settings in one step, so that a process that is killed leaves all or none.
  ///
  /// - Throws: `JobError` if the file cannot be written, or another process has its lock.
  func set(_ settings: [(key: String, value: String)]) throws {
    TemporaryFile.removeAbandoned(beside: file.path)
    do {
      for _ in 0..<Self.maximumAttempts {
        let content = try content()
        // The lock is taken only now: a process that is killed leaves it behind.
        if try replace(content, with: edited(content, settings)) { return }
      }
    } catch let error as FileWriteError {
      throw JobError(.inputOutput, "cannot write \(file.path): \(error.reason)")
    }
    throw JobError(.inputOutput, "cannot write \(file.path): others change it again and again")
  }

  private func content() throws -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw JobError(.inputOutput, "cannot read \(file.path): \(FileFailure.reading(error))")
    }
  }

  /// The content with the settings, as git writes them.
  private func edited(_ content: Data, _ settings: [(key: String, value: String)]) throws -> Data {
    let temporary = try TemporaryFile(beside: file.path)
    defer { temporary.remove() }
    try temporary.write(content)
    try temporary.finish()
    for (key, value) in settings {
      _ = try git.run("config", "--file", temporary.path, key, value)
    }
    return try Data(contentsOf: URL(fileURLWithPath: temporary.path))
  }

  /// Replaces the file while its lock is held; false if it has another content by now.
  private func replace(_ content: Data, with edited: Data) throws -> Bool {
    let descriptor = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else {
        throw JobError(.inputOutput, "cannot write \(lock): \(String(cString: strerror(errno)))")
      }
      throw JobError(
        .inputOutput,
        "cannot write \(file.path): another git is writing it, or left \(lock) behind; nothing was done",
        hints: ["Try again; if no git runs: rm \(ShellWord.quoted(lock))"])
    }
    close(descriptor)
    defer { unlink(lock) }
    guard try self.content() == content else { return false }
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    let permissions = (mode as? NSNumber)?.uint16Value ?? 0o644
    // The lock itself stays, empty, until the new content is in place.
    try TemporaryFile.replace(file.path, with: edited, permissions: mode_t(permissions))
    return true
  }

  /// Removes a section.
  ///
  /// - Returns: Whether it was there.
  func remove(section: String) throws -> Bool {
    let arguments = ["config", "--local", "--remove-section", section]
    let result = try git.outcome(of: arguments)
    if result.code == 0 { return true }
    // Git fails where there is no such section, too.
    let left = try git.outcome(of: ["config", "--local", "--get-regexp", "^\(section)[.]"])
    if left.code == 1 { return false }
    throw GitCommand.failure(of: arguments, result)
  }
}
