import Foundation
import StubDBJSON
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

extension OrderedJSON {
  /// A commit as `{commit, parent, at, by, message, catalog, bytes, signedBy}`.
  static func commit(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signers: CommitSigners
  ) -> OrderedJSON {
    .object(commitMembers(digest, commit, signers))
  }

  static func commitMembers(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signers: CommitSigners
  ) -> [(String, OrderedJSON)] {
    [
      ("commit", .string(digest.description)), ("parent", .string(commit.parent?.description)),
      ("at", .string(commit.at)), ("by", .string(commit.by)),
      ("message", .string(commit.message)), ("catalog", .string(commit.catalog.description)),
      ("bytes", .integer(commit.bytes)), ("signedBy", signedBy(signers)),
    ]
  }

  /// The keys as `{name, fingerprint, trusted}`, an empty list if nobody signed it, and null if that is not known.
  private static func signedBy(_ signers: CommitSigners) -> OrderedJSON {
    func list(_ keys: [PublicKey], trusted: Bool) -> OrderedJSON {
      .array(
        keys.map { key in
          .object([
            ("name", .string(key.name.isEmpty ? nil : key.name)),
            ("fingerprint", .string(key.fingerprint)), ("trusted", .json(.bool(trusted))),
          ])
        })
    }
    switch signers {
    case .trusted(let keys): return list(keys, trusted: true)
    case .others(let keys): return list(keys, trusted: false)
    case .nobody: return .array([])
    case .unknown: return .json(.null)
    }
  }
}
