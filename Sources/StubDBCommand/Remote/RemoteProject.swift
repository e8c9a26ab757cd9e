import Foundation
import StubDBRemote

/// The remote catalogs of a project: what `stubdb.lock` says, the cache, and the stores.
struct RemoteProject {
  /// The file `stubdb.lock`, which may not exist yet.
  let file: URL
  var lock: LockFile
  let cache: ObjectCache
  private let stores: RemoteStores

  /// The project of a folder: the nearest `stubdb.lock` in it or above, up to the top of the git repository.
  init(of folder: URL) throws {
    try self.init(file: Self.lockFile(of: folder))
  }

  private init(file: URL) throws {
    let environment = ProcessInfo.processInfo.environment
    self.file = file
    var lock = try LockFile(contentsOf: file) ?? LockFile()
    // In one form, so that a catalog is found by the path of its file.
    lock.catalogs = lock.catalogs.mapValues { entry in
      var entry = entry
      entry.path = entry.path?.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      return entry
    }
    self.lock = lock
    try Self.requireURLs(of: lock, in: file)
    cache = try ObjectCache(environment: environment)
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
  static func current(_ catalog: String? = nil) throws -> RemoteProject {
    let locator = CatalogLocator()
    let variable = locator.environment[CatalogLocator.variable] ?? ""
    if catalog != nil || !variable.isEmpty {
      return try RemoteProject(of: locator.locate(catalog).deletingLastPathComponent())
    }
    let here = try RemoteProject(of: locator.currentFolder)
    guard here.lock.catalogs.isEmpty,
      let folder = (try? locator.locate(nil))?.deletingLastPathComponent()
    else { return here }
    let found = try RemoteProject(of: folder)
    return found.lock.catalogs.isEmpty ? here : found
  }

  /// Runs a closure that may change the lock file or a working catalog, while no other process does.
  static func changing<Value>(
    _ project: RemoteProject, _ body: (inout RemoteProject) throws -> Value
  ) throws -> Value {
    try project.cache.exclusively(for: project.file) {
      // Who had the lock before may have changed the file.
      var project = try RemoteProject(file: project.file)
      return try body(&project)
    }
  }

  private static func lockFile(of folder: URL) -> URL {
    LockFile.candidates(for: folder).first { FileManager.default.fileExists(atPath: $0.path) }
      ?? folder.standardizedFileURL.appendingPathComponent(LockFile.fileName)
  }

  /// The name of the lock file in messages.
  var name: String { CatalogLocator.display(file) }

  /// A remote catalog, whose store is opened with the first request.
  func remote(_ url: RemoteURL) -> RemoteCatalog {
    RemoteCatalog(url: url, store: stores.lazily(url), cache: cache) { Console.note($0) }
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

  /// - Throws: `CommandError` if a link leads from an entry's path out of the project: both come with a branch, and
  /// would choose together what is written.
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
    let places = [above, FileLink.end(of: working)].map { $0.resolvingSymlinksInPath().path }
    guard places.contains(where: { $0 != folder && !$0.hasPrefix(folder + "/") }) else { return }
    throw CommandError(
      "\(CatalogLocator.display(working)), which \(name) names, is behind a link that leads out of its folder"
    )
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
