import Foundation
import StubDBJSON
import StubDBRemote
import StubDBSupport

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

/// Moments as text.
enum Timestamp {
  /// In ISO 8601 and UTC, such as `2026-11-22T17:00:00Z`.
  static func text(_ date: Date) -> String {
    DateTime(date).text("yyyy-MM-dd'T'HH:mm:ss'Z'")
  }
}

extension RemoteProject {
  /// Who signed a commit of a catalog; the keys that the lock file has for it are trusted.
  func signers(of commit: ObjectDigest, of target: RemoteTarget) throws -> CommitSigners {
    try remote(target.url).signers(
      of: commit, trusted: target.entry?.keys ?? [], by: .ofThisMachine)
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

extension RemoteProject {
  /// The catalog of a name or a URL; without one, the only catalog of the lock file.
  func only(_ text: String?) throws -> RemoteTarget {
    let targets = try targets(text.map { [$0] } ?? [])
    guard targets.count == 1, let target = targets.first else {
      throw CommandError(
        "\(name) names \(targets.count) catalogs; say which",
        hints: ["It has: " + targets.map(\.name).joined(separator: ", ")])
    }
    return target
  }
}

extension RemoteURL {
  /// The URL of a catalog in the folder of this one.
  func appending(_ name: String) -> String {
    guard let mark = description.firstIndex(of: "?") else { return description + name }
    return description[..<mark] + name + description[mark...]
  }
}
