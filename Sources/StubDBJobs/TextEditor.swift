package import Foundation
internal import StubDBSupport

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
package struct TextEditor {
  /// The command for the shell, such as `code --wait`.
  private let command: String

  /// Finds the editor.
  ///
  /// - Throws: ``JobError`` if none is set and there is no terminal for `vi`.
  package init() throws(JobError) {
    let environment = ProcessInfo.processInfo.environment
    let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let command = chosen ?? (Terminal.canAsk ? "vi" : nil) else {
      throw JobError(
        .notFound, "no editor is chosen, and there is no terminal to open vi on",
        hints: [
          "To choose one: export EDITOR='code --wait'",
          "To change single things without one: \(command: ["set"])",
        ])
    }
    self.command = command
  }

  /// Opens a file and waits until the editor ends.
  ///
  /// - Throws: ``JobError`` if the editor cannot be run or fails, or removes the file.
  package func edit(_ file: URL) throws(JobError) {
    // system(3), not Process: on Linux Foundation puts the child into a process group of its own,
    // and an editor in the background of its terminal is stopped at its first read.
    let status = system("\(command) \(ShellWord.quoted(file.path))")
    let exited = status & 0x7F == 0
    guard exited, (status >> 8) & 0xFF == 0 else { throw failure("ended with an error") }
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw failure("removed the file that it was to change")
    }
  }

  private func failure(_ what: String) -> JobError {
    JobError(
      .program, "the editor '\(command)' \(what), so nothing was changed",
      hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
  }
}
