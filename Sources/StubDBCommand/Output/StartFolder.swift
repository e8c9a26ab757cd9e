import Foundation

/// The folder in which the person stands, where `-C` made another one the current folder.
enum StartFolder {
  /// Its path; nil where the person stands in the current folder.
  @TaskLocal static var path: String?

  /// A path that was typed or that is seen from the current folder, as a program without `-C` takes it.
  static func path(to file: String) -> String {
    option.isEmpty ? file : CatalogLocator().resolve(file).path
  }

  /// `-C` with the current folder, for a command to be typed; empty where the person stands there.
  static var option: [String] {
    let current = FileManager.default.currentDirectoryPath
    guard let path, path != current else { return [] }
    let prefix = path == "/" ? path : path + "/"
    return [
      "-C",
      path != "" && current.hasPrefix(prefix) ? String(current.dropFirst(prefix.count)) : current,
    ]
  }
}
