import ArgumentParser
import Foundation
import StubDBRemote
import StubDBSupport

/// Brings published catalogs to this machine, as the lock file says.
struct PullJob {
  /// Names and URLs; empty for all catalogs of the lock file.
  let targets: [String]
  /// The name of a new entry; nil for the one in the URL.
  var name: String?
  /// Where a catalog is to be edited; nil if it is only read.
  var path: String?
  /// The keys of which one must have signed a new catalog; empty to require no signature.
  var trusted: [PublicKey] = []

  // MARK: As the lock file says

  /// Fills the cache with what the lock file names, and adds URLs that it does not have.
  func obey(_ project: inout RemoteProject) throws {
    for target in try found(in: project) {
      if target.entry == nil || path != nil || !trusted.isEmpty {
        try add(target, &project)
      } else if let entry = target.entry {
        try bring(target, entry, project)
      }
    }
  }

  /// Whether obeying the lock file writes neither to it nor to a catalog that is edited.
  func changesNothing(of project: RemoteProject) throws -> Bool {
    guard path == nil, trusted.isEmpty else { return false }
    return try found(in: project).allSatisfy { target in
      guard let entry = target.entry else { return false }
      return project.working(entry).map { PathSize.bytes(of: $0.path) != nil } ?? true
    }
  }

  /// Says what a test would find, without a request.
  func requireCached(in project: RemoteProject) throws {
    for target in try found(in: project) {
      guard let entry = target.entry else {
        throw CommandError(
          "\(project.name) does not have \(target.url), and --frozen asks no store",
          hints: [FollowUp.command(["pull", target.url.description])])
      }
      if let working = project.working(entry) {
        guard PathSize.bytes(of: working.path) != nil else { throw missing(target, working.path) }
        continue
      }
      guard let file = try project.cache.file(entry.digest) else {
        throw missing(target, "the cache \(project.cache.folder.path)")
      }
      try requireSize(of: file, entry, project)
      try project.remote(target.url).requireUsable(entry, isOffline: true)
    }
    Console.note("Everything that \(project.name) names is here.")
  }

  private func missing(_ target: RemoteTarget, _ place: String) -> CommandError {
    CommandError(
      "\(target.name) is not here: there is nothing in \(place) yet, and --frozen asks no store",
      hints: ["To bring it: \(FollowUp.command(["pull", target.name]))"])
  }

  private func found(in project: RemoteProject) throws -> [RemoteTarget] {
    guard name != nil || path != nil, let text = targets.first else {
      return try project.targets(targets)
    }
    return [try project.target(text, as: name)]
  }

  private func bring(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ project: RemoteProject
  ) throws {
    let remote = project.remote(target.url)
    if let working = project.working(entry) {
      let name = CatalogLocator.display(working)
      guard PathSize.bytes(of: working.path) == nil else {
        return Console.note("\(target.name) is edited in \(name).")
      }
      try remote.requireUsable(entry)
      try WorkingCatalog(url: working).create(
        from: RemoteDownload(remote).file(entry.digest, bytes: entry.bytes))
      return Console.note("Wrote \(target.name) to \(name), as of \(entry.commit.short).")
    }
    let isCached = project.cache.has(entry.digest)
    // What the cache has needs no request.
    try remote.requireUsable(entry)
    let file = try RemoteDownload(remote).file(entry.digest, bytes: entry.bytes)
    try requireSize(of: file, entry, project)
    Console.note(
      isCached
        ? "\(target.name) is in the cache, as of \(entry.commit.short)."
        : "Downloaded \(target.name), as of \(entry.commit.short) (\(Plural.bytes(entry.bytes))).")
  }

  private func requireSize(
    of file: URL, _ entry: LockFile.Entry, _ project: RemoteProject
  ) throws {
    guard PathSize.bytes(of: file.path) != entry.bytes else { return }
    throw CommandError(
      "\(project.name) says that \(entry.digest) has \(entry.bytes) bytes, which is not true: the file "
        + "was changed by hand")
  }

  // MARK: A new catalog

  /// Adds a catalog to the lock file, or lets one be edited that is only read so far.
  private func add(_ target: RemoteTarget, _ project: inout RemoteProject) throws {
    let remote = project.remote(target.url)
    if let entry = target.entry { try requireReadOnly(target, entry, remote, project) }
    let working = try path.map { WorkingCatalog(url: try Self.location($0)) }
    // Before anything is written.
    let place = try working.map { try project.path(of: $0.url) }
    let digest = try target.entry?.commit ?? remote.existingHead().digest
    let keys = target.entry?.keys ?? trusted
    let signer = try SignatureCheck(keys: keys, signing: .ofThisMachine)
      .map { try remote.signer(of: digest, $0) }
    if let working, PathSize.bytes(of: working.url.path) != nil {
      try working.requireNoConflicts("merged")
      // Nothing says that the two have anything in common.
      let merge = RemoteMerge(remote: remote, head: digest, entry: nil)
      _ = try RemoteUpdate(name: target.name, merge: merge, keys: keys).run(into: working, &project)
      return
    }
    let commit = try remote.commit(digest)
    let file = try RemoteDownload(remote).file(commit)
    let nothing =
      working.map { "\(CatalogLocator.display($0.url)) was not written" }
      ?? "\(target.name) was not pulled"
    try WorkingCatalog.requireUsable(file, butNot: nothing)
    try working?.create(from: file)
    try project.set(
      LockFile.Entry(
        url: target.entry?.url ?? target.url.description, commit: digest, digest: commit.catalog,
        bytes: commit.bytes, path: place, keys: keys),
      for: target.name)
    let shown = working.map { " to \(CatalogLocator.display($0.url))" } ?? ""
    Console.note(
      "Pulled \(target.name)\(shown), as of \(digest.short) (\(Plural.bytes(commit.bytes))); "
        + "\(project.name) names it.")
    if let signer { Console.note("It is signed by \(signer.label).") }
    if keys.isEmpty { noteSigners(of: digest, target.name, remote) }
  }

  /// Says so if a new catalog is signed by keys that nothing here requires.
  private func noteSigners(of commit: ObjectDigest, _ name: String, _ remote: RemoteCatalog) {
    // Whoever cannot list the signatures, or has no ssh-keygen, has not asked for any.
    guard case .others(let keys) = try? remote.signers(of: commit, trusted: [], by: .ofThisMachine),
      let key = keys.first
    else { return }
    let labels = keys.map { TerminalText.line($0.label) }.joined(separator: " and ")
    Console.note("It is signed by \(labels), and nothing here requires that.")
    Console.note(
      "If you know the key, require it: \(FollowUp.command(["key", "trust", name, key.description]))"
    )
  }

  /// - Throws: `CommandError` if a catalog that the lock file has is edited already, or cannot be used.
  private func requireReadOnly(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ remote: RemoteCatalog,
    _ project: RemoteProject
  ) throws {
    guard trusted.isEmpty else {
      throw CommandError(
        "\(project.name) has \(target.name) already; nothing was changed",
        hints: [
          "To trust this key: "
            + FollowUp.command(["key", "trust", target.name, trusted[0].description])
        ])
    }
    if let present = entry.path {
      throw CommandError("\(target.name) is edited in \(present) already")
    }
    try remote.requireUsable(entry)
  }

  private static func location(_ path: String) throws -> URL {
    let url = CatalogLocator().resolve(path)
    guard url.pathExtension == CatalogLocator.fileExtension else {
      throw UsageError(
        "\(TerminalText.quoted(path)) does not end in .\(CatalogLocator.fileExtension).")
    }
    return url
  }
}

extension PullJob {
  // MARK: Newer commits

  /// Moves the lock file to the newest commits, and prints what they change.
  ///
  /// - Returns: The catalogs that are edited here, in which no conflicts wait.
  @discardableResult
  func update(_ project: inout RemoteProject) throws -> [RemoteTarget] {
    var edited: [RemoteTarget] = []
    var hasConflicts = false
    for target in try found(in: project) {
      guard let entry = target.entry else {
        try add(target, &project)
        continue
      }
      do {
        try update(target, entry, &project)
        if entry.path != nil { edited.append(try project.target(target.name)) }
      } catch let code as ExitCode where code.rawValue == 2 {
        // The other catalogs have nothing to do with it.
        hasConflicts = true
      }
    }
    if hasConflicts { throw ExitCode(2) }
    return edited
  }

  private func update(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ project: inout RemoteProject
  ) throws {
    let remote = project.remote(target.url)
    if let working = project.working(entry), PathSize.bytes(of: working.path) == nil {
      try bring(target, entry, project)
    }
    let head = try remote.existingHead().digest
    guard head != entry.commit else {
      return Console.note("\(target.name) has the newest commit, \(head.short).")
    }
    if let working = project.working(entry).map(WorkingCatalog.init) {
      try working.requireNoConflicts("merged")
      let merge = RemoteMerge(remote: remote, head: head, entry: entry)
      _ = try RemoteUpdate(name: target.name, merge: merge).run(into: working, &project)
      return LostIncludes(project: project, name: target.name, file: working.url).warn()
    }
    try remote.requireLocked(entry)
    let signer = try remote.signer(of: head, after: entry, by: .ofThisMachine)
    let commit = try remote.commit(head)
    let new = try RemoteDownload(remote).file(commit)
    let old = try RemoteDownload(remote).file(entry.digest, bytes: entry.bytes)
    try RemoteUpdate.show(WorkingCatalog.differences(from: old, to: new))
    try project.set(
      LockFile.Entry(
        url: entry.url, commit: head, digest: commit.catalog, bytes: commit.bytes,
        keys: entry.keys),
      for: target.name)
    Console.note("\(target.name): \(entry.commit.short) → \(head.short).")
    if try commit.at < remote.commit(entry.commit).at {
      Console.note(
        "\(head.short) was pushed before \(entry.commit.short): somebody has put an older version of "
          + "\(target.name) in its place, or a clock is wrong")
    }
    if let signer { Console.note("It is signed by \(signer.label).") }
    LostIncludes(project: project, name: target.name, file: new).warn()
  }

  /// Asks each store once whether there are newer commits; ends the command with 2 if there are.
  func check(_ project: RemoteProject) throws {
    var isBehind = false
    for target in try found(in: project) {
      let head = try project.remote(target.url).existingHead()
      if head.digest == target.entry?.commit { continue }
      isBehind = true
      let locked = target.entry?.commit.short ?? "nothing"
      try Console.line("\(target.name)  locked: \(locked)  newest: \(head.digest.short)")
    }
    guard isBehind else {
      return Console.note("\(project.name) has the newest commit of each catalog.")
    }
    Console.note("To take them in: \(FollowUp.command(["pull", "--update"] + targets))")
    throw ExitCode(2)
  }
}
