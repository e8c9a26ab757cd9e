import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBMirror

/// The catalog that a folder is a mirror of.
struct MirrorOwner {
  /// The folder as given.
  let folder: String
  /// The folder's marker; nil if it is not a mirror.
  private let marker: MirrorMarker?

  init(of mirror: MirrorFolder, folder: String) throws {
    self.folder = folder
    marker = try mirror.marker()
  }

  /// Whether the folder is a mirror.
  var isMirror: Bool { marker != nil }

  /// The catalog that the folder names; nil if it is not a mirror.
  var catalog: URL? {
    marker.map {
      URL(fileURLWithPath: $0.catalog, relativeTo: CatalogLocator().resolve(folder + "/"))
        .standardizedFileURL
    }
  }

  /// The marker for the mirror of a catalog.
  func marker(for catalog: URL) -> MirrorMarker {
    MirrorMarker(catalog: RelativePath.from(CatalogLocator().resolve(folder), to: catalog))
  }

  /// Whether the folder is the mirror of another catalog.
  ///
  /// Symbolic links in either path make no difference.
  func isOther(than catalog: URL) -> Bool {
    guard let marker, let own = self.catalog, marker != self.marker(for: catalog) else {
      return false
    }
    let real = CatalogLocator().resolve(folder).resolvingSymlinksInPath()
    let seenFromReal = URL(
      fileURLWithPath: marker.catalog, relativeTo: URL(fileURLWithPath: real.path + "/"))
    let target = catalog.resolvingSymlinksInPath().path
    return own.resolvingSymlinksInPath().path != target
      && seenFromReal.standardizedFileURL.resolvingSymlinksInPath().path != target
  }

  /// Throws if writing would replace the documents of another catalog.
  func refuseWriting(_ catalog: URL) throws {
    guard isOther(than: catalog) else { return }
    let name = CatalogLocator.display(catalog)
    throw CommandError(
      problem(with: catalog),
      hints: [
        "To make it one of \(name): \(command("--force", catalog))",
        "To mirror both: give each a folder of its own",
      ])
  }

  /// Throws if the documents belong to another catalog, because this catalog's scenarios would be removed.
  func refuseReading(into catalog: URL) throws {
    guard isOther(than: catalog), let own = self.catalog else { return }
    let name = CatalogLocator.display(catalog)
    var hints = ["To take the documents into their own catalog: \(command("--from-text", own))"]
    if !FileManager.default.fileExists(atPath: own.path) {
      let file = ShellWord.quoted(
        StartFolder.path(to: folder + "/" + MirrorMarker.fileName))
      hints = [
        "If \(name) has another name since: rm \(file) && \(command("--from-text", catalog))"
      ]
    }
    throw CommandError(
      problem(with: catalog) + "; the scenarios of \(name) would be lost, so it was not changed",
      hints: hints + ["To write the documents of \(name) there: \(command("--force", catalog))"])
  }

  private func problem(with catalog: URL) -> String {
    "\(folder) is a mirror of \(marker?.catalog ?? "") (seen from the folder), "
      + "not of \(CatalogLocator.display(catalog))"
  }

  private func command(_ flag: String, _ catalog: URL) -> String {
    "\(FollowUp.program) mirror \(ShellWord.quoted(folder)) \(flag) --catalog "
      + ShellWord.quoted(CatalogLocator.relativePath(catalog))
  }
}

/// Paths of files relative to another folder.
enum RelativePath {
  /// The path of a file relative to a folder, with `..` if it is not below it.
  static func from(_ folder: URL, to file: URL) -> String {
    let start = folder.standardizedFileURL.pathComponents
    let end = file.standardizedFileURL.pathComponents
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + end[shared...]).joined(separator: "/")
  }

  /// The path of a repository's file relative to the folder where git was called, for a hook.
  ///
  /// Git starts hooks in the top folder and passes that folder in `GIT_PREFIX`.
  static func fromCaller(ofHookIn root: URL, to path: String) -> String {
    let prefix = ProcessInfo.processInfo.environment["GIT_PREFIX"] ?? ""
    return from(
      root.appendingPathComponent(prefix, isDirectory: true), to: root.appendingPathComponent(path))
  }
}
