internal import Foundation
internal import StubDBCatalog
internal import StubDBFiles

extension TemporaryFile {
  /// Gives the file the owner, permissions and attributes of another file, and brings it to the disk.
  ///
  /// Nothing may be written to it afterwards.
  func finish(as original: FileStatus, at originalPath: String) throws {
    fchmod(descriptor, takeOwnership(of: original))
    FileStatus.copyAttributes(of: originalPath, to: descriptor)
    try finish()
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
}

#if canImport(Darwin)
  extension FileStatus {
    /// Copies the extended attributes and the access list of the file at a path to an open file, as far as the system
    /// allows.
    ///
    /// They are copied by path, because closing a descriptor of the original would drop the locks on it.
    fileprivate static func copyAttributes(of path: String, to descriptor: Int32) {
      let size = listxattr(path, nil, 0, 0)
      guard size > 0 else { return }
      var list = [CChar](repeating: 0, count: size)
      guard listxattr(path, &list, size, 0) == size else { return }
      for name in list.split(separator: 0).map({ Array($0) + [0] }) {
        let count = getxattr(path, name, nil, 0, 0, 0)
        guard count >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: count)
        guard getxattr(path, name, &value, count, 0, 0) == count else { continue }
        fsetxattr(descriptor, name, value, count, 0, 0)
      }
    }
  }
#endif

extension CatalogError {
  /// The failure of writing the file of a catalog.
  init(_ error: FileWriteError) {
    let code: Code =
      switch error.number {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      default: .inputOutput
      }
    let reason =
      switch error.number {
      case EACCES, EPERM: "the permissions of its folder forbid it"
      default: error.reason + "; nothing was changed"
      }
    let path = error.path
    let message =
      switch error.step {
      case .create: "the catalog \(path) cannot be written: \(reason)"
      case .write, .flush: "\(path) could not be brought to the disk: \(reason)"
      case .rename: "\(path) could not be replaced: \(reason)"
      case .link: "\(path) could not be created: \(reason)"
      case .flushFolder:
        "the catalog \(path) was written, but its folder could not be brought to the disk: \(error.reason); if the "
          + "machine stops now, the change may be lost"
      }
    self.init(error.step == .flushFolder ? .inputOutput : code, message, path: path)
  }
}
