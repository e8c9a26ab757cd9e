package import Foundation

/// The catalog that a folder is a mirror of.
package struct MirrorOwner {
  package let mirror: MirrorFolder
  /// The folder.
  package let url: URL
  /// The folder's marker; nil if it is not a mirror.
  package let marker: MirrorMarker?

  /// Reads the marker of a folder, whose name in messages is `name`.
  package init(of url: URL, named name: String) throws {
    self.url = url
    mirror = MirrorFolder(at: url, name: name)
    marker = try mirror.marker()
  }

  /// Whether the folder is a mirror.
  package var isMirror: Bool { marker != nil }

  /// The catalog that the folder names; nil if it is not a mirror.
  package var catalog: URL? {
    marker.map {
      URL(fileURLWithPath: $0.catalog, relativeTo: URL(fileURLWithPath: url.path + "/"))
        .standardizedFileURL
    }
  }

  /// The marker for the mirror of a catalog.
  package func marker(for catalog: URL) -> MirrorMarker {
    MirrorMarker(catalog: Self.path(from: url, to: catalog))
  }

  /// Whether the folder is the mirror of another catalog.
  ///
  /// Symbolic links in either path make no difference.
  package func isOther(than catalog: URL) -> Bool {
    guard let marker, let own = self.catalog, marker != self.marker(for: catalog) else {
      return false
    }
    let real = url.resolvingSymlinksInPath()
    let seenFromReal = URL(
      fileURLWithPath: marker.catalog, relativeTo: URL(fileURLWithPath: real.path + "/"))
    let target = catalog.resolvingSymlinksInPath().path
    return own.resolvingSymlinksInPath().path != target
      && seenFromReal.standardizedFileURL.resolvingSymlinksInPath().path != target
  }

  /// The path of a file relative to a folder, with `..` if it is not below it.
  package static func path(from folder: URL, to file: URL) -> String {
    let start = folder.standardizedFileURL.pathComponents
    let end = file.standardizedFileURL.pathComponents
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + end[shared...]).joined(separator: "/")
  }
}
