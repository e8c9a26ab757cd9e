internal import Foundation

/// A file beside the catalog that either replaces the catalog or is removed.
///
/// Only its owner can read it before it gets the catalog's permissions. It is locked as long as its writer lives, which
/// distinguishes it from the leftovers of killed writers: a process id would soon belong to another process.
final class TemporaryFile {
  let path: String
  /// The descriptor, open and locked; -1 after it is closed.
  private var descriptor: Int32

  /// Creates an empty file with an unused name.
  init(beside path: String, permissions: mode_t = 0o600) throws {
    (self.path, descriptor) = try Self.made(beside: path, permissions: permissions)
  }

  private static func made(
    beside path: String, permissions: mode_t
  ) throws -> (path: String, descriptor: Int32) {
    let (folder, prefix) = folderAndPrefix(of: path)
    while true {
      let candidate = "\(folder)/\(prefix)\(getpid())-\(UUID().uuidString.prefix(8))"
      let descriptor = open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == EEXIST { continue }
        throw failure("the catalog \(path) cannot be written", path: path)
      }
      // Some file systems have no locks; there the process id has to do.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (candidate, descriptor) }
      // Another writer removed it as a leftover before it was locked.
      close(descriptor)
    }
  }

  deinit { closeDescriptor() }

  func remove() {
    unlink(path)
    closeDescriptor()
  }

  /// Gives the file the owner, permissions and attributes of another file, and flushes it to the disk.
  ///
  /// Nothing may be written to it afterwards.
  func finish(as original: FileStatus? = nil, at originalPath: String = "") throws {
    if let original {
      fchmod(descriptor, takeOwnership(of: original))
      FileStatus.copyAttributes(of: originalPath, to: descriptor)
    }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure("\(path) could not be brought to the disk", path: path)
    }
    // Closed now, because closing it once it is the catalog would drop the locks of this process on the catalog.
    closeDescriptor()
  }

  /// Copies the owner and group of another file, and returns the permissions that fit them.
  private func takeOwnership(of original: FileStatus) -> mode_t {
    if fchown(descriptor, original.owner, original.group) == 0 { return original.permissions }
    // Only root may give a file away; otherwise the user becomes the owner, as with any replaced file.
    var status = stat()
    if fchown(descriptor, uid_t.max, original.group) == 0
      || fstat(descriptor, &status) == 0 && status.st_gid == original.group
    {
      return original.permissions
    }
    // A different group gets no more permissions than all users.
    let others = original.permissions & 0o007
    return original.permissions & ~0o070 | original.permissions & others << 3
  }

  private func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Renames the file over another one in one step.
  func rename(to target: String) throws {
    guard Foundation.rename(path, target) == 0 else {
      throw Self.failure("\(target) could not be replaced", path: target)
    }
  }

  /// Gives the file an unused name; false if the name is taken.
  func link(to target: String) throws -> Bool {
    if Foundation.link(path, target) == 0 { return true }
    if errno == EEXIST { return false }
    // exFAT and some network file systems have no hard links.
    if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) { return try claim(target) }
    throw Self.failure("\(target) could not be created", path: target)
  }

  /// Reserves the name with an empty file, and replaces that.
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

  /// Brings the name of a file, which was put in its place, to the disk.
  ///
  /// - Throws: A ``CatalogError`` that says that the file was written.
  static func synchronizeFolder(of path: String) throws {
    let folder = folderAndPrefix(of: path).folder
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    // A folder in which files may be replaced but not listed cannot be synchronized; the system does so in time.
    if descriptor < 0, errno == EACCES || errno == EPERM { return }
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || fsync(descriptor) != 0 && errno != EINVAL else { return }
    let reason = String(cString: strerror(errno))
    throw CatalogError(
      .inputOutput,
      "the catalog \(path) was written, but its folder could not be brought to the disk: \(reason); if the machine "
        + "stops now, the change may be lost", path: path)
  }

  /// Removes the leftovers of killed writers; call it only with the catalog's lock.
  ///
  /// `path` is that of the catalog itself, not of a link to it.
  static func removeAbandoned(beside path: String) {
    let (folder, prefix) = folderAndPrefix(of: path)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = all.filter { $0.hasPrefix(prefix) }
    if names.isEmpty { return }
    let catalog = FileStatus(path: path)?.identity
    for name in names where !name.hasSuffix(journal) {
      let file = folder + "/" + name
      // A second name of the catalog is not opened, because closing it would drop the lock.
      let isCatalog = catalog != nil && FileStatus(path: file)?.identity == catalog
      guard isCatalog || isAbandoned(file, id: name.dropFirst(prefix.count)) else { continue }
      unlink(file)
    }
    for name in names where name.hasSuffix(journal) {
      let file = folder + "/" + name
      if access(String(file.dropLast(journal.count)), F_OK) != 0 { unlink(file) }
    }
  }

  /// The suffix of SQLite's journals.
  private static let journal = "-journal"

  /// Whether a temporary file has been abandoned by its writer.
  private static func isAbandoned(_ path: String, id: Substring) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor >= 0 {
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno == EWOULDBLOCK { return false }
    }
    // It belongs to another user or there are no locks: it is abandoned if its process does not exist.
    guard let pid = pid_t(id.prefix { $0.isNumber }) else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
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
    let reason =
      switch errno {
      case EACCES, EPERM: "the permissions of its folder forbid it"
      default: String(cString: strerror(errno)) + "; nothing was changed"
      }
    return CatalogError(code, "\(what): \(reason)", path: path)
  }
}
