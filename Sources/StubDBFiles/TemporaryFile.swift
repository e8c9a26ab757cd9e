package import Foundation

/// Reports a step of writing a file that the system refused.
package struct FileWriteError: Error {
  package enum Step: Sendable {
    case create, write, flush, rename, link
    /// The file is written and has its name, which is not on the disk yet.
    case flushFolder
  }

  package let step: Step
  package let path: String
  /// The number of the system's error, such as `ENOSPC`.
  package let number: Int32

  /// The error of the system call that failed just now.
  package init(_ step: Step, _ path: String) {
    (self.step, self.path, number) = (step, path, errno)
  }

  /// What the system said.
  package var reason: String { String(cString: strerror(number)) }
}

/// A file that is written beside another one and then takes its place in one step, or is removed.
///
/// A reader, also one after a loss of power, sees the old file or the new one. Only its owner can read it unless it is
/// given other permissions. It is locked as long as its writer lives, which distinguishes it from the leftovers of killed
/// writers: a process id would soon belong to another process.
package final class TemporaryFile {
  package let path: String
  /// The descriptor, open and locked; -1 after it is closed.
  package private(set) var descriptor: Int32

  /// Creates an empty file with an unused name.
  ///
  /// `prefix` is what its name begins with; nil for a dot, the name of the other file and `.tmp-`.
  package init(
    beside target: String, prefix: String? = nil, permissions: mode_t = 0o600
  ) throws(FileWriteError) {
    let place = Self.place(of: target)
    let start = "\(place.folder)/\(prefix ?? place.prefix)\(getpid())-"
    while true {
      let candidate = start + UUID().uuidString.prefix(8)
      let descriptor = open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == EEXIST { continue }
        throw FileWriteError(.create, target)
      }
      // Some file systems have no locks; there the process id has to do.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        (path, self.descriptor) = (candidate, descriptor)
        return
      }
      // Another writer removed it as a leftover before it was locked.
      close(descriptor)
    }
  }

  deinit { closeDescriptor() }

  package func remove() {
    unlink(path)
    closeDescriptor()
  }

  package func write(_ data: Data) throws(FileWriteError) {
    let isWritten = data.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isWritten else { throw FileWriteError(.write, path) }
  }

  /// Brings the content to the disk and closes the file; nothing may be written to it afterwards.
  ///
  /// It is closed before it has its new name, because closing it then would drop the locks of this process on that file.
  package func finish() throws(FileWriteError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileWriteError(.flush, path) }
    closeDescriptor()
  }

  private func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Renames the file over another one in one step.
  package func rename(to target: String) throws(FileWriteError) {
    guard Foundation.rename(path, target) == 0 else { throw FileWriteError(.rename, target) }
  }

  /// Gives the file an unused name; false if the name is taken.
  package func link(to target: String) throws(FileWriteError) -> Bool {
    if Foundation.link(path, target) == 0 { return true }
    if errno == EEXIST { return false }
    // exFAT and some network file systems have no hard links.
    if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) { return try claim(target) }
    throw FileWriteError(.link, target)
  }

  /// Reserves the name with an empty file, and replaces that.
  private func claim(_ target: String) throws(FileWriteError) -> Bool {
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw FileWriteError(.link, target)
    }
    close(descriptor)
    try rename(to: target)
    return true
  }
}

extension TemporaryFile {
  /// Replaces a file in one step, and brings it to the disk.
  ///
  /// - Throws: ``FileWriteError``; of `flushFolder` the new file is there.
  package static func replace(
    _ target: String, with data: Data, permissions: mode_t
  ) throws(FileWriteError) {
    let temporary = try TemporaryFile(beside: target)
    defer { temporary.remove() }
    try temporary.write(data)
    fchmod(temporary.descriptor, permissions)
    try temporary.finish()
    try temporary.rename(to: target)
    try synchronizeFolder(of: target)
  }

  /// Brings the name of a file, which was put in its place, to the disk.
  package static func synchronizeFolder(of path: String) throws(FileWriteError) {
    let descriptor = open(place(of: path).folder, O_RDONLY | O_CLOEXEC)
    // A folder in which files may be replaced but not listed cannot be synchronized; the system does so in time.
    if descriptor < 0, errno == EACCES || errno == EPERM { return }
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || fsync(descriptor) != 0 && errno != EINVAL else { return }
    throw FileWriteError(.flushFolder, path)
  }

  /// Removes the leftovers of killed writers of a file.
  ///
  /// `path` is that of the file itself, not of a link to it. Call it only where no other machine writes, whose locks may
  /// not be seen.
  package static func removeAbandoned(beside path: String) {
    let (folder, prefix) = place(of: path)
    removeAbandoned(in: folder, beside: path) { name in
      name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : nil
    }
  }

  /// Removes the leftovers of killed merges of git in a folder: each writes beside a file of another name.
  package static func removeAbandonedMerges(in folder: String) {
    removeAbandoned(in: folder, beside: nil) { name in
      guard name.hasPrefix("..merge_file_"), let mark = name.range(of: ".tmp-") else { return nil }
      return name[mark.upperBound...]
    }
  }

  /// `id` returns what the name of a temporary file has after its prefix; nil for other files.
  private static func removeAbandoned(
    in folder: String, beside path: String?, id: (String) -> Substring?
  ) {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = all.filter { id($0) != nil }
    for name in names where !name.hasSuffix(journal) {
      let file = folder + "/" + name
      // A second name of the file is not opened, because closing it would drop the locks on it.
      let isSecondName = path.map { isSame(file, $0) } ?? false
      guard isSecondName || id(name).map({ isAbandoned(file, id: $0) }) == true else { continue }
      unlink(file)
    }
    for name in names where name.hasSuffix(journal) {
      let file = folder + "/" + name
      if access(String(file.dropLast(journal.count)), F_OK) != 0 { unlink(file) }
    }
  }

  /// The suffix of SQLite's journals.
  private static var journal: String { "-journal" }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(first, &one) == 0 && stat(second, &other) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  /// Whether a temporary file has been abandoned by its writer; `id` is what its name has after the prefix.
  package static func isAbandoned(_ path: String, id: Substring) -> Bool {
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

  private static func place(of path: String) -> (folder: String, prefix: String) {
    let url = URL(fileURLWithPath: path)
    return (url.deletingLastPathComponent().path, ".\(url.lastPathComponent).tmp-")
  }
}
