package import Foundation
import StubDBFiles
internal import StubDBJobs
package import StubDBRemote
internal import StubDBSupport

/// The remote catalogs of a project: what `stubdb.lock` says, the cache, and the stores.
package struct RemoteProject {
  /// The file `stubdb.lock`, which may not exist yet.
  package let file: URL
  package internal(set) var lock: LockFile
  package let cache: ObjectCache
  let context: PublishingContext
  private let stores: RemoteStores
  /// The two versions that git left in the file, between which is to be chosen; nil if there is one.
  private var conflict: LockConflict?

  /// The project of a folder: the nearest `stubdb.lock` in it or above, up to the top of the git repository.
  package init(
    of folder: URL, _ context: PublishingContext, isSettling: Bool = false
  ) throws {
    try self.init(file: Self.lockFile(of: folder), context, isSettling: isSettling)
  }

  /// The project of the nearest `stubdb.lock` in a folder or above; nil if there is no such file.
  package static func existing(
    above folder: URL, _ context: PublishingContext
  ) throws -> RemoteProject? {
    let file = try lockFile(of: folder)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try RemoteProject(file: file, context, isSettling: false)
  }

  /// With `isSettling`, two versions that git left in the file become one when it is changed; they are refused otherwise.
  private init(file: URL, _ context: PublishingContext, isSettling: Bool) throws {
    (self.file, self.context) = (file, context)
    conflict = try isSettling ? LockConflict(contentsOf: file) : nil
    var lock = try conflict?.merged().lock ?? LockFile(contentsOf: file) ?? LockFile()
    // In one form, so that a catalog is found by the path of its file.
    lock.catalogs = lock.catalogs.mapValues { entry in
      var entry = entry
      entry.path = entry.path?.pathSegments.filter { $0 != "." }.joined(separator: "/")
      return entry
    }
    self.lock = lock
    for lock in conflict.map({ [$0.ours, $0.theirs] }) ?? [lock] {
      try Self.requireURLs(of: lock, in: file)
    }
    cache = try ObjectCache(environment: context.environment)
    cache.tighten()
    stores = RemoteStores(environment: context.environment, client: context.client)
  }

  /// - Throws: `JobError` for a URL that cannot be one of a catalog; nothing of it is shown that may be a password.
  private static func requireURLs(of lock: LockFile, in file: URL) throws {
    for (name, entry) in lock.catalogs.sorted(by: { $0.key < $1.key }) {
      do {
        try RemoteURL(parsing: entry.url).requireName()
      } catch {
        throw JobError(
          .unusable, "\(file: file), catalog \(name): \(error.message)",
          hints: error.hints.map { "\($0)" } + [
            "To have it as it was: \(git: "checkout", "--", LockFile.fileName)"
          ])
      }
    }
  }

  /// Whether its lock file names a catalog, or has two versions of git's.
  package var namesCatalogs: Bool { !lock.catalogs.isEmpty || conflict != nil }

  /// Runs a closure that may change the lock file or a working catalog, while no other process does.
  package func changing<Value>(
    _ body: (inout RemoteProject) throws -> Value
  ) throws -> Value {
    if LockFile.isOpenToAll(file.deletingLastPathComponent()) {
      throw JobError(
        .refused,
        "no \(LockFile.fileName) is kept in a folder that all may write to; nothing was done",
        hints: ["Work in a folder of your own, such as one made by: mktemp -d"])
    }
    return try cache.exclusively(for: file) {
      // Another process that had the lock before may have changed the file.
      var project = try RemoteProject(file: file, context, isSettling: conflict != nil)
      guard let published = try project.settle() else { return try body(&project) }
      let settled = SettledLock(of: project, published: published)
      // Also if the closure fails, because the lock file has changed; its error is the one to report.
      defer { try? context.report(.settledLock(settled.rest())) }
      return try body(&project)
    }
  }

  /// Makes one of the two versions that git left in the file.
  ///
  /// - Returns: The catalogs that both versions named; nil if there is only one version.
  private mutating func settle() throws -> Set<ObjectDigest>? {
    guard let conflict else { return nil }
    for choice in try conflict.merged().choices {
      let entry = try remote(RemoteURL(parsing: choice.ours.url)).older(choice)
      lock.catalogs[choice.name] = entry
      try context.report(.choseOlder(name: choice.name, commit: entry.commit))
    }
    try lock.write(to: file)
    self.conflict = nil
    return Set([conflict.ours, conflict.theirs].flatMap { $0.catalogs.values.map(\.digest) })
  }

  private static func lockFile(of folder: URL) throws -> URL {
    let candidates = LockFile.candidates(for: folder)
    let isThere = { (file: URL) in FileManager.default.fileExists(atPath: file.path) }
    if let found = candidates.first(where: isThere) { return found }
    let own = folder.standardizedFileURL.appendingPathComponent(LockFile.fileName)
    if candidates.isEmpty, isThere(own) {
      throw JobError(
        .refused,
        """
        \(file: own) was not used: it is in a folder that all may write to, so it may come from any user
        """,
        hints: ["Copy it to a folder of your own, and work there."])
    }
    return own
  }

  /// A remote catalog, whose store is opened with the first request.
  package func remote(_ url: RemoteURL) -> RemoteCatalog {
    RemoteCatalog(url: url, store: stores.lazily(url), cache: cache)
  }

  package func store(of url: RemoteURL) throws -> any RemoteStore { try stores.store(of: url) }

  /// The catalog that an entry lets a project edit; nil if it is only read.
  package func working(_ entry: LockFile.Entry) -> URL? {
    entry.path.map {
      file.deletingLastPathComponent().appendingPathComponent($0).standardizedFileURL
    }
  }

  /// The path of a file as an entry has it.
  func path(of working: URL) throws -> String {
    let folder = file.deletingLastPathComponent().standardizedFileURL.path + "/"
    guard working.path.hasPrefix(folder) else {
      throw JobError(.refused, "\(file: working) is not below the folder of \(file: file)")
    }
    let path = String(working.path.dropFirst(folder.count))
    try requireInside(working)
    if let reason = LockFile.reasonAgainst(path: path) {
      throw JobError(.refused, "\(file: working) cannot be published: it \(reason)")
    }
    return path
  }

  /// Writes an entry to the lock file.
  mutating func set(_ entry: LockFile.Entry, for name: String) throws {
    lock.catalogs[name] = entry
    try lock.write(to: file)
  }
}

extension RemoteProject {
  /// - Throws: `JobError` if an entry's path leads out of the project, by a link or into another repository: what
  /// comes with a branch would choose what is written.
  func requireInside(_ entry: LockFile.Entry) throws {
    if let working = working(entry) { try requireInside(working) }
  }

  private func requireInside(_ working: URL) throws {
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath().path
    // A folder that is not there yet has no links.
    var above = working.deletingLastPathComponent()
    while above.path != "/", !FileManager.default.fileExists(atPath: above.path) {
      above.deleteLastPathComponent()
    }
    let shown: JobText = "\(file: working), which \(file: file) names,"
    for place in [above, FileLink.end(of: working)].map({ $0.resolvingSymlinksInPath() }) {
      guard (place.path + "/").utf8.starts(with: (folder + "/").utf8) else {
        throw JobError(.refused, "\(shown) is behind a link that leads out of its folder")
      }
      try requireOwn(place, below: folder, shown)
    }
  }

  /// The same for a folder of a tool, such as `.git`, and for another repository below this one.
  private func requireOwn(_ place: URL, below root: String, _ shown: JobText) throws {
    let parts = place.path.pathSegments.dropFirst(root.pathSegments.count)
    var folder = URL(fileURLWithPath: root, isDirectory: true)
    for part in parts {
      folder.appendPathComponent(String(part), isDirectory: true)
      // The file itself may have any name.
      guard PathStatus(folder.path + "/.") != nil else { continue }
      if part.hasPrefix(".") {
        throw JobError(.refused, "\(shown) is in \(part), a folder of a tool")
      }
      if GitFolder.isRepository(folder) {
        throw JobError(
          .refused, "\(shown) is in another git repository: \(file: folder)")
      }
    }
  }
}

/// Folders of git.
private enum GitFolder {
  /// Whether a folder is the top of a work tree, a submodule, or a repository without a work tree.
  static func isRepository(_ folder: URL) -> Bool {
    func has(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }
    return has(".git") || has("HEAD") && has("objects") && has("refs")
  }
}

/// Links to files.
private enum FileLink {
  /// Where a chain of links ends, also if nothing is there; the file itself if it is no link.
  static func end(of file: URL) -> URL {
    var file = file
    for _ in 0..<40 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)
      else { break }
      file =
        URL(fileURLWithPath: target, relativeTo: file.deletingLastPathComponent())
        .standardizedFileURL
    }
    return file
  }
}

extension RemoteProject {
  /// The project of the current folder, else that of the catalog that a command would find from there.
  ///
  /// A catalog that is named, by its option or by the environment, comes first.
  package static func current(
    _ catalog: String?, _ context: PublishingContext, isSettling: Bool
  ) throws -> RemoteProject {
    let locator = CatalogLocator()
    let variable = locator.environment[CatalogLocator.variable] ?? ""
    if catalog != nil || !variable.isEmpty {
      return try RemoteProject(
        of: locator.locate(catalog).deletingLastPathComponent(), context,
        isSettling: isSettling)
    }
    let here = try RemoteProject(
      of: locator.currentFolder, context, isSettling: isSettling)
    guard !here.namesCatalogs, let folder = (try? locator.locate(nil))?.deletingLastPathComponent()
    else { return here }
    let found = try RemoteProject(of: folder, context, isSettling: isSettling)
    return found.namesCatalogs ? found : here
  }
}

extension PullJob {
  /// A pull that reports includes that get lost in the catalogs beside the lock file, and in the one that commands use.
  package static func including(_ targets: [String]) -> PullJob {
    var job = PullJob(targets)
    job.including = { project in
      let folder = project.file.deletingLastPathComponent()
      let beside = (try? CatalogLocator.catalogNames(in: folder)) ?? []
      return beside.map { folder.appendingPathComponent($0) }
        + [try? CatalogLocator().locate(nil)].compactMap { $0 }
    }
    return job
  }
}
