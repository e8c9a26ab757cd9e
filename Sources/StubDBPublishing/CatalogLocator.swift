package import Foundation
package import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// Finds the catalog that a command works on.
package struct CatalogLocator {
  /// The variable that names the catalog if no option does.
  package static let variable = "STUBDB_CATALOG"
  package static let fileExtension = Catalog.fileExtension

  package var environment = ProcessInfo.processInfo.environment
  package var currentFolder = URL(
    fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)

  package init() {}

  /// - Throws: ``JobError`` if the current folder was removed, because no path can then be resolved.
  package static func requireCurrentFolder() throws {
    guard let path = getcwd(nil, 0) else {
      throw JobError(
        .notFound, "the current folder no longer exists",
        hints: [
          "To go to a folder that does: cd PATH; or to work in one from here: stubdb -C PATH ..."
        ])
    }
    free(path)
  }

  /// Opens the catalog at the path, or the one found without it.
  ///
  /// With `isReading`, the path may be the name of a published catalog.
  package func open(_ path: String?, isReading: Bool = false) throws -> Catalog {
    try found(path, isReading) { url throws(CatalogError) in try Catalog(contentsOf: url) }
  }

  /// Reads the catalog at the path, or the one found without it, once.
  ///
  /// It is not opened before, since that makes the same checks.
  package func read<Value>(
    _ path: String?, _ body: (Catalog) throws(CatalogError) -> Value
  ) throws -> Value {
    try found(path, true) { url throws(CatalogError) in try body(Catalog(unchecked: url)) }
  }

  /// What a body makes of the catalog; a path that is no catalog may be the name of a published one.
  private func found<Value>(
    _ path: String?, _ isReading: Bool, _ body: (URL) throws(CatalogError) -> Value
  ) throws -> Value {
    let url = try locate(path, isReading: isReading)
    do throws(CatalogError) {
      return try body(url)
    } catch {
      // A folder is often named as the catalog is that its tests use.
      let isFolder = PathStatus(url.path + "/.") != nil
      guard error.code == .notFound || isFolder else { throw error }
      if let given = path ?? environment[Self.variable],
        let other = try PublishedCatalog(named: given)
      {
        guard isReading || !other.isReadOnly else { throw other.readOnly() }
        return try body(other.url)
      }
      if isFolder { throw error }
      throw missing(url, path)
    }
  }

  /// The error for a catalog that is not there: `path` is what an option or argument says, `url` where that is.
  private func missing(_ url: URL, _ path: String?) -> JobError {
    let given = path ?? environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    let source = path == nil && given != nil ? ", the path in $\(Self.variable)" : ""
    if let given, Self.isURL(given) {
      return JobError(
        .refused,
        "\(quoted: given)\(source) is a URL, and not the path of a catalog",
        hints: ["To bring a published catalog here: \(command: ["pull", given])"])
    }
    let message: JobText = "there is no catalog at \(file: url)\(source)"
    let folder = url.deletingLastPathComponent()
    // A folder that cannot be read, or with names that cannot be decoded, has no near name.
    let names = (try? Self.catalogNames(in: folder)) ?? []
    // Compared without the ending, which makes all names alike.
    let near = names.map(Self.withoutExtension)
      .nearest(to: Self.withoutExtension(url.lastPathComponent))
    if let near = names.first(where: { Self.withoutExtension($0) == near }) {
      return JobError(
        .notFound, message, hints: ["Did you mean \(file: folder.appendingPathComponent(near))?"])
    }
    if let given, !given.contains("/"),
      let near = try? PublishedCatalog.names().nearest(to: given)
    {
      return JobError(.notFound, message, hints: ["Did you mean \(near)?"])
    }
    return JobError(
      .notFound, message, hints: ["To make one: \(command: ["init"], file: url)"])
  }

  private static func withoutExtension(_ name: String) -> String {
    name.hasSuffix(".\(fileExtension)") ? String(name.dropLast(fileExtension.count + 1)) : name
  }

  /// Whether a path begins as a URL does, which would otherwise become a folder with that name.
  package static func isURL(_ path: String) -> Bool {
    path.range(of: "^[A-Za-z][A-Za-z0-9+.-]*://", options: .regularExpression) != nil
  }

  /// Runs a closure that reads catalogs; a missing file is the error of ``open(_:)``.
  package func finding<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as CatalogError where error.code == .notFound {
      if let path = error.path { _ = try open(path) }
      throw error
    }
  }

  /// The given path, else the one in the environment, else the only catalog in the nearest folder that has one, from
  /// the current folder upward to the top of its git repository.
  ///
  /// What is above a repository belongs to another project, which a command must not change by accident.
  package func locate(_ path: String?, isReading: Bool = true) throws -> URL {
    if let path = path ?? environment[Self.variable], !path.isEmpty { return resolve(path) }
    let upward = foldersUpward
    try Self.requireListing(of: upward[0])
    let top = upward.firstIndex(where: Self.isRepository) ?? upward.endIndex - 1
    for folder in upward[...top] {
      let names = try Self.catalogNames(in: folder)
      if names.count > 1 { throw Self.ambiguous(names, in: folder) }
      if let name = names.first { return folder.appendingPathComponent(name) }
    }
    let above = upward[(top + 1)...].lazy.compactMap { folder in
      (try? Self.catalogNames(in: folder))?.first.map { folder.appendingPathComponent($0).path }
    }.first
    let below = CatalogsBelow(currentFolder).paths
    let end = top < upward.endIndex - 1 ? " up to the top of its git repository" : ""
    throw JobError(
      .notFound,
      "there is no catalog (*.\(Self.fileExtension)) in this folder or a folder above it\(end)",
      hints: try PublishedCatalog.hints(isReading: isReading)
        + below.map { "To use the one below: --catalog \(ShellWord.quoted($0))" }
        + [above].compactMap(\.self).map {
          "To use the one above: --catalog \(ShellWord.quoted($0))"
        }
        + [
          "To make one here: \(command: ["init"])",
          below.isEmpty
            ? "To use one elsewhere: --catalog PATH, or set $\(Self.variable)"
            : "To use one always: export \(Self.variable)=PATH",
        ])
  }

  /// Where the catalog at the path is or was, or the one found without it, for a job that asks git about the file.
  package func locateForGit(_ path: String?) throws -> URL {
    let url = try locate(path)
    guard !FileManager.default.fileExists(atPath: url.path),
      let given = path ?? environment[Self.variable],
      let published = try PublishedCatalog(named: given)
    else { return url }
    guard !published.isReadOnly else { throw published.outsideGit() }
    return published.url
  }

  /// Whether the folder is the top of a git repository or work tree.
  private static func isRepository(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(".git").path)
  }

  /// The current folder, its parent, and so on up to the root.
  private var foldersUpward: [URL] {
    var folders = [currentFolder.standardizedFileURL]
    while let last = folders.last, last.path != "/" {
      let above = last.deletingLastPathComponent().standardizedFileURL
      // A folder without an absolute path always has a parent.
      guard above.path.hasPrefix("/"), above.path.count < last.path.count else { break }
      folders.append(above)
    }
    return folders
  }

  /// The path relative to the current folder; `~` is expanded.
  package func resolve(_ path: String) -> URL {
    URL(
      fileURLWithPath: NSString(string: path).expandingTildeInPath, relativeTo: currentFolder
    ).standardizedFileURL
  }

  /// The path for commands, to be quoted for a shell: relative if the file is below the current folder.
  package static func relativePath(_ url: URL) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return url.path.hasPrefix(folder) ? String(url.path.dropFirst(folder.count)) : url.path
  }

  /// - Throws: ``JobError`` if a name is not UTF-8, because with replacement characters it would name another
  /// file.
  package static func catalogNames(in folder: URL) throws -> [String] {
    // A folder that cannot be read has no catalog that could be opened.
    guard let stream = opendir(folder.path) else { return [] }
    defer { closedir(stream) }
    let ending = Array(".\(fileExtension)".utf8)
    var names: [String] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first != UInt8(ascii: "."), bytes.suffix(ending.count) == ending[...] else {
        continue
      }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        throw JobError(
          .unusable, "\(folder.path) has a catalog whose name is not UTF-8: \(bytes: bytes)",
          hints: ["To use another one: --catalog PATH; to use this one, rename it"])
      }
      let status = PathStatus(folder.appendingPathComponent(name).path)
      if status?.isFolder == false { names.append(name) }
    }
    return names.sorted()
  }

  /// Refuses a folder that cannot be listed: its catalog would be passed over in favour of one above it.
  private static func requireListing(of folder: URL) throws {
    if let stream = opendir(folder.path) {
      closedir(stream)
    } else if errno == EACCES || errno == EPERM {
      throw JobError(
        .inputOutput,
        "cannot look for a catalog in \(folder.path): the permissions of the folder forbid to list it",
        hints: ["To name the catalog: --catalog PATH, or set $\(variable)"])
    }
  }

  private static func ambiguous(_ names: [String], in folder: URL) -> JobError {
    JobError(
      .refused,
      "\(folder.path) has \(names.count) catalogs; choose one with --catalog or $\(variable)",
      hints: names.map {
        "  --catalog \(ShellWord.quoted(relativePath(folder.appendingPathComponent($0))))"
      })
  }
}

/// The catalogs in the folders below one, as a hint for users in a folder above the catalog.
struct CatalogsBelow {
  /// Their relative paths, the nearest first; at most a few.
  let paths: [String]

  private static let maximumCount = 3
  private static let maximumDepth = 4
  /// How many folders are read at most, so that the hint comes immediately.
  private static let maximumFolders = 400
  /// Folders of tools, which contain copies.
  private static let skipped: Set<String> = ["node_modules", "build", "DerivedData", "Pods"]

  init(_ root: URL) {
    var paths: [String] = []
    var (level, folders) = ([""], 0)
    for _ in 0...Self.maximumDepth where paths.count < Self.maximumCount {
      var next: [String] = []
      for folder in level where folders < Self.maximumFolders {
        folders += 1
        let url = root.appendingPathComponent(folder, isDirectory: true)
        // Folders that cannot be read, or have names that cannot be decoded, are skipped.
        paths += ((try? CatalogLocator.catalogNames(in: url)) ?? []).map { folder + $0 }
        next += Self.folders(in: url).map { "\(folder)\($0)/" }
      }
      level = next
    }
    self.paths = Array(paths.prefix(Self.maximumCount))
  }

  private static func folders(in folder: URL) -> [String] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
    return (entries ?? []).filter { entry in
      !skipped.contains(entry.lastPathComponent)
        && (try? entry.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }.map(\.lastPathComponent).sorted()
  }
}
