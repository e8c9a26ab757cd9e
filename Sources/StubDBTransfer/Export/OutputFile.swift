package import Foundation
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// A file that is written where a user says.
package struct OutputFile {
  /// The path as it was given.
  package let path: String
  private let url: URL

  package init(_ path: String, at url: URL) { (self.path, self.url) = (path, url) }

  /// - Throws: `JobError` if the file is one that the command reads or writes itself.
  package func requireOther(than files: [URL]) throws {
    guard let same = files.first(where: { Self.isSame($0, url) }) else { return }
    throw JobError(
      .refused,
      "\(quoted: path) would be written over \"\(file: same)\", which this command works with; nothing was written"
    )
  }

  /// Throws if a file is there that is no catalog, which may be a person's work.
  package func requireNoOtherThanCatalog() throws {
    guard let content, !content.isEmpty, !content.starts(with: "SQLite format 3\0".utf8) else {
      return
    }
    throw JobError(
      .refused, "\(quoted: path) is there and is no catalog; nothing was written",
      hints: ["To replace it, remove it first"])
  }

  /// Throws if a file with other content is there, which may be a person's work.
  package func requireNoOther(than content: Data) throws {
    guard hasOther(than: content) else { return }
    throw JobError(
      .refused, "\(quoted: path) is there with other content; nothing was written",
      hints: ["To replace it, remove it first"])
  }

  /// What the file contains; nil if there is no file, or none that can be read.
  package var content: Data? {
    let target = url.resolvingSymlinksInPath()
    return Self.type(of: target) == .typeRegular ? try? Data(contentsOf: target) : nil
  }

  /// Whether there is a file with other content, which may be a person's work.
  package func hasOther(than content: Data) -> Bool {
    let target = url.resolvingSymlinksInPath()
    guard Self.type(of: target) == .typeRegular else { return false }
    guard let before = try? Data(contentsOf: target) else { return true }
    return !before.isEmpty && before != content
  }

  /// Writes the file whole or not at all; a device or a pipe gets the content, and a symbolic link stays one.
  ///
  /// - Throws: `JobError` if it cannot be written.
  package func write(_ content: Data) throws {
    do {
      // What /dev/stdout leads to may have no path of its own.
      let target = Self.isPipe(url) ? url : url.resolvingSymlinksInPath()
      switch Self.isPipe(url) ? .typeUnknown : Self.type(of: target) {
      case nil, .typeRegular, .typeDirectory: try content.write(to: target, options: .atomic)
      case .typeSymbolicLink: throw CocoaError(.fileNoSuchFile)
      default:
        // Replaced by a file, a device would be gone for every program.
        let handle = try FileHandle(forWritingTo: target)
        defer { try? handle.close() }
        try handle.write(contentsOf: content)
      }
    } catch {
      throw JobError(
        .inputOutput, "cannot write \(quoted: path): \(FileFailure.writing(error))")
    }
  }

  private static func isPipe(_ url: URL) -> Bool {
    PathStatus(url.path)?.isPipe == true
  }

  /// The type of what is at a path; nil if there is nothing.
  private static func type(of url: URL) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
  }

  /// Whether two paths lead to one file, also by links, or would once it is there.
  private static func isSame(_ left: URL, _ right: URL) -> Bool {
    let (left, right) = (left.resolvingSymlinksInPath(), right.resolvingSymlinksInPath())
    if left.standardizedFileURL.path == right.standardizedFileURL.path { return true }
    guard let first = PathStatus(left.path) else { return false }
    return first.file == PathStatus(right.path)?.file
  }
}
