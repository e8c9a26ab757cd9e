import Foundation
import StubDBJSON
import StubDBRemote
import StubDBSupport

/// Commits as text for a terminal.
enum CommitView {
  /// A commit on a line: its digest, its day, who pushed it, and what it is for.
  static func line(_ digest: ObjectDigest, _ commit: RemoteCommit) -> String {
    let message = commit.message.split(separator: "\n").first.map(String.init) ?? ""
    return [
      Style.output.yellow(digest.short), TerminalText.line(String(commit.at.prefix(10))),
      TerminalText.line(commit.by), TerminalText.line(message),
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

/// Moments as text.
enum Timestamp {
  /// In ISO 8601 and UTC, such as `2026-11-22T17:00:00Z`.
  static func text(_ date: Date) -> String {
    DateTime(date).text("yyyy-MM-dd'T'HH:mm:ss'Z'")
  }
}

extension OrderedJSON {
  /// A commit as `{commit, parent, at, by, message, catalog, bytes}`.
  static func commit(_ digest: ObjectDigest, _ commit: RemoteCommit) -> OrderedJSON {
    .object(commitMembers(digest, commit))
  }

  static func commitMembers(
    _ digest: ObjectDigest, _ commit: RemoteCommit
  ) -> [(String, OrderedJSON)] {
    [
      ("commit", .string(digest.description)), ("parent", .string(commit.parent?.description)),
      ("at", .string(commit.at)), ("by", .string(commit.by)),
      ("message", .string(commit.message)), ("catalog", .string(commit.catalog.description)),
      ("bytes", .integer(commit.bytes)),
    ]
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
