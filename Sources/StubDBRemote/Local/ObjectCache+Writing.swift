package import Foundation
internal import StubDBSupport

extension ObjectCache {
  /// Keeps bytes in memory as an object, and returns its name.
  @discardableResult
  package func insert(_ data: Data) throws(RemoteError) -> ObjectDigest {
    let digest = ObjectDigest(of: data)
    if try file(digest) == nil {
      try writing(digest) {
        try DurableFile.write(data, to: $0, permissions: Self.filePermissions)
      }
    }
    return digest
  }

  /// The file of an object, which the closure downloads if the cache does not have it.
  ///
  /// The closure gets a file to append to, which may have the beginning of the object from an earlier try, and says
  /// whether there is such an object. Of several processes one downloads, and the others wait for it. What does not have
  /// the digest is never given its name; it is fetched once more, because its beginning may have been damaged.
  package func file(
    _ digest: ObjectDigest, downloading download: (URL) throws(RemoteError) -> Bool
  ) throws(RemoteError) -> URL? {
    if let file = try file(digest) { return file }
    var found: URL?
    try writing(digest) { target in
      let part = target.appendingPathExtension("part")
      found = try FileLock.holding(part, isOwn: true, permissions: 0o600) {
        try fetch(digest, into: part, target, download)
      }
    }
    return found
  }

  private func fetch(
    _ digest: ObjectDigest, into part: URL, _ target: URL,
    _ download: (URL) throws(RemoteError) -> Bool
  ) throws -> URL? {
    if let file = try file(digest) {
      unlink(part.path)
      return file
    }
    for _ in 0..<2 {
      let isResumed = FileTimes(part.path)?.bytes != 0
      guard try download(part) else {
        unlink(part.path)
        return nil
      }
      if try ObjectDigest(ofFile: part) == digest {
        chmod(part.path, Self.filePermissions)
        try DurableFile.rename(part, to: target)
        return target
      }
      truncate(part.path, 0)
      if !isResumed { break }
    }
    throw RemoteError(
      .damaged, "what was downloaded as \(digest) has another digest; it was not used")
  }

  private func writing(
    _ digest: ObjectDigest, _ body: (URL) throws -> Void
  ) throws(RemoteError) {
    let target = url(digest)
    do {
      try makeFolder(target.deletingLastPathComponent())
      try body(target)
    } catch let error as RemoteError {
      throw error
    } catch {
      throw unwritable(error)
    }
  }

  /// A catalog that is published may be one that only its user can read.
  static var filePermissions: mode_t { 0o400 }

  /// Makes a folder of the cache, and those above it, for the user only.
  func makeFolder(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Takes from others what an earlier version let them read.
  ///
  /// The folder of the cache itself may be one that was made for several users; what is below it is this user's. A cache
  /// that belongs to another user stays as it is.
  package func tighten() {
    for name in ["sha256", "signatures", "locks"] {
      let path = folder.appendingPathComponent(name).path
      var status = stat()
      guard lstat(path, &status) == 0, mode_t(status.st_mode) & S_IFMT == S_IFDIR,
        status.st_uid == geteuid(), mode_t(status.st_mode) & 0o077 != 0
      else { continue }
      chmod(path, 0o700)
    }
  }

  /// The error for a file of the cache that cannot be written.
  func unwritable(_ error: any Error) -> RemoteError {
    RemoteError(
      .inputOutput, "cannot write to the cache \(folder.path): \(error.localizedDescription)",
      hints: ["To use another folder: export \(Self.variable)=PATH"])
  }
}

extension ObjectCache {
  /// An object of the cache.
  package struct Entry: Hashable, Sendable {
    package var digest: ObjectDigest
    package var bytes: Int
    /// When it was last asked for.
    package var lastUse: Date
  }

  /// All objects, by digest.
  package func entries() -> [Entry] {
    files().compactMap { file in
      guard let digest = Self.digest(of: file), let status = FileTimes(file.path) else {
        return nil
      }
      return Entry(digest: digest, bytes: status.bytes, lastUse: status.changed)
    }.sorted { $0.digest < $1.digest }
  }

  /// Removes objects, and unfinished downloads, that were last used before a date; none of those to be kept.
  ///
  /// - Returns: How many files were removed, and their bytes.
  package func prune(
    unusedSince date: Date, keeping kept: Set<ObjectDigest> = []
  ) -> (files: Int, bytes: Int) {
    var removed = (files: 0, bytes: 0)
    for file in files() {
      guard let status = FileTimes(file.path), status.changed < date,
        !(Self.digest(of: file).map(kept.contains) ?? false), unlink(file.path) == 0
      else { continue }
      removed = (removed.files + 1, removed.bytes + status.bytes)
    }
    return removed
  }

  private func files() -> [URL] {
    let manager = FileManager.default
    let folders =
      (try? manager.contentsOfDirectory(at: objects, includingPropertiesForKeys: nil)) ?? []
    return folders.flatMap {
      (try? manager.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
    }
  }

  /// Nil for a file that is no object.
  private static func digest(of file: URL) -> ObjectDigest? {
    ObjectDigest(
      hexadecimal: file.deletingLastPathComponent().lastPathComponent + file.lastPathComponent)
  }
}

/// The size of a file, and when it was last changed.
private struct FileTimes {
  let bytes: Int
  let changed: Date

  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
    else { return nil }
    (bytes, changed) = (size.intValue, date)
  }
}

extension ObjectCache {
  /// Runs a closure while no other process with this cache does so for the same file.
  ///
  /// The lock is a file of the cache, so that no project gets one; it ends with its process.
  package func exclusively<Value>(for file: URL, _ body: () throws -> Value) throws -> Value {
    let locks = folder.appendingPathComponent("locks", isDirectory: true)
    let path = file.resolvingSymlinksInPath().path
    do {
      try makeFolder(locks)
    } catch {
      throw unwritable(error)
    }
    let name = SHA256Digest.hexadecimal(of: Data(path.utf8))
    return try FileLock.holding(locks.appendingPathComponent(name), permissions: 0o600, body)
  }
}

extension ObjectCache {
  /// The verified file of an object; nil if the cache does not have it.
  ///
  /// A file whose bytes are not those of its name is removed, as if it had not been there; so is a link, since another
  /// user may write to what it leads to.
  package func file(_ digest: ObjectDigest) throws(RemoteError) -> URL? {
    let file = url(digest)
    guard let isFile = Self.isFile(file) else { return nil }
    guard isFile, try ObjectDigest(ofFile: file) == digest else {
      unlink(file.path)
      return nil
    }
    // The last use, for those who prune; a cache of another user stays as it is.
    utimes(file.path, nil)
    return file
  }
}
