package import Foundation

/// The folder of an input, whose files it may refer to.
package struct InputFolder: Sendable {
  /// The folder itself, without symbolic links.
  private let root: String
  /// Folders outside of it that a user allows.
  private let allowed: [String]

  /// - Parameters:
  ///   - url: The folder.
  ///   - allowed: Other folders that may be read.
  package init(_ url: URL, allowed: [URL] = []) {
    root = Self.resolved(url)
    self.allowed = allowed.map(Self.resolved)
  }

  /// The bytes of a file that an input names by its path from a folder below this one.
  ///
  /// - Throws: ``ImportError`` for a file that is missing, too large, no regular file, or outside of the folder, also
  /// through a symbolic link.
  package func read(
    _ path: String, from folder: String = "", at place: (String) -> ImportError
  ) throws(ImportError) -> Data {
    let base = folder.isEmpty ? root : root + "/" + folder
    let url = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: base, isDirectory: true))
    let resolved = Self.resolved(url)
    guard ([root] + allowed).contains(where: { resolved == $0 || resolved.hasPrefix($0 + "/") })
    else {
      throw place(
        "the file \"\(path)\" is outside of \(root); allow its folder with --allow-files")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: resolved, isDirectory: &isFolder),
      !isFolder.boolValue
    else { throw place("the file \"\(path)\" is not in \(base)") }
    guard let handle = FileHandle(forReadingAtPath: resolved) else {
      throw place("the file \"\(path)\" cannot be read")
    }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: ImportInput.maximumByteCount) ?? Data() else {
      throw place("the file \"\(path)\" cannot be read")
    }
    return data
  }

  /// The folder that has a folder of this name in it, where this one is it or is below it; else this one.
  package func beside(_ name: String) -> InputFolder {
    let parts = root.split(separator: "/", omittingEmptySubsequences: false)
    guard let place = parts.lastIndex(of: Substring(name)) else { return self }
    return InputFolder(root: parts[..<place].joined(separator: "/"), allowed: allowed)
  }

  private init(root: String, allowed: [String]) {
    self.root = root
    self.allowed = allowed
  }

  private static func resolved(_ url: URL) -> String {
    url.standardizedFileURL.resolvingSymlinksInPath().path
  }
}
