package import Foundation
internal import StubDBSupport

/// The folder of an input, whose files it may refer to.
package struct InputFolder: Sendable {
  /// The folder itself, without symbolic links.
  private let root: String
  /// Folders outside of it that a user allows.
  private let allowed: [String]
  /// Whether the files of the folder itself can be read.
  private let readsOwnFiles: Bool
  /// The files of an archive, which represent the folder itself; nil for a folder on the disk.
  private var archive: ArchiveFolder?

  /// The folder that an archive is instead of, which only gives its own files and those that are allowed.
  ///
  /// `files` are contents by their paths.
  init(archive files: [String: Data], at url: URL, allowed: [URL] = []) {
    self.init(url, allowed: allowed)
    archive = ArchiveFolder(files: files, root: "")
  }

  /// - Parameters:
  ///   - url: The folder.
  ///   - allowed: Other folders that may be read.
  package init(_ url: URL, allowed: [URL] = []) {
    root = Self.resolved(url)
    readsOwnFiles = true
    self.allowed = allowed.map(Self.resolved)
  }

  /// The bytes of a file that an input names by its path from a folder below this one.
  ///
  /// - Throws: ``FormatError`` for a file that is missing, too large, no regular file, or outside of the folder, also
  /// through a symbolic link.
  package func read(
    _ path: String, from folder: String = "", at place: (String) -> FormatError
  ) throws(FormatError) -> Data {
    if readsOwnFiles, let archive, !path.hasPrefix("/") {
      return try archive.read(path, from: folder, at: place)
    }
    let base = folder.isEmpty ? root : root + "/" + folder
    let url = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: base, isDirectory: true))
    let resolved = Self.resolved(url)
    guard
      ((readsOwnFiles && archive == nil ? [root] : []) + allowed).contains(where: {
        resolved == $0 || resolved.hasPrefix($0 == "/" ? $0 : $0 + "/")
      })
    else {
      var error = place(
        readsOwnFiles
          ? "the file \"\(path)\" is outside of \(archive == nil ? root : "the archive"); allow its folder with --allow-files"
          : "the file \"\(path)\" is read only if its folder is allowed: --allow-files "
            + Self.word((resolved as NSString).deletingLastPathComponent))
      error.isRefusal = readsOwnFiles
      throw error
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    guard let attributes else { throw place("the file \"\(path)\" is not in \(base)") }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw place("\"\(path)\" is not a file")
    }
    if let size = attributes[.size] as? Int, size > ImportInput.maximumByteCount {
      throw place("the file \"\(path)\" has \(size) bytes, too many to read")
    }
    guard let handle = FileHandle(forReadingAtPath: resolved) else {
      throw place("the file \"\(path)\" cannot be read")
    }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: ImportInput.maximumByteCount) ?? Data() else {
      throw place("the file \"\(path)\" cannot be read")
    }
    return data
  }

  /// The folder `files` of a layout in which it stands beside the folder `name`, where this folder may be the one, the
  /// other's parent, or below; or where the folder `name` is on the path `directory` of an input below this folder.
  ///
  /// Only what is in it can be read, whatever else is beside it.
  package func sibling(
    _ files: String, of name: String, above directory: String = ""
  ) -> InputFolder {
    let path = directory.split(separator: "/").map(String.init)
    let place = path.lastIndex(of: name)
    if let archive {
      var folder = self
      let parents = place.map { Array(path[..<$0]) } ?? []
      folder.archive = ArchiveFolder(
        files: archive.files, root: (parents + [files, ""]).joined(separator: "/"))
      return folder
    }
    var base = root
    let parts = root.split(separator: "/", omittingEmptySubsequences: false)
    if let place, place > 0, !path[..<place].contains("..") {
      base = ([root] + path[..<place]).joined(separator: "/")
    } else if !FileManager.default.fileExists(atPath: "\(root)/\(files)"),
      let place = parts.lastIndex(of: Substring(name))
    {
      base = parts[..<place].joined(separator: "/")
    }
    return InputFolder(
      root: Self.resolved(URL(fileURLWithPath: "\(base)/\(files)")), allowed: allowed)
  }

  /// The same folder without its own files: only what a user allows can be read.
  package var allowedOnly: InputFolder {
    InputFolder(root: root, allowed: allowed, readsOwnFiles: false)
  }

  private init(root: String, allowed: [String], readsOwnFiles: Bool = true) {
    self.readsOwnFiles = readsOwnFiles
    self.root = root
    self.allowed = allowed
  }

  /// A path as a shell takes it.
  private static func word(_ path: String) -> String {
    let isPlain = path.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
    }
    return isPlain ? path : path.inShellQuotes
  }

  private static func resolved(_ url: URL) -> String {
    url.standardizedFileURL.resolvingSymlinksInPath().path
  }
}

/// The files of an archive below one of its folders.
private struct ArchiveFolder: Sendable {
  let files: [String: Data]
  /// The folder with a slash at its end; empty for the whole archive.
  let root: String

  func read(
    _ path: String, from folder: String, at place: (String) -> FormatError
  ) throws(FormatError) -> Data {
    var parts: [Substring] = []
    for part in (folder + "/" + path).split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else {
        var error = place("the file \"\(path)\" is outside of the archive")
        error.isRefusal = true
        throw error
      }
    }
    guard let data = files[root + parts.joined(separator: "/")] else {
      throw place("the file \"\(path)\" is not in the archive")
    }
    return data
  }
}
