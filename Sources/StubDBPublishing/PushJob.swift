package import Foundation
package import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBGit
internal import StubDBJobs
internal import StubDBModel
package import StubDBRemote
package import StubDBSecrets
internal import StubDBSupport

/// Publishes a working catalog.
package struct PushJob {
  private static let tries = 5

  package let working: WorkingCatalog
  /// A name or a URL; nil for the entry of the working catalog.
  package var target: String?
  /// The name of a new entry; nil for the one in the URL.
  package var name: String?
  package var message: String?
  /// Whether a store without conditional writes is accepted.
  package var isLastWriterWinning = false
  package var signature = CommitSignature(keys: [])
  /// The secrets of the catalog without an exception.
  private let scan: (CatalogSnapshot) throws -> [SecretFinding]

  package init(
    _ working: WorkingCatalog, scan: @escaping (CatalogSnapshot) throws -> [SecretFinding]
  ) {
    (self.working, self.scan) = (working, scan)
  }

  /// How a push ended.
  package enum Outcome: Sendable {
    case pushed(Push)
    case unchanged(Unchanged)
    /// What others pushed was merged, with conflicts, which an event reported.
    case conflicts
    /// Nothing was pushed because of secrets: what was pushed cannot be taken back.
    case secrets([SecretFinding])
  }

  /// A commit that was pushed.
  package struct Push: Sendable {
    package let name: String
    package let remote: RemoteURL
    package let commit: ObjectDigest
    package let changes: [ScenarioDifference]
    /// The keys that signed it.
    package let signers: [PublicKey]
    /// Nil for the first commit of a catalog.
    package let parent: ObjectDigest?
    /// Whether the commit before it is signed.
    package let isParentSigned: Bool
    package let signatures: Requirement
  }

  /// What the lock file says about signatures of a catalog.
  package enum Requirement: Sendable {
    case required, notRequired
    /// Required from this push on.
    case new
  }

  /// A commit that has everything already.
  package struct Unchanged: Sendable {
    package let remote: RemoteURL
    package let commit: ObjectDigest
    /// The keys that signed it now.
    package let signers: [PublicKey]
    /// Why the signature that the lock file requires is missing; nil if it is not.
    package let missingSignature: RemoteError?
  }

  /// Pushes; merges what others pushed before.
  package func run(in project: inout RemoteProject) throws -> Outcome {
    try requireNoSecretInMessage()
    var content = try working.content(toBe: "pushed")
    var target = try found(in: project)
    let remote = project.remote(target.url)
    var isProbed = false
    for number in 0..<Self.tries {
      Self.pause(before: number)
      let head = try remote.head()
      // Each time: of two first pushes at once one is refused, as if it had come a moment later.
      try requireRelated(target, head)
      if let entry = target.entry { try remote.requireLocked(entry) }
      if let head, head.digest != target.entry?.commit {
        let merge = RemoteMerge(
          name: target.name, remote: remote, head: head.digest, entry: target.entry)
        guard let entry = try merge.run(into: working, &project) else { return .conflicts }
        target.entry = entry
        content = try working.content(toBe: "pushed")
      }
      let changes = try changes(in: content, since: target.entry, remote)
      if let entry = target.entry, changes.isEmpty {
        return .unchanged(try unchanged(entry, target, remote, project))
      }
      try signature.requireKeys(for: target)
      let findings = try content.scenarios.reading(scan)
      guard findings.isEmpty else { return .secrets(findings) }
      let commit = commit(content, after: head?.digest, changes)
      let signatures = try signature.made(
        for: commit, of: remote, target, by: project.context.signing)
      let file = try content.kept(in: project.cache)
      let isProbing = !isProbed && !isLastWriterWinning
      guard let digest = try remote.store(commit, file: file, isProbing: isProbing) else {
        throw withoutConditions(remote)
      }
      isProbed = true
      for signature in signatures { try remote.store(signature, of: digest) }
      let outcome = try remote.point(
        to: digest, insteadOf: head, unconditionally: isLastWriterWinning)
      guard outcome == .written else { continue }
      let signers = signature.named(signatures)
      try lock(digest, commit, signers, target, &project)
      return .pushed(
        Push(
          name: target.name, remote: remote.url, commit: digest, changes: changes,
          signers: signers, parent: head?.digest,
          isParentSigned: head.map { project.cache.hasSignature(of: $0.digest) } ?? false,
          signatures: target.entry.map { $0.keys.isEmpty ? .notRequired : .required } ?? .new))
    }
    throw contended(remote)
  }

  private func contended(_ remote: RemoteCatalog) -> JobError {
    JobError(
      .changed,
      """
      others pushed to \(remote.url) in all \(Self.tries) tries; \(file: working.url) has what they pushed, and was \
      not pushed
      """,
      hints: ["\(again: "Try again")"])
  }

  /// Those who were refused together must not come back together.
  private static func pause(before number: Int) {
    guard number > 0 else { return }
    Thread.sleep(forTimeInterval: Double.random(in: 0...(0.2 * Double(1 << number))))
  }

  private func unchanged(
    _ entry: LockFile.Entry, _ target: RemoteTarget, _ remote: RemoteCatalog,
    _ project: RemoteProject
  ) throws -> Unchanged {
    let signing = project.context.signing
    let signers = try signature.add(to: entry, of: remote, name: target.name, by: signing)
    var missing: RemoteError?
    do throws(RemoteError) {
      _ = try remote.signer(of: entry, by: signing)
    } catch {
      guard error.code == .untrusted else { throw error }
      missing = error
    }
    return Unchanged(
      remote: remote.url, commit: entry.commit, signers: signers, missingSignature: missing)
  }

  /// Has the lock file name what was pushed.
  private func lock(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signers: [PublicKey],
    _ target: RemoteTarget, _ project: inout RemoteProject
  ) throws {
    try project.set(
      LockFile.Entry(
        url: target.entry?.url ?? target.url.description, commit: digest,
        digest: commit.catalog, bytes: commit.bytes, path: project.path(of: working.url),
        keys: target.entry?.keys ?? signers),
      for: target.name)
  }

  /// - Throws: `JobError` for a message with a secret: as part of a commit it cannot be taken back either.
  private func requireNoSecretInMessage() throws {
    guard let message else { return }
    var scanner = SecretScanner()
    let scenario = Scenario(name: ScenarioName(unchecked: "message"), summary: message)
    guard let found = scanner.findings(in: scenario).first else { return }
    throw JobError(
      .secret,
      "the message has a secret (\(found.kind.title), \(found.secret.byteCount) bytes); nothing was pushed",
      hints: ["Say it without; who has seen the command line has seen the secret."])
  }

  private func withoutConditions(_ remote: RemoteCatalog) -> JobError {
    JobError(
      .refused,
      """
      the store of \(remote.url) ignores the conditions of writes, so that of two who push at once one would lose \
      everything; nothing was pushed
      """,
      hints: ["\(again: "To push all the same", adding: "--last-writer-wins")"])
  }

  /// The changes since the commit of the lock file; empty if there are none.
  private func changes(
    in content: WorkingCatalog.Content, since entry: LockFile.Entry?, _ remote: RemoteCatalog
  ) throws -> [ScenarioDifference] {
    if entry?.digest == content.digest { return [] }
    // Another version of SQLite writes the same content as other bytes.
    let base = try entry.map { try remote.download($0.digest, bytes: $0.bytes) }
    return try WorkingCatalog.differences(from: base, to: content.scenarios)
  }

  private func commit(
    _ content: WorkingCatalog.Content, after parent: ObjectDigest?, _ changes: [ScenarioDifference]
  ) -> RemoteCommit {
    RemoteCommit(
      catalog: content.digest, bytes: content.bytes.count, parent: parent,
      at: Timestamp.text(Date()),
      by: Publisher.name(in: working.url.deletingLastPathComponent()),
      message: message ?? changes.map(\.name.rawValue).listed(upTo: 3))
  }
}

/// Who pushes.
private enum Publisher {
  /// The name that git has for commits, else the user's.
  static func name(in folder: URL) -> String {
    if let name = try? GitCommand(in: folder).line("config", "user.name"), !name.isEmpty {
      return name
    }
    let environment = ProcessInfo.processInfo.environment
    return ["GIT_AUTHOR_NAME", "USER", "LOGNAME"].compactMap { environment[$0] }
      .first { !$0.isEmpty } ?? "unknown"
  }
}

/// Moments as text.
package enum Timestamp {
  /// In ISO 8601 and UTC, such as `2026-11-22T17:00:00Z`.
  package static func text(_ date: Date) -> String {
    DateTime(date).text("yyyy-MM-dd'T'HH:mm:ss'Z'")
  }
}
