internal import Foundation

/// A file beside the catalog that becomes the catalog, or goes away.
///
/// Nobody else can read it before it has the catalog's own permissions. While its writer lives it is locked, which tells it from
/// what a killed writer left: a process id would soon be another process's.
final class TemporaryFile {
  let path: String
  /// Open and locked; -1 once it is closed.
  private var descriptor: Int32

  /// Makes an empty file with a name that nothing else uses.
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
        throw failure("\(candidate) could not be created", path: path)
      }
      // Some file systems know no locks; there the process id has to do.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (candidate, descriptor) }
      // Another writer took it for a leftover before it was locked.
      close(descriptor)
    }
  }

  deinit { closeDescriptor() }

  func remove() {
    unlink(path)
    closeDescriptor()
  }

  /// Gives the file the owner, the permissions and the attributes of another, and brings it to the disk.
  ///
  /// Nothing is written to it afterwards.
  func finish(as original: FileStatus? = nil, at originalPath: String = "") throws {
    if let original {
      fchmod(descriptor, takeOwnership(of: original))
      FileStatus.copyAttributes(of: originalPath, to: descriptor)
    }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure("\(path) could not be brought to the disk", path: path)
    }
    // Once it is the catalog, closing it would drop the locks that this process has on the catalog.
    closeDescriptor()
  }

  /// Takes the owner and the group of another file, and returns the permissions that go with what was possible.
  private func takeOwnership(of original: FileStatus) -> mode_t {
    if fchown(descriptor, original.owner, original.group) == 0 { return original.permissions }
    // Only root may give a file away; for others it stays theirs, as with any file they replace.
    var status = stat()
    if fchown(descriptor, uid_t.max, original.group) == 0
      || fstat(descriptor, &status) == 0 && status.st_gid == original.group
    {
      return original.permissions
    }
    // Another group gets no more than everybody has.
    let others = original.permissions & 0o007
    return original.permissions & ~0o070 | original.permissions & others << 3
  }

  private func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
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
  ///
  /// `path` is that of the catalog itself, no link.
  static func removeAbandoned(beside path: String) {
    let (folder, prefix) = folderAndPrefix(of: path)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = all.filter { $0.hasPrefix(prefix) }
    if names.isEmpty { return }
    let catalog = FileStatus(path: path)?.identity
    for name in names where !name.hasSuffix(journal) {
      let file = folder + "/" + name
      // A second name of the catalog is never opened: closing it would drop the lock.
      let isCatalog = catalog != nil && FileStatus(path: file)?.identity == catalog
      guard isCatalog || isAbandoned(file, id: name.dropFirst(prefix.count)) else { continue }
      unlink(file)
    }
    for name in names where name.hasSuffix(journal) {
      let file = folder + "/" + name
      if access(String(file.dropLast(journal.count)), F_OK) != 0 { unlink(file) }
    }
  }

  /// What the name of SQLite's journal ends in.
  private static let journal = "-journal"

  /// Whether nobody writes a temporary file any more.
  private static func isAbandoned(_ path: String, id: Substring) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor >= 0 {
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno == EWOULDBLOCK { return false }
    }
    // Of somebody else, or without locks: it is abandoned if there is no such process.
    guard let pid = pid_t(id.prefix { $0.isNumber }) else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
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
