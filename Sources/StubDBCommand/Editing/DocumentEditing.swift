import Foundation
import StubDBCatalog
import StubDBEditing
import StubDBJobs
import StubDBSupport

/// Lets the user edit a document until it has no mistakes.
struct DocumentEditing<Value> {
  let draft: DocumentDraft
  /// What is edited, for messages.
  let subject: String
  /// The command that saves the text from standard input.
  let savingWords: [String]
  let catalog: Catalog
  /// Reads what was edited.
  let read: () throws -> Value

  /// Returns what was edited; offers to open the document again if it has a mistake.
  ///
  /// - Throws: ``CommandError`` if the editor fails, or if the mistake stays; then the text is kept.
  func edited(with editor: TextEditor) throws -> Value {
    while true {
      do {
        try editor.edit(draft.file)
      } catch {
        draft.discard()
        throw error
      }
      do {
        return try read()
      } catch {
        guard Terminal.canAsk else { throw kept(error) }
        Console.note("\(Style.notes.red("Error:")) \(ErrorText.message(for: error))")
        guard Console.confirm("Open it again?") else {
          throw kept(CommandError("\(subject) was not changed"))
        }
      }
    }
  }

  /// The error, with the place of the text and the command that saves it.
  func kept(_ error: any Error) -> CommandError {
    // From standard input: files that the document names are then read from the current folder, as here.
    let save =
      FollowUp.command(savingWords, catalog: catalog.url)
      + " < \(ShellWord.quoted(draft.file.path))"
    return CommandError(
      ErrorText.message(for: error),
      hints: [
        "Nothing was saved. Your text is in \(draft.file.path)",
        "To save it once it is mended: \(save)",
      ])
  }
}

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct TextEditor {
  /// The command for the shell, such as `code --wait`.
  let command: String

  /// Finds the editor.
  ///
  /// - Throws: ``CommandError`` if none is set and there is no terminal for `vi`.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let command = chosen ?? (Terminal.canAsk ? "vi" : nil) else {
      throw CommandError(
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
  /// - Throws: ``CommandError`` if the editor cannot be run or fails, or removes the file.
  func edit(_ file: URL) throws {
    // system(3), not Process: on Linux Foundation puts the child into a process group of its own,
    // and an editor in the background of its terminal is stopped at its first read.
    let status = system("\(command) \(ShellWord.quoted(file.path))")
    let exited = status & 0x7F == 0
    guard exited, (status >> 8) & 0xFF == 0 else {
      throw CommandError(
        "the editor '\(command)' ended with an error, so nothing was changed",
        hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
    }
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw CommandError(
        "the editor '\(command)' removed the file that it was to change, so nothing was changed",
        hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
    }
  }
}
