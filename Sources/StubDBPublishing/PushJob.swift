import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBModel
import StubDBRemote
import StubDBSecrets
import StubDBSupport

/// Publishes a working catalog.
struct PushJob {
  private static let tries = 5

  let working: WorkingCatalog
  /// A name or a URL; nil for the entry of the working catalog.
  var target: String?
  /// The name of a new entry; nil for the one in the URL.
  var name: String?
  var message: String?
  /// Whether a store without conditional writes is accepted.
  var isLastWriterWinning = false
  var signature = CommitSignature(keys: [])

  func run(in project: inout RemoteProject) throws {
    try working.requireNoConflicts("pushed")
    try requireNoSecretInMessage()
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
        try takeIn(head.digest, of: remote, &target, &project)
      }
      let content = try working.content()
      let changes = try changes(in: content, since: target.entry, remote)
      if let entry = target.entry, changes.isEmpty {
        try signature.add(to: entry, of: remote, name: target.name)
        Console.note("\(remote.url) has all of \(shown) already (\(entry.commit.short)).")
        return try signature.noteMissing(of: entry, remote)
      }
      try signature.requireKeys(for: target)
      try working.requireNoSecrets(in: content)
      let commit = commit(content, after: head?.digest, changes)
      let signatures = try signature.made(for: commit, of: remote, target)
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
      try lock(digest, commit, signatures, target, &project)
      if head != nil { PublishedChanges(changes: changes, name: target.name).note() }
      Console.note("Pushed \(shown) to \(remote.url) as \(digest.short).")
      return signature.report(signatures, target, project, after: head?.digest)
    }
    throw contended(remote)
  }

  private func contended(_ remote: RemoteCatalog) -> RemoteError {
    RemoteError(
      .contended,
      "others pushed to \(remote.url) in all \(Self.tries) tries; \(shown) has what they pushed, and was not pushed",
      hints: [FollowUp.again("Try again")])
  }

  /// Those who were refused together must not come back together.
  private static func pause(before number: Int) {
    guard number > 0 else { return }
    Thread.sleep(forTimeInterval: Double.random(in: 0...(0.2 * Double(1 << number))))
  }

  /// Has the lock file name what was pushed.
  private func lock(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signatures: [SSHSignature],
    _ target: RemoteTarget, _ project: inout RemoteProject
  ) throws {
    try project.set(
      LockFile.Entry(
        url: target.entry?.url ?? target.url.description, commit: digest,
        digest: commit.catalog, bytes: commit.bytes, path: project.path(of: working.url),
        keys: target.entry?.keys ?? signature.named(signatures)),
      for: target.name)
  }

  private var shown: String { CatalogLocator.display(working.url) }

  /// The catalog to push to.
  private func found(in project: RemoteProject) throws -> RemoteTarget {
    let path = try project.path(of: working.url)
    guard let text = target else {
      let names = project.lock.catalogs.filter { $0.value.path == path }.keys.sorted()
      guard let first = names.first else {
        throw CommandError(
          "\(project.name) does not say where \(shown) is published",
          hints: renamed(in: project).map {
            "If \(shown) was \($0) before: write its new path there, as the \"path\" of that catalog"
          } + ["To publish it: \(FollowUp.program) push URL, such as s3://BUCKET/shop"])
      }
      guard names.count == 1 else {
        throw CommandError(
          "\(shown) is published as \(names.joined(separator: " and ")); say where to push",
          hints: names.map { FollowUp.command(["push", $0], catalog: working.url) })
      }
      return try project.target(first)
    }
    let found = try project.target(text, as: name)
    if let entry = found.entry, entry.path != path {
      throw CommandError(
        entry.path.map { "\(found.name) is edited in \($0), and not in \(shown)" }
          ?? "\(found.name) is only read here, from the cache; \(shown) does not come from it",
        hints: [
          "To edit \(found.name) in a file: \(FollowUp.program) pull \(found.name) --path FILE"
        ])
    }
    return found
  }

  /// The files that the lock file has, and that are not there.
  private func renamed(in project: RemoteProject) -> [String] {
    project.lock.catalogs.values.filter {
      project.working($0).map { PathSize.bytes(of: $0.path) == nil } ?? false
    }.compactMap(\.path).sorted()
  }

  /// - Throws: `CommandError` if the remote catalog is not the one that this catalog comes from.
  private func requireRelated(_ target: RemoteTarget, _ head: RemoteCatalog.Head?) throws {
    if target.entry == nil, let head {
      throw CommandError(
        "there is a catalog at \(target.url) already (\(head.digest.short)), and nothing says that "
          + "\(shown) comes from it",
        hints: [
          "To merge it into \(shown) first: "
            + FollowUp.command(["pull", target.url.description, "--path", shown])
        ])
    }
    if let entry = target.entry, head == nil {
      throw CommandError(
        "there is no catalog at \(target.url) any more, and \(LockFile.fileName) has "
          + "\(entry.commit.short) of it",
        hints: [
          "To publish it anew: remove \(target.name) from \(LockFile.fileName), then "
            + FollowUp.command(["push", target.url.description], catalog: working.url)
        ])
    }
  }

  /// Merges what others pushed into the working catalog.
  private func takeIn(
    _ head: ObjectDigest, of remote: RemoteCatalog, _ target: inout RemoteTarget,
    _ project: inout RemoteProject
  ) throws {
    let merge = RemoteMerge(remote: remote, head: head, entry: target.entry)
    target.entry = try RemoteUpdate(name: target.name, merge: merge).run(into: working, &project)
  }

  /// - Throws: `CommandError` for a message with a secret: as part of a commit it cannot be taken back either.
  private func requireNoSecretInMessage() throws {
    guard let message else { return }
    var scanner = SecretScanner()
    let scenario = Scenario(name: ScenarioName(unchecked: "message"), summary: message)
    guard let found = scanner.findings(in: scenario).first else { return }
    throw CommandError(
      "the message has a secret (\(found.kind.title), \(found.secret.byteCount) bytes); nothing was pushed",
      hints: ["Say it without; who has seen the command line has seen the secret."])
  }

  private func withoutConditions(_ remote: RemoteCatalog) -> CommandError {
    CommandError(
      "the store of \(remote.url) ignores the conditions of writes, so that of two who push at once "
        + "one would lose everything; nothing was pushed",
      hints: [FollowUp.again("To push all the same", adding: "--last-writer-wins")])
  }

  /// The changes since the commit of the lock file; empty if there are none.
  private func changes(
    in content: WorkingCatalog.Content, since entry: LockFile.Entry?, _ remote: RemoteCatalog
  ) throws -> [ScenarioDifference] {
    if entry?.digest == content.digest { return [] }
    // Another version of SQLite writes the same content as other bytes.
    let base = try entry.map { try RemoteDownload(remote).file($0.digest, bytes: $0.bytes) }
    return try WorkingCatalog.differences(
      from: base, to: CatalogScenarios(content.snapshot()))
  }

  private func commit(
    _ content: WorkingCatalog.Content, after parent: ObjectDigest?, _ changes: [ScenarioDifference]
  ) -> RemoteCommit {
    RemoteCommit(
      catalog: content.digest, bytes: content.bytes.count, parent: parent,
      at: Timestamp.text(Date()),
      by: Publisher.name(in: working.url.deletingLastPathComponent()),
      message: message ?? Self.summary(of: changes))
  }

  /// The names of the scenarios that changed.
  private static func summary(of changes: [ScenarioDifference]) -> String {
    changes.map(\.name.rawValue).listed(upTo: 3)
  }
}

/// Who pushes.
enum Publisher {
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
