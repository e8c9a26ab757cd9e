package import Foundation

/// Paths of files relative to another folder.
package enum RelativePath {
  /// The path of a file relative to a folder, with `..` if it is not below it.
  package static func from(_ folder: URL, to file: URL) -> String {
    let start = folder.standardizedFileURL.pathComponents
    let end = file.standardizedFileURL.pathComponents
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + end[shared...]).joined(separator: "/")
  }

  /// The path of a repository's file relative to the folder where git was called, for a hook.
  ///
  /// Git starts hooks in the top folder and passes that folder in `GIT_PREFIX`.
  package static func fromCaller(ofHookIn root: URL, to path: String) -> String {
    let prefix = ProcessInfo.processInfo.environment["GIT_PREFIX"] ?? ""
    return from(
      root.appendingPathComponent(prefix, isDirectory: true), to: root.appendingPathComponent(path))
  }
}
