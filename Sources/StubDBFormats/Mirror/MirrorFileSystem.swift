internal import Foundation

/// The files of a mirror's folder; follows no symbolic link below it.
struct MirrorFileSystem {
  /// What a path is.
  enum Kind {
    case file
    case folder
    /// A symbolic link, a pipe, a device.
    case other
  }

  /// The path of the folder itself, which may be a link.
  let root: String

  func absolute(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

  /// What is at a path below the folder; nil for nothing.
  func kind(of path: String) -> Kind? {
    var status = stat()
    let result = path.isEmpty ? stat(root, &status) : lstat(absolute(path), &status)
    guard result == 0 else { return nil }
    switch mode_t(status.st_mode) & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a regular file; nil where there is none.
  func bytes(of path: String) throws -> Data? {
    guard kind(of: path) == .file else { return nil }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: absolute(path)))
    } catch {
      throw MirrorError("cannot read \(absolute(path)): \(Self.reason)")
    }
  }

  /// The names in a folder, sorted by bytes.
  func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: absolute(folder))
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw MirrorError("cannot read the folder \(absolute(folder)): \(Self.reason)")
    }
  }

  /// The first part of the way to a path that is something else than a folder; nil where the path
  /// can be written or read without leaving the mirror.
  func obstacle(onTheWayTo path: String) -> String? {
    var place = ""
    for segment in path.split(separator: "/").dropLast() {
      place += (place.isEmpty ? "" : "/") + segment
      if let kind = kind(of: place), kind != .folder { return place }
    }
    return nil
  }

  /// Puts bytes in the place of what a file holds, in one step.
  func write(_ bytes: Data, to path: String) throws {
    if let place = obstacle(onTheWayTo: path) {
      throw MirrorError("cannot write \(absolute(path)): \(absolute(place)) is not a folder")
    }
    let target = absolute(path)
    let folder = (target as NSString).deletingLastPathComponent
    let temporary = "\(folder)/.stubdb-tmp-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try bytes.write(to: URL(fileURLWithPath: temporary))
    } catch {
      unlink(temporary)
      throw MirrorError("cannot write \(target): \(Self.reason)")
    }
    guard rename(temporary, target) == 0 else {
      let reason = Self.reason
      unlink(temporary)
      throw MirrorError("cannot write \(target): \(reason)")
    }
  }

  /// Removes a file, and the folders that are empty without it.
  func remove(_ path: String) throws {
    guard obstacle(onTheWayTo: path) == nil, unlink(absolute(path)) == 0 || errno == ENOENT else {
      throw MirrorError("cannot remove \(absolute(path)): \(Self.reason)")
    }
    var folder = path
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      // Fails where something is left in it, which is what is wanted.
      guard rmdir(absolute(folder)) == 0 else { return }
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
