import Foundation
import StubDBCatalog

/// The catalog of a test.
enum CatalogReference: Sendable {
  /// An open one.
  case value(Catalog)
  /// One that the test names by a path.
  case path(CatalogLookup)

  init(path: String, sourceFile: String, bundle: Bundle? = nil) {
    let resources = bundle.map { $0.resourceURL ?? $0.bundleURL }
    self = .path(CatalogLookup(path: path, sourceFile: sourceFile, resources: resources))
  }

  /// Opens the catalog.
  ///
  /// - Throws: `CatalogError` if no file is found, or if the file is not a catalog.
  func open() throws(CatalogError) -> Catalog {
    switch self {
    case .value(let catalog): catalog
    case .path(let lookup): try lookup.open()
    }
  }
}

/// Finds the catalog that a test names by a path.
///
/// A relative path is looked up in the folder of the test's source file, then in each folder above it, then in the
/// resources of the loaded bundles: the file is in the first place during development, and in the second on a device.
/// With a bundle, it is looked up in the resources of that bundle and nowhere else.
struct CatalogLookup {
  /// The path that the test gives.
  let path: String
  /// The source file of the test.
  let sourceFile: String
  /// The folder with the resources of the bundle that the test names.
  var resources: URL?

  /// Opens the catalog.
  ///
  /// - Throws: `CatalogError` if no file is found, or if the file is not a catalog.
  func open() throws(CatalogError) -> Catalog {
    let candidates = candidates()
    guard let found = candidates.first(where: Self.isFile) else {
      if let resources { throw missing("in the bundle \(resources.path)", candidates) }
      if !hasSources {
        throw missing("of the tests, whose sources are not on this machine", inResources())
      }
      throw CatalogError(
        .notFound,
        """
        There is no catalog "\(path)". Give a path relative to a folder above the test's source file, \
        or add the file to the resources of the test target. It was looked for here:
        \(candidates.map { "  " + $0.path }.joined(separator: "\n"))\(Self.others(besides: candidates))
        """, path: path)
    }
    return try Catalog(contentsOf: found)
  }

  /// Whether the path is relative to sources that are here: they are not on a device, or beside a bundle that was copied.
  private var hasSources: Bool {
    let folder = URL(fileURLWithPath: sourceFile).deletingLastPathComponent()
    return path.hasPrefix("/") || FileManager.default.fileExists(atPath: folder.path)
  }

  private func missing(_ place: String, _ candidates: [URL]) -> CatalogError {
    CatalogError(
      .notFound,
      """
      There is no resource "\(path)" \(place). In Package.swift, the test target needs: \
      resources: [.copy("\(path)")], with the path from the target's folder. In an Xcode project, add the file to \
      the test target's Copy Bundle Resources. It was looked for here:
      \(candidates.map { "  " + $0.path }.joined(separator: "\n"))\(Self.others(besides: candidates))
      """, path: path)
  }

  /// The catalogs in the folders that were looked into, as the end of the message; empty if there are none.
  private static func others(besides candidates: [URL]) -> String {
    let found = candidates.flatMap { candidate in
      // A folder that cannot be read has no catalog to name.
      let entries = try? FileManager.default.contentsOfDirectory(
        at: candidate.deletingLastPathComponent(), includingPropertiesForKeys: nil,
        options: .skipsHiddenFiles)
      return (entries ?? []).filter { $0.pathExtension == "stubdb" }.map(\.path).sorted()
    }
    guard !found.isEmpty else { return "" }
    return "\nThese catalogs are there:\n"
      + found.prefix(3).map { "  " + $0 }.joined(separator: "\n")
  }

  /// The places where the catalog may be, the first that exists counts.
  func candidates() -> [URL] {
    guard !path.hasPrefix("/") else { return [URL(fileURLWithPath: path)] }
    guard let resources else { return besideSource() + inResources() }
    return named(in: [resources])
  }

  private func besideSource() -> [URL] {
    var folder = URL(fileURLWithPath: sourceFile).deletingLastPathComponent().standardizedFileURL
    var found: [URL] = []
    while true {
      found.append(folder.appendingPathComponent(path))
      let parent = folder.deletingLastPathComponent()
      guard parent.path != folder.path, folder.path != "/" else { return found }
      folder = parent
    }
  }

  private func inResources() -> [URL] {
    var folders: [URL] = []
    for bundle in Bundle.allBundles {
      if let resources = bundle.resourceURL { folders.append(resources) }
    }
    // SwiftPM puts the resources of a target into a bundle beside the program, or into the test bundle.
    for folder in folders + [Bundle.main.bundleURL] { folders += Self.bundles(in: folder) }
    return named(in: folders)
  }

  private func named(in folders: [URL]) -> [URL] {
    let name = URL(fileURLWithPath: path).lastPathComponent
    var seen: Set<String> = []
    return
      folders
      // With `.process`, and with a group of Xcode, a resource loses its folder.
      .flatMap { [$0.appendingPathComponent(path), $0.appendingPathComponent(name)] }
      .filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  private static func bundles(in folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (entries ?? []).sorted()
      .filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
      .map { folder.appendingPathComponent($0) }
  }

  private static func isFile(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
