import Foundation
import StubDBEngine
import StubDBJobs
import StubDBLock
import StubDBPlayback
import StubDBPublishing
import StubDBServing
import StubDBSupport

/// Reports that a command could not do its work.
struct CommandError: Error, CustomStringConvertible {
  /// One sentence that says what failed, on what, and why.
  var message: String
  /// Commands to type next, or the nearest names; one per line.
  var hints: [String]

  init(_ message: String, hints: [String] = []) {
    self.message = message
    self.hints = hints
  }

  var description: String {
    ([message] + hints).joined(separator: "\n")
  }
}

/// Arguments that contradict each other or that no command can follow; exits with 64.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A refusal of a use case, which the command line says in its own words.
protocol RenderedError: Error {
  /// A ``CommandError`` or a ``UsageError``.
  var rendered: any Error { get }
}

/// Errors as text.
enum ErrorText {
  /// The message of an error, with its line ends.
  ///
  /// Parts of it may come from a catalog, from the name of a file, or from a store, so it is made safe for a terminal, and
  /// does not repeat a token.
  static func message(for error: any Error) -> String {
    SecretDisplay.withoutTokens(text(of: error))
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let error as any RenderedError: return text(of: error.rendered)
    case let error as JobError:
      return ([error.message] + error.hints).map(\.shown).joined(separator: "\n")
    case let error as RemoteError:
      return ([error.message] + error.hints).map(TerminalText.line).joined(separator: "\n")
    case let error as any CustomStringConvertible:
      return TerminalText.lines(error.description)
    default:
      return TerminalText.lines(error.localizedDescription)
    }
  }
}

extension JobText {
  /// The text for a terminal, with files and commands as they are seen from the folder of the user.
  var shown: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .line(let text): TerminalText.line(text)
      case .lines(let text): TerminalText.lines(text)
      case .quoted(let text): TerminalText.quoted(text)
      case .file(let url): TerminalText.path(url)
      case .command(let words, let file, let catalog):
        FollowUp.command(
          words + (file.map { [TerminalText.path($0)] } ?? []), catalog: catalog)
      case .shell(let words, let file):
        (words + [StartFolder.path(to: CatalogLocator.relativePath(file))])
          .map(ShellWord.quoted).joined(separator: " ")
      case .git(let words, let file):
        FollowUp.git(words + (file.map { [CatalogLocator.relativePath($0)] } ?? []))
      case .again(let purpose, let options, let others):
        FollowUp.again(purpose, adding: options, leavingOut: others)
      }
    }.joined()
  }
}

extension PlayedAnswer {
  /// Sends a request to a run, and waits for the end of the answer.
  ///
  /// - Throws: A ``CommandError`` for an answer that cannot be described.
  init(of player: Player, to request: StubRequest) throws {
    do throws(Failure) {
      try self.init(to: request, from: player)
    } catch {
      throw CommandError(error.message)
    }
  }
}
