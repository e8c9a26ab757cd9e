internal import Foundation

/// A file beside the catalog that becomes the catalog, or goes away.
struct TemporaryFile {
  let path: String

  /// A name that no other process and no other edit of this one uses.
  init(beside path: String) {
    let (folder, prefix) = Self.folderAndPrefix(of: path)
    let unique = "\(getpid())-\(UUID().uuidString.prefix(8))"
    self.path = folder + "/" + prefix + unique
  }

  func remove() {
    unlink(path)
  }

  /// Gives the file the owner and the permissions of another, and brings it to the disk.
  func synchronize(as original: FileStatus? = nil) throws {
    if let original {
      // Only root may give a file away; for others it stays theirs, as with any file they replace.
      if original.owner != geteuid() || original.group != getegid() {
        _ = chown(path, original.owner, original.group)
      }
      chmod(path, original.permissions)
    }
    try Self.synchronize(path, flags: O_RDWR)
  }

  /// Puts the file in the place of another in one step.
  func rename(to target: String) throws {
    guard Foundation.rename(path, target) == 0 else {
      throw Self.failure("\(target) could not be replaced", path: target)
    }
  }

  /// Gives the file a name that nothing has yet; false where something has it.
  func link(to target: String) throws -> Bool {
    if Foundation.link(path, target) == 0 { return true }
    if errno == EEXIST { return false }
    // exFAT and some network file systems have no hard links.
    if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) { return try claim(target) }
    throw Self.failure("\(target) could not be created", path: target)
  }

  /// Takes the name with an empty file, and puts this one in its place.
  private func claim(_ target: String) throws -> Bool {
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw Self.failure("\(target) could not be created", path: target)
    }
    close(descriptor)
    try rename(to: target)
    return true
  }

  static func synchronizeFolder(of path: String) throws {
    try synchronize(folderAndPrefix(of: path).folder, flags: O_RDONLY)
  }

  /// Removes what writers left that were killed; only for whoever holds the catalog's lock.
  static func removeAbandoned(beside path: String) {
    let (folder, prefix) = folderAndPrefix(of: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let pid = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let pid = pid_t(pid), kill(pid, 0) != 0, errno == ESRCH else { continue }
      unlink(folder + "/" + name)
    }
  }

  private static func synchronize(_ path: String, flags: Int32) throws {
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw failure("\(path) could not be opened", path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw failure("\(path) could not be brought to the disk", path: path)
    }
  }

  private static func folderAndPrefix(of path: String) -> (folder: String, prefix: String) {
    let url = URL(fileURLWithPath: path)
    return (url.deletingLastPathComponent().path, ".\(url.lastPathComponent).tmp-")
  }

  private static func failure(_ what: String, path: String) -> CatalogError {
    let code: CatalogError.Code =
      switch errno {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      default: .inputOutput
      }
    let reason = String(cString: strerror(errno))
    return CatalogError(code, "\(what): \(reason); the catalog is as it was", path: path)
  }
}
