import Foundation

/// Sizes of files.
enum FileSize {
  /// Whether there is a file without a byte in it, as git gives for a version that does not exist.
  static func isEmpty(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
      && (attributes?[.size] as? NSNumber)?.intValue == 0
  }
}
