import Foundation

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct TextEditor {
  /// The command for the shell, such as `code --wait`.
  let command: String

  /// Finds the editor.
  ///
  /// - Throws: ``CommandFailure`` if none is set and there is no terminal for `vi`.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let command = chosen ?? (Terminal.canAsk ? "vi" : nil) else {
      throw CommandFailure(
        "no editor is chosen, and there is no terminal to open vi on",
        hints: [
          "To choose one: export EDITOR='code --wait'",
          "To change single things without one: \(FollowUp.program) set",
        ])
    }
    self.command = command
  }

  /// Opens a file and waits until the editor ends.
  ///
  /// - Throws: ``CommandFailure`` if the editor cannot be run or fails.
  func edit(_ file: URL) throws {
    // system(3), not Process: on Linux Foundation puts the child into a process group of its own,
    // and an editor in the background of its terminal is stopped at its first read.
    let status = system("\(command) \(ShellQuoting.quote(file.path))")
    let exited = status & 0x7F == 0
    guard exited, (status >> 8) & 0xFF == 0 else {
      throw CommandFailure(
        "the editor '\(command)' ended with an error, so nothing was changed",
        hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
    }
  }
}
