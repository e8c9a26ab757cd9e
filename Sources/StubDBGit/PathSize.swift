package import Foundation

/// Sizes of files.
package enum PathSize {
  /// Whether a folder is at a path, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Nil if there is no file; a folder is none.
  package static func bytes(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if attributes?[.type] as? FileAttributeType == .typeDirectory { return nil }
    return (attributes?[.size] as? NSNumber)?.intValue
  }

  /// Whether the file exists and is empty, as git passes it for a version that does not exist.
  package static func isEmpty(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeRegular && bytes(of: url.path) == 0
  }
}
