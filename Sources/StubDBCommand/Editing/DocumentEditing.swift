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
