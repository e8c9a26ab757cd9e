import Foundation

/// Paths of files as another folder sees them.
enum RelativePath {
  /// The path of a file from a folder, with `..` where it is not below it.
  static func from(_ folder: URL, to file: URL) -> String {
    let start = folder.standardizedFileURL.pathComponents
    let end = file.standardizedFileURL.pathComponents
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + end[shared...]).joined(separator: "/")
  }

  /// The path of a file of the repository from the folder in which git was called, for a hook.
  ///
  /// git starts hooks in the top folder, and says in `GIT_PREFIX` from where.
  static func fromCaller(ofHookIn root: URL, to path: String) -> String {
    let prefix = ProcessInfo.processInfo.environment["GIT_PREFIX"] ?? ""
    return from(
      root.appendingPathComponent(prefix, isDirectory: true), to: root.appendingPathComponent(path))
  }
}
