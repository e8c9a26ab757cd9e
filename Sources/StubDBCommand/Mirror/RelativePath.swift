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
}
