import Foundation
import StubDBRemote

/// The remote catalogs of a project: what `stubdb.lock` says, the cache, and the stores.
struct RemoteProject {
  /// The file `stubdb.lock`, which may not exist yet.
  let file: URL
  var lock: LockFile
  let cache: ObjectCache
  private let stores: RemoteStores
  /// The two versions that git left in the file, between which is to be chosen; nil if there is one.
  private var conflict: LockConflict?

  /// The project of a folder: the nearest `stubdb.lock` in it or above, up to the top of the git repository.
  init(of folder: URL, isSettling: Bool = false) throws {
    try self.init(file: Self.lockFile(of: folder), isSettling: isSettling)
  }

  /// The project of the nearest `stubdb.lock` in a folder or above; nil if there is no such file.
  static func existing(above folder: URL) throws -> RemoteProject? {
    let file = try lockFile(of: folder)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try RemoteProject(file: file, isSettling: false)
  }

  /// With `isSettling`, two versions that git left in the file become one when it is changed; they are refused otherwise.
  private init(file: URL, isSettling: Bool) throws {
    let environment = ProcessInfo.processInfo.environment
    self.file = file
    conflict = try isSettling ? LockConflict(contentsOf: file) : nil
    var lock = try conflict?.merged().lock ?? LockFile(contentsOf: file) ?? LockFile()
    // In one form, so that a catalog is found by the path of its file.
    lock.catalogs = lock.catalogs.mapValues { entry in
      var entry = entry
      entry.path = entry.path?.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      return entry
    }
    self.lock = lock
    for lock in conflict.map({ [$0.ours, $0.theirs] }) ?? [lock] {
      try Self.requireURLs(of: lock, in: file)
    }
    cache = try ObjectCache(environment: environment)
    cache.tighten()
    stores = RemoteStores(
      environment: environment, client: RetryingClient(transport: FetchTransport()))
  }

  /// - Throws: `CommandError` for a URL that cannot be one of a catalog; nothing of it is shown that may be a password.
  private static func requireURLs(of lock: LockFile, in file: URL) throws {
    for (name, entry) in lock.catalogs.sorted(by: { $0.key < $1.key }) {
      do {
        try RemoteURL(parsing: entry.url).requireName()
      } catch {
        throw CommandError(
          "\(CatalogLocator.display(file)), catalog \(name): \(error.message)",
          hints: error.hints + [
            "To have it as it was: \(FollowUp.git("checkout", "--", LockFile.fileName))"
          ])
      }
    }
  }

  /// The project of the current folder, else that of the catalog that a command would find from there.
  ///
  /// A catalog that is named, by its option or by the environment, comes first.
  static func current(
    _ catalog: String? = nil, isSettling: Bool = false
  ) throws -> RemoteProject {
    let locator = CatalogLocator()
    let variable = locator.environment[CatalogLocator.variable] ?? ""
    if catalog != nil || !variable.isEmpty {
      return try RemoteProject(
        of: locator.locate(catalog).deletingLastPathComponent(), isSettling: isSettling)
    }
    let here = try RemoteProject(of: locator.currentFolder, isSettling: isSettling)
    guard here.lock.catalogs.isEmpty, here.conflict == nil,
      let folder = (try? locator.locate(nil))?.deletingLastPathComponent()
    else { return here }
    let found = try RemoteProject(of: folder, isSettling: isSettling)
    return found.lock.catalogs.isEmpty && found.conflict == nil ? here : found
  }

  /// Runs a closure that may change the lock file or a working catalog, while no other process does.
  static func changing<Value>(
    _ project: RemoteProject, _ body: (inout RemoteProject) throws -> Value
  ) throws -> Value {
    if LockFile.isOpenToAll(project.file.deletingLastPathComponent()) {
      throw CommandError(
        "no \(LockFile.fileName) is kept in a folder that all may write to; nothing was done",
        hints: ["Work in a folder of your own, such as one made by: mktemp -d"])
    }
    return try project.cache.exclusively(for: project.file) {
      // Who had the lock before may have changed the file.
      var project = try RemoteProject(file: project.file, isSettling: project.conflict != nil)
      guard let published = try project.settle() else { return try body(&project) }
      let settled = SettledLock(of: project, published: published)
      // Also if the closure fails, because the lock file has changed.
      defer { settled.noteCommands() }
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
      Console.note("\(choice.name) goes on from \(entry.commit.short), the older of both commits.")
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
      throw CommandError(
        "\(CatalogLocator.display(own)) was not used: it is in a folder that all may write to, so that anybody may have "
          + "put it there", hints: ["Copy it to a folder of your own, and work there."])
    }
    return own
  }

  /// The name of the lock file in messages.
  var name: String { CatalogLocator.display(file) }

  /// A remote catalog, whose store is opened with the first request.
  func remote(_ url: RemoteURL) -> RemoteCatalog {
    RemoteCatalog(url: url, store: stores.lazily(url), cache: cache)
  }

  /// The store of a URL.
  func store(of url: RemoteURL) throws -> any RemoteStore { try stores.store(of: url) }

  /// The catalog that an entry lets a project edit; nil if it is only read.
  func working(_ entry: LockFile.Entry) -> URL? {
    entry.path.map {
      file.deletingLastPathComponent().appendingPathComponent($0).standardizedFileURL
    }
  }

  /// The path of a file as an entry has it.
  func path(of working: URL) throws -> String {
    let folder = file.deletingLastPathComponent().standardizedFileURL.path + "/"
    guard working.path.hasPrefix(folder) else {
      throw CommandError("\(CatalogLocator.display(working)) is not below the folder of \(name)")
    }
    let path = String(working.path.dropFirst(folder.count))
    try requireInside(working)
    if let reason = LockFile.reasonAgainst(path: path) {
      throw CommandError("\(CatalogLocator.display(working)) cannot be published: it \(reason)")
    }
    return path
  }

  /// Writes an entry to the lock file.
  mutating func set(_ entry: LockFile.Entry, for name: String) throws {
    lock.catalogs[name] = entry
    try lock.write(to: file)
  }
}

/// A remote catalog that a command is about.
struct RemoteTarget {
  /// Its name in the lock file.
  var name: String
  var url: RemoteURL
  /// Nil if the lock file does not have it yet.
  var entry: LockFile.Entry?
}

extension RemoteProject {
  /// The catalog of a name in the lock file, or of a URL.
  func target(_ text: String, as chosen: String? = nil) throws -> RemoteTarget {
    guard text.contains(":/") else {
      guard let entry = lock.catalogs[text] else { throw unknown(text) }
      try requireInside(entry)
      return RemoteTarget(name: text, url: try RemoteURL(parsing: entry.url), entry: entry)
    }
    let url = try RemoteURL(parsing: text)
    try url.requireName()
    for (name, entry) in lock.catalogs.sorted(by: { $0.key < $1.key }) {
      guard chosen == nil || chosen == name, try RemoteURL(parsing: entry.url) == url else {
        continue
      }
      try requireInside(entry)
      return RemoteTarget(name: name, url: url, entry: entry)
    }
    let name = chosen ?? url.name
    if let reason = LockFile.reasonAgainst(name: name) { throw UsageError("\(name): \(reason).") }
    if let other = lock.catalogs[name] {
      throw CommandError(
        "\(self.name) has another catalog of the name \(name), at \(other.url)",
        hints: ["To give this one another name: --as NAME"])
    }
    return RemoteTarget(name: name, url: url, entry: nil)
  }

  /// The catalogs of these names or URLs; without any, all of the lock file.
  func targets(_ texts: [String]) throws -> [RemoteTarget] {
    if !texts.isEmpty { return try texts.map { try target($0) } }
    guard !lock.catalogs.isEmpty else {
      throw CommandError(
        "there is no \(LockFile.fileName) in this folder or above it that names a catalog",
        hints: [
          "To use a published catalog: \(FollowUp.program) pull URL",
          "To publish one: \(FollowUp.program) push URL",
        ])
    }
    return try lock.catalogs.keys.sorted().map { try target($0) }
  }

  /// - Throws: `CommandError` if an entry's path leads out of the project, by a link or into another repository: what
  /// comes with a branch would choose what is written.
  private func requireInside(_ entry: LockFile.Entry) throws {
    if let working = working(entry) { try requireInside(working) }
  }

  private func requireInside(_ working: URL) throws {
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath().path
    // A folder that is not there yet has no links.
    var above = working.deletingLastPathComponent()
    while above.path != "/", !FileManager.default.fileExists(atPath: above.path) {
      above.deleteLastPathComponent()
    }
    let shown = "\(CatalogLocator.display(working)), which \(name) names,"
    for place in [above, FileLink.end(of: working)].map({ $0.resolvingSymlinksInPath() }) {
      guard place.path == folder || place.path.hasPrefix(folder + "/") else {
        throw CommandError("\(shown) is behind a link that leads out of its folder")
      }
      try requireOwn(place, below: folder, shown)
    }
  }

  /// The same for a folder of a tool, such as `.git`, and for another repository below this one.
  private func requireOwn(_ place: URL, below root: String, _ shown: String) throws {
    let parts = place.path.dropFirst(root.count).split(separator: "/")
    var folder = URL(fileURLWithPath: root, isDirectory: true)
    for part in parts {
      folder.appendPathComponent(String(part), isDirectory: true)
      // The file itself may have any name.
      guard PathSize.isFolder(folder.path) else { continue }
      if part.hasPrefix(".") {
        throw CommandError("\(shown) is in \(TerminalText.line(String(part))), a folder of a tool")
      }
      if GitFolder.isRepository(folder) {
        throw CommandError(
          "\(shown) is in another git repository: \(CatalogLocator.display(folder))")
      }
    }
  }

  private func unknown(_ name: String) -> CommandError {
    let known = lock.catalogs.keys.sorted()
    return CommandError(
      "\(self.name) has no catalog \(TerminalText.quoted(name))",
      hints: name.contains("/")
        ? ["A place is given as a URL: that of a folder is file:// and an absolute path"]
        : [
          known.isEmpty
            ? "To add one: \(FollowUp.program) pull URL, such as s3://BUCKET/shop"
            : "It has: " + known.joined(separator: ", ")
        ])
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
