package import Foundation
internal import StubDBFiles
internal import StubDBMirror

/// The files of a folder that git lists as unmerged.
package struct UnmergedFiles {
  private let git: GitCommand
  /// The objects of the versions that git holds, by path relative to the folder.
  private var versions: [String: Set<String>] = [:]

  /// Lists the files; there are none outside a repository, or without git.
  package init(in folder: URL) {
    git = GitCommand(in: folder)
    guard FileManager.default.fileExists(atPath: folder.path),
      UnmergedCatalog.isInRepository(folder),
      let list = try? git.run("ls-files", "--unmerged", "-z")
    else { return }
    for entry in list.split(separator: 0) {
      // The mode, the object, the number of the version; then the path.
      let parts = String(decoding: entry, as: UTF8.self).split(separator: "\t", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[0].split(separator: " ")
      guard words.count == 3 else { continue }
      versions[String(parts[1]), default: []].insert(String(words[1]))
    }
  }

  /// The paths relative to the folder, sorted.
  package var paths: [String] { versions.keys.sorted() }

  /// The files that are as the merge left them: with the marks of a conflict, or one of the versions as it is.
  package func untouched() -> Set<String> {
    Set(
      versions.compactMap { path, objects in
        let file = git.folder.appendingPathComponent(path)
        guard PathStatus(file.path, followingLinks: false)?.isFile == true,
          let bytes = try? Data(contentsOf: file)
        else { return nil }
        if Self.hasMarks(bytes) { return path }
        let object = try? git.line("hash-object", "--no-filters", "--", file.path)
        return object.map(objects.contains) == true ? path : nil
      })
  }

  /// The same for documents of a catalog; none while the catalog itself is not merged.
  package func leftovers(besides catalog: URL) throws -> Set<String> {
    if versions.isEmpty { return [] }
    if let catalog = try UnmergedCatalog(catalog), try !catalog.isMerged() { return [] }
    return untouched()
  }

  /// Whether a text has the lines with which git shows two versions of a place.
  private static func hasMarks(_ bytes: Data) -> Bool {
    let lines = bytes.split(separator: 0x0A)
    return ["<<<<<<< ", "=======", ">>>>>>> "].allSatisfy { mark in
      lines.contains { $0.starts(with: mark.utf8) }
    }
  }
}

extension UnmergedFiles {
  /// The mirrors of a catalog in which git lists files as unmerged, as their folders.
  package static func mirrors(of catalog: URL) -> [URL] {
    let folder = catalog.resolvingSymlinksInPath().deletingLastPathComponent()
    guard UnmergedCatalog.isInRepository(folder),
      let repository = try? GitRepository(containing: folder)
    else { return [] }
    var seen: Set<String> = []
    var mirrors: [URL] = []
    for path in UnmergedFiles(in: repository.root).paths {
      var place = path
      while let slash = place.lastIndex(of: "/") {
        place = String(place[..<slash])
        guard seen.insert(place).inserted else { break }
        let url = repository.root.appendingPathComponent(place)
        let owner = try? MirrorOwner(of: url, named: url.path)
        if let owner, owner.isMirror, !owner.isOther(than: catalog) { mirrors.append(url) }
      }
    }
    return mirrors
  }
}
