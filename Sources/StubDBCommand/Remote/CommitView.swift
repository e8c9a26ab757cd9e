import Foundation
import StubDBJSON
import StubDBJobs
import StubDBRemote

/// Commits as text for a terminal.
enum CommitView {
  /// A commit on a line: its digest, its day, who signed it, who pushed it as they say, and what it is for.
  static func line(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signers: CommitSigners
  ) -> String {
    let message = commit.message.split(separator: "\n").first.map(String.init) ?? ""
    return [
      Style.output.yellow(digest.short), TerminalText.line(String(commit.at.prefix(10))),
      text(signers), TerminalText.line(commit.by), TerminalText.line(message),
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func text(_ signers: CommitSigners) -> String {
    func list(_ keys: [PublicKey]) -> String {
      keys.map { TerminalText.line($0.name.isEmpty ? $0.fingerprint : $0.name) }
        .joined(separator: " and ")
    }
    switch signers {
    case .trusted(let keys): return "signed by \(list(keys))"
    case .others(let keys): return "signed by \(list(keys)) (not trusted)"
    case .nobody: return "unsigned"
    case .unknown: return "not signed by a trusted key"
    }
  }
}
