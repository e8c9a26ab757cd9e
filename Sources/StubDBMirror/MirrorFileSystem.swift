internal import Foundation
internal import StubDBFiles
internal import StubDBSupport

/// The files in a mirror's folder; does not follow symbolic links in it.
struct MirrorFileSystem {
  /// The kind of an entry.
  enum Kind {
    case file
    case folder
    /// A symbolic link, a pipe, a device.
    case other
  }

  /// The largest body that a catalog can contain; larger documents are refused too.
  private static let largestFile = 1 << 30
  /// The prefix of files that are being written.
  static let temporaryPrefix = ".stubdb-tmp-"

  /// The path of the folder itself, which may be a symbolic link.
  let root: String

  func absolute(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

  /// The kind of the entry at a path in the folder; nil if nothing is there.
  func kind(of path: String) -> Kind? {
    PathStatus(absolute(path), followingLinks: path.isEmpty).map { status in
      status.isFile ? .file : status.isFolder ? .folder : .other
    }
  }

  /// The content of a regular file, or nil.
  ///
  /// - Throws: ``MirrorError`` for a file too large for any catalog, before it is read: a sparse file of many gigabytes
  /// takes no space on the disk.
  func bytes(of path: String) throws -> Data? {
    guard let size = byteCount(of: path) else { return nil }
    guard size <= Self.largestFile else {
      throw MirrorError(
        "\(absolute(path)) has \(size) bytes, and a file of a mirror has at most "
          + "\(Self.largestFile); move it out of the folder")
    }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: absolute(path)))
    } catch {
      throw MirrorError("cannot read \(absolute(path)): \(Self.reason)")
    }
  }

  /// The size of a regular file, or nil.
  func byteCount(of path: String) -> Int? {
    guard let status = PathStatus(absolute(path), followingLinks: false), status.isFile else {
      return nil
    }
    return status.byteCount
  }

  /// The names in a folder, sorted by bytes.
  ///
  /// - Throws: ``MirrorError`` for a name that is not UTF-8, because it could neither be shown nor be used to open the
  /// file.
  func names(in folder: String) throws -> [String] {
    guard let stream = opendir(absolute(folder)) else {
      throw MirrorError("cannot read the folder \(absolute(folder)): \(Self.reason)")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let bytes = Self.name(of: entry)
      guard let name = String(strictUTF8: bytes) else {
        let shown = bytes.map {
          $0 < 0x80 ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16)
        }
        throw MirrorError(
          "cannot read the folder \(absolute(folder)): the name of \(shown.joined()) is not UTF-8; "
            + "rename the file or move it out of the folder")
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The bytes of an entry's name, without the terminating zero.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> Data {
    // Accessed through the pointer, because an entry may be longer than its declared type.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry) + offset
    return Data(bytes: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
  }

  /// The first part of the path that is not a folder; nil if the path can be read or written without leaving the
  /// mirror.
  func obstacle(onTheWayTo path: String) -> String? {
    var place = ""
    for segment in path.pathSegments.dropLast() {
      place += (place.isEmpty ? "" : "/") + segment
      if let kind = kind(of: place), kind != .folder { return place }
    }
    return nil
  }

  /// Throws if the path has anything but a regular file, such as a symbolic link, or leads through one.
  func checkWritable(_ path: String) throws {
    if let place = obstacle(onTheWayTo: path) {
      throw MirrorError(
        "cannot write \(absolute(path)): \(absolute(place)) is not a folder; move it away first")
    }
    switch kind(of: path) {
    case nil, .file: return
    case .folder:
      throw MirrorError("cannot write \(absolute(path)): it is a folder; move it away first")
    case .other:
      throw MirrorError(
        "cannot write \(absolute(path)): it is a symbolic link or no file, which a mirror does not "
          + "replace; remove it first")
    }
  }

  /// Replaces the content of a file in one step.
  ///
  /// An existing file keeps its permissions.
  func write(_ bytes: Data, to path: String) throws {
    try checkWritable(path)
    let target = absolute(path)
    let folder = (target as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw MirrorError("cannot write \(target): \(Self.reason)")
    }
    var status = stat()
    let permissions = lstat(target, &status) == 0 ? mode_t(status.st_mode) & 0o7777 : nil
    do throws(FileWriteError) {
      // Not brought to the disk one by one: the next run compares all files anyway.
      let temporary = try TemporaryFile(
        beside: target, prefix: Self.temporaryPrefix,
        permissions: permissions == nil ? 0o666 : 0o600)
      defer { temporary.remove() }
      try temporary.write(bytes)
      if let permissions { fchmod(temporary.descriptor, permissions) }
      try temporary.rename(to: target)
    } catch {
      throw MirrorError("cannot write \(target): \(error.reason)")
    }
  }

  /// Removes the leftover of a killed process.
  func removeAbandoned(_ path: String) {
    guard byteCount(of: path) != nil else { return }
    let name = (path as NSString).lastPathComponent.dropFirst(Self.temporaryPrefix.count)
    if TemporaryFile.isAbandoned(absolute(path), id: name) { unlink(absolute(path)) }
  }

  /// Removes a file, and the folders that become empty.
  func remove(_ path: String) throws {
    guard obstacle(onTheWayTo: path) == nil, unlink(absolute(path)) == 0 || errno == ENOENT else {
      throw MirrorError("cannot remove \(absolute(path)): \(Self.reason)")
    }
    var folder = path
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      // Fails if the folder is not empty, as intended.
      guard rmdir(absolute(folder)) == 0 else { return }
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
