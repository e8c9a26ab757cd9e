package import Foundation
internal import StubDBFiles
internal import StubDBSupport

/// A folder, also one that several machines have mounted.
///
/// A content is written beside its place and gets its name in one step. A pointer is compared and replaced under a lock,
/// so that a file system without locks (`flock`) must not be written to from several machines.
package struct FolderStore: RemoteStore {
  /// How many bytes may be compared before they are replaced; pointers and signatures have far fewer.
  private static let largestReplaced = 1 << 20
  private static let piece = 1 << 20

  package let folder: URL

  package init(_ folder: URL) {
    self.folder = folder
  }

  package func impossibleVersion() -> StoreVersion { StoreVersion("") }

  package func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent? {
    guard let data = try content(of: url(key), limit: limit) else { return nil }
    return StoredContent(data: data, version: Self.version(of: data))
  }

  package func download(
    _ key: String, to file: URL, limit: Int, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    // There is nothing to resume: the content is at hand.
    let content: Data?
    do throws(RemoteError) {
      content = try self.content(of: url(key), limit: limit)
    } catch {
      if error.code == .damaged { unlink(file.path) }
      throw error
    }
    guard let data = content else { return false }
    do {
      try data.write(to: file)
    } catch {
      throw RemoteError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
    }
    progress(data.count)
    return true
  }

  package func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    let target = url(key)
    do {
      let data =
        switch source {
        case .data(let data): data
        case .file(let file, _): try Data(contentsOf: file, options: .alwaysMapped)
        }
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      switch condition {
      case .isAbsent: return try create(target, data)
      case .isVersion(let version): return try replace(target, data, expecting: version)
      case .none:
        try DurableFile.write(data, to: target)
        return .written
      }
    } catch let error as RemoteError {
      throw error
    } catch {
      throw RemoteError(
        .inputOutput, "cannot write \(target.path): \(FileFailure.writing(error))")
    }
  }

  private func create(_ target: URL, _ data: Data) throws -> WriteOutcome {
    if FileManager.default.fileExists(atPath: target.path) { return .refused }
    return try locked {
      if FileManager.default.fileExists(atPath: target.path) { return .refused }
      try DurableFile.write(data, to: target)
      return .written
    }
  }

  private func replace(
    _ target: URL, _ data: Data, expecting version: StoreVersion
  ) throws -> WriteOutcome {
    try locked {
      guard let present = try content(of: target, limit: Self.largestReplaced),
        Self.version(of: present) == version
      else { return .refused }
      try DurableFile.write(data, to: target)
      return .written
    }
  }

  /// Runs a closure while no other writer of this folder does.
  private func locked(_ body: () throws -> WriteOutcome) throws -> WriteOutcome {
    try FileLock.holding(folder.appendingPathComponent(".stubdb-lock"), body)
  }

  package func size(of key: String) throws(RemoteError) -> StoredSize {
    let path = url(key).path
    guard let status = PathStatus(path) else {
      if errno == ENOENT || errno == ENOTDIR { return .missing }
      throw RemoteError(.inputOutput, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    return status.isFile ? .bytes(status.byteCount) : .missing
  }

  package func keys(prefix: String) throws(RemoteError) -> [String] {
    // Only folders below the last slash can have such keys.
    let inner = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let paths = FileManager.default.enumerator(atPath: url(inner).path)
    var keys: [String] = []
    while let path = paths?.nextObject() as? String {
      if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
      let key = inner.isEmpty ? path : inner + "/" + path
      if key.hasPrefix(prefix), !url(key).hasFolder { keys.append(key) }
    }
    return keys.sorted()
  }

  /// Nil if there is no such file, also because the folder itself is missing.
  ///
  /// No more is read than the limit and one byte: a link may lead to a device that never ends.
  private func content(of file: URL, limit: Int) throws(RemoteError) -> Data? {
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw RemoteError(
        .inputOutput, "cannot read \(file.path): \(String(cString: strerror(errno)))")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, mode_t(status.st_mode) & S_IFMT == S_IFREG else {
      throw RemoteError(.damaged, "\(file.path) is no regular file; it was not read")
    }
    var data = Data()
    do {
      while data.count <= limit,
        let piece = try handle.read(upToCount: max(1, min(Self.piece, limit - data.count))),
        !piece.isEmpty
      {
        data += piece
      }
    } catch {
      throw RemoteError(.inputOutput, "cannot read \(file.path): \(error.localizedDescription)")
    }
    guard data.count <= limit else { throw .tooLong(file.path, limit: limit) }
    return data
  }

  private func url(_ key: String) -> URL {
    key.isEmpty ? folder : folder.appendingPathComponent(key)
  }

  private static func version(of data: Data) -> StoreVersion {
    StoreVersion(SHA256Digest.hexadecimal(of: data))
  }
}

extension URL {
  fileprivate var hasFolder: Bool {
    (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
  }
}
