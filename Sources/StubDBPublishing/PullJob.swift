package import Foundation
import StubDBFiles
internal import StubDBJobs
package import StubDBRemote

/// Brings published catalogs to this machine, as the lock file says.
package struct PullJob {
  /// Names and URLs; empty for all catalogs of the lock file.
  let targets: [String]
  /// The name of a new entry; nil for the one in the URL.
  package var name: String?
  /// Where a catalog is to be edited; nil if it is only read.
  package var file: URL?
  /// The keys of which one must have signed a new catalog; empty to require no signature.
  package var trusted: [PublicKey] = []
  /// The catalogs here that may include scenarios of those that are pulled.
  package var including: (RemoteProject) -> [URL] = { _ in [] }

  package init(_ targets: [String]) {
    self.targets = targets
  }

  /// How a pull ended.
  package struct Outcome {
    /// The catalogs that are edited here, in which no conflicts have to be settled.
    package fileprivate(set) var edited: [RemoteTarget] = []
    /// Whether conflicts have to be settled; events reported them.
    package fileprivate(set) var hasConflicts = false
  }

  // MARK: As the lock file says

  /// Fills the cache with what the lock file names, and adds URLs that it does not have.
  package func obey(_ project: inout RemoteProject) throws -> Outcome {
    var outcome = Outcome()
    for target in try found(in: project) {
      if target.entry == nil || file != nil || !trusted.isEmpty {
        try add(target, &project, &outcome)
      } else if let entry = target.entry {
        try bring(target, entry, project)
      }
    }
    return outcome
  }

  /// Whether obeying the lock file writes neither to it nor to a catalog that is edited.
  package func changesNothing(of project: RemoteProject) throws -> Bool {
    guard file == nil, trusted.isEmpty else { return false }
    return try found(in: project).allSatisfy { target in
      guard let entry = target.entry else { return false }
      return project.working(entry).map { WorkingCatalog(url: $0).exists } ?? true
    }
  }

  /// Requires what a test would find, without a request.
  package func requireCached(in project: RemoteProject) throws {
    for target in try found(in: project) {
      guard let entry = target.entry else {
        throw JobError(
          .notFound,
          "\(file: project.file) does not have \(target.url), and --frozen asks no store",
          hints: ["\(command: ["pull", target.url.description])"])
      }
      if let working = project.working(entry) {
        guard WorkingCatalog(url: working).exists else { throw missing(target, working.path) }
        continue
      }
      guard let file = try project.cache.file(entry.digest) else {
        throw missing(target, "the cache \(project.cache.folder.path)")
      }
      try requireSize(of: file, entry, project)
      try project.remote(target.url).requireUsable(
        entry, by: project.context.signing, isOffline: true)
    }
  }

  private func missing(_ target: RemoteTarget, _ place: String) -> JobError {
    JobError(
      .notFound,
      "\(target.name) is not here: there is nothing in \(place) yet, and --frozen asks no store",
      hints: ["To bring it: \(command: ["pull", target.name])"])
  }

  private func found(in project: RemoteProject) throws -> [RemoteTarget] {
    guard name != nil || file != nil, let text = targets.first else {
      return try project.targets(targets)
    }
    return [try project.target(text, as: name)]
  }

  private func bring(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ project: RemoteProject
  ) throws {
    let remote = project.remote(target.url)
    let (signing, report) = (project.context.signing, project.context.report)
    if let working = project.working(entry).map(WorkingCatalog.init) {
      guard !working.exists else {
        return try report(.isEdited(name: target.name, file: working.url))
      }
      try remote.requireUsable(entry, by: signing)
      try working.create(from: remote.download(entry.digest, bytes: entry.bytes))
      return try report(.wrote(name: target.name, file: working.url, commit: entry.commit))
    }
    let isCached = project.cache.has(entry.digest)
    // What the cache has needs no request.
    try remote.requireUsable(entry, by: signing)
    let file = try remote.download(entry.digest, bytes: entry.bytes)
    try requireSize(of: file, entry, project)
    try report(
      isCached
        ? .isCached(name: target.name, commit: entry.commit)
        : .downloaded(name: target.name, entry))
  }

  private func requireSize(
    of file: URL, _ entry: LockFile.Entry, _ project: RemoteProject
  ) throws {
    guard PathStatus(file.path)?.byteCount != entry.bytes else { return }
    throw JobError(
      .unusable,
      """
      \(file: project.file) records a size of \(entry.bytes) bytes for \(entry.digest), which has another size; \
      it was edited by hand
      """)
  }

  // MARK: A new catalog

  /// Adds a catalog to the lock file, or lets one be edited that is only read so far.
  private func add(
    _ target: RemoteTarget, _ project: inout RemoteProject, _ outcome: inout Outcome
  ) throws {
    let remote = project.remote(target.url)
    let signing = project.context.signing
    if let entry = target.entry { try requireReadOnly(target, entry, remote, project) }
    let working = file.map(WorkingCatalog.init)
    // Before anything is written.
    let path = try working.map { try project.path(of: $0.url) }
    let digest = try target.entry?.commit ?? remote.existingHead().digest
    let keys = target.entry?.keys ?? trusted
    let signer = try SignatureCheck(keys: keys, signing: signing)
      .map { try remote.signer(of: digest, $0) }
    if let working, working.exists {
      try working.requireMergeable()
      // Nothing says that the two have anything in common.
      let merge = RemoteMerge(
        name: target.name, remote: remote, head: digest, entry: nil, keys: keys)
      if try merge.run(into: working, &project) == nil { outcome.hasConflicts = true }
      return
    }
    let commit = try remote.commit(digest)
    let downloaded = try remote.download(commit)
    let nothing: JobText =
      if let file { "\(file: file) was not written" } else { "\(target.name) was not pulled" }
    try WorkingCatalog.requireUsable(downloaded, butNot: nothing)
    try working?.create(from: downloaded)
    try project.set(
      LockFile.Entry(
        url: target.entry?.url ?? target.url.description, commit: digest, digest: commit.catalog,
        bytes: commit.bytes, path: path, keys: keys),
      for: target.name)
    try project.context.report(
      .added(
        AddedCatalog(
          name: target.name, file: file, lockFile: project.file, commit: digest,
          bytes: commit.bytes, signer: signer,
          optionalSigners: keys.isEmpty ? optionalSigners(of: digest, remote, signing) : [])))
  }

  /// The keys that signed a new catalog although nothing here requires it.
  private func optionalSigners(
    of commit: ObjectDigest, _ remote: RemoteCatalog, _ signing: Signing
  ) -> [PublicKey] {
    // Without a list of signatures, or without ssh-keygen, none are known; and none were asked for.
    guard case .others(let keys) = try? remote.signers(of: commit, trusted: [], by: signing)
    else { return [] }
    return keys
  }

  /// - Throws: `JobError` if a catalog that the lock file has is edited already, or cannot be used.
  private func requireReadOnly(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ remote: RemoteCatalog,
    _ project: RemoteProject
  ) throws {
    guard trusted.isEmpty else {
      throw JobError(
        .refused, "\(file: project.file) has \(target.name) already; nothing was changed",
        hints: [
          """
          To trust this key: \(command: ["key", "trust", target.name, trusted[0].description])
          """
        ])
    }
    if let present = entry.path {
      throw JobError(.refused, "\(target.name) is edited in \(present) already")
    }
    try remote.requireUsable(entry, by: project.context.signing)
  }
}

extension PullJob {
  // MARK: Newer commits

  /// Moves the lock file to the newest commits, and takes them into the catalogs that are edited here.
  package func update(_ project: inout RemoteProject) throws -> Outcome {
    var outcome = Outcome()
    for target in try found(in: project) {
      guard let entry = target.entry else {
        try add(target, &project, &outcome)
        continue
      }
      do {
        if try !update(target, entry, &project) {
          outcome.hasConflicts = true
        } else if entry.path != nil {
          outcome.edited.append(try project.target(target.name))
        }
      } catch let error as JobError where error.code == .conflict {
        // The other catalogs have nothing to do with it.
        try project.context.report(.refusedMerge(error))
        outcome.hasConflicts = true
      }
    }
    return outcome
  }

  /// Updates one catalog; false if conflicts have to be settled.
  private func update(
    _ target: RemoteTarget, _ entry: LockFile.Entry, _ project: inout RemoteProject
  ) throws -> Bool {
    let remote = project.remote(target.url)
    let report = project.context.report
    let working = project.working(entry).map(WorkingCatalog.init)
    if let working, !working.exists { try bring(target, entry, project) }
    let head = try remote.existingHead().digest
    guard head != entry.commit else {
      try report(.isNewest(name: target.name, commit: head))
      return true
    }
    if let working {
      try working.requireMergeable()
      let merge = RemoteMerge(name: target.name, remote: remote, head: head, entry: entry)
      guard try merge.run(into: working, &project) != nil else { return false }
      try reportLostIncludes(project, target.name, working.url)
      return true
    }
    try remote.requireLocked(entry)
    let signer = try remote.signer(of: head, after: entry, by: project.context.signing)
    let commit = try remote.commit(head)
    let new = try remote.download(commit)
    let old = try remote.download(entry.digest, bytes: entry.bytes)
    let differences = try WorkingCatalog.differences(from: old, to: new)
    try project.set(
      LockFile.Entry(
        url: entry.url, commit: head, digest: commit.catalog, bytes: commit.bytes,
        keys: entry.keys),
      for: target.name)
    try report(
      .moved(
        MovedCatalog(
          name: target.name, before: entry.commit, after: head, differences: differences,
          isOlder: try commit.at < remote.commit(entry.commit).at, signer: signer)))
    try reportLostIncludes(project, target.name, new)
    return true
  }

  private func reportLostIncludes(
    _ project: RemoteProject, _ name: String, _ file: URL
  ) throws {
    let edited = project.lock.catalogs.values.compactMap(project.working)
    let lost = LostInclude.found(in: edited + including(project), of: name, file)
    if !lost.isEmpty { try project.context.report(.lostIncludes(lost, of: name)) }
  }

  /// The catalogs of which a store has a newer commit than the lock file; asks each store once.
  package func outdated(
    in project: RemoteProject
  ) throws -> [(target: RemoteTarget, newest: ObjectDigest)] {
    try found(in: project).compactMap { target in
      let head = try project.remote(target.url).existingHead().digest
      return head == target.entry?.commit ? nil : (target, head)
    }
  }
}
