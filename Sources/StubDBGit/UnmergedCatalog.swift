package import Foundation
internal import StubDBCatalogEditing
internal import StubDBChanges
package import StubDBLock
internal import StubDBModel

/// A catalog that git lists as unmerged although the file has no conflicts.
///
/// Without the merge driver git leaves one version in the file, as of any binary file: nothing in it
/// shows that the other one is missing.
package struct UnmergedCatalog {
  private let catalog: URL
  private let git: GitCommand
  /// The objects of the versions that git holds: 1 is the common ancestor, 2 ours, 3 theirs.
  ///
  /// A version without the file is missing.
  private let versions: [String: String]

  /// Nil if the catalog is not in a repository, there is no git, or git lists the file as merged.
  package init?(_ catalog: URL) throws {
    let file = catalog.resolvingSymlinksInPath()
    let folder = file.deletingLastPathComponent()
    guard Self.isInRepository(folder), (try? GitRepository(containing: folder)) != nil
    else { return nil }
    git = GitCommand(in: folder)
    let list = try git.run(
      "ls-files", "--unmerged", "-z", "--", ":(literal)" + file.lastPathComponent)
    if list.isEmpty { return nil }
    self.catalog = catalog
    // The mode, the object, the number of the version; then the path.
    let entries = list.split(separator: 0).map { entry in
      String(decoding: entry, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }.filter { $0.count > 3 }
    versions = Dictionary(entries.map { ($0[2], $0[1]) }) { first, _ in first }
  }

  /// What git waits for.
  package enum State: Sendable {
    /// A branch removed the file, and the other one changed it.
    case removedByOne
    /// The file has what both sides changed.
    case merged
    /// The file may have only one of the two versions.
    case notMerged
  }

  package func state() throws -> State {
    isRemovedByOne ? .removedByOne : try isMerged() ? .merged : .notMerged
  }

  /// Whether one branch removed the file, which the other one changed.
  package var isRemovedByOne: Bool { versions["2"] == nil || versions["3"] == nil }

  /// Whether the file, which git lists as unmerged, has what both sides changed.
  package func isMerged() throws -> Bool {
    guard let ours = versions["2"], let theirs = versions["3"] else { return false }
    return try isMerged(ours, theirs)
  }

  /// The same after published commits were taken into a file that was not merged.
  ///
  /// A side that is one of the versions in `published` came with them. The differences of another side have not been
  /// seen by anyone.
  package func isMerged(after published: Set<ObjectDigest>) throws -> Bool {
    guard let ours = versions["2"], let theirs = versions["3"] else { return false }
    return try isMerged(ours, theirs, after: published)
  }

  /// Whether the merge driver has run, or the file has everything that either side changed.
  ///
  /// Whether the clone is set up does not count: it may have been set up since, or by the merge itself. A version that
  /// cannot be read counts as not merged.
  private func isMerged(
    _ ours: String, _ theirs: String, after published: Set<ObjectDigest>? = nil
  ) throws -> Bool {
    if try DriverRecord(git: git).contains(ours, theirs) { return true }
    do {
      let bytes = try Data(contentsOf: catalog)
      let current = CatalogScenarios(try CatalogSnapshot(bytes: bytes, name: catalog.path))
      let base: any ScenarioSource & Sendable = try versions["1"].map(source) ?? NoScenarios()
      // A file that equals one version is no decision against the other one.
      let isDecided =
        try published == nil && ![ours, theirs].contains { try self.bytes(of: $0) == bytes }
      return try [theirs, ours].allSatisfy { side in
        if let published, try published.contains(ObjectDigest(of: self.bytes(of: side))) {
          return true
        }
        let merged = try CatalogMerge.merge(base: base, ours: current, theirs: source(side))
        return try merged.removed.isEmpty && (merged.conflicts.isEmpty || isDecided)
          && merged.written.allSatisfy { try $0 == current.existing($0.name) }
      }
    } catch {
      return false
    }
  }

  private func bytes(of object: String) throws -> Data {
    try git.run("cat-file", "blob", object)
  }

  private func source(_ object: String) throws -> any ScenarioSource & Sendable {
    let bytes = try bytes(of: object)
    return bytes.isEmpty
      ? NoScenarios() : CatalogScenarios(try CatalogSnapshot(bytes: bytes, name: object))
  }

  /// Whether a folder above has a repository: without one there is no need to start git.
  package static func isInRepository(_ folder: URL) -> Bool {
    if ProcessInfo.processInfo.environment["GIT_DIR"] != nil { return true }
    var path = folder.standardizedFileURL.path
    while path.hasPrefix("/") {
      if FileManager.default.fileExists(atPath: path + "/.git") { return true }
      if path == "/" { return false }
      path = NSString(string: path).deletingLastPathComponent
    }
    return false
  }
}

extension CatalogScenarios {
  /// The scenario; nil if the catalog does not have it.
  fileprivate func existing(_ name: ScenarioName) throws -> Scenario? {
    try entries.contains { $0.name == name } ? scenario(named: name) : nil
  }
}

/// The last merges of this working tree that the merge driver has done, in a file in git's folder.
///
/// Git itself remembers only that a file is unmerged, not whether that is because of conflicts or because no one
/// merged it; and a conflict that was settled with our version leaves no trace in the catalog.
package struct DriverRecord {
  private static let maximumCount = 100

  private let git: GitCommand

  package init(git: GitCommand) {
    self.git = git
  }

  /// Whether the driver has merged these two objects.
  func contains(_ ours: String, _ theirs: String) throws -> Bool {
    try lines().contains("\(ours) \(theirs)")
  }

  /// The entry for a merge of two files, which must still be as git passed them.
  package func entry(for ours: URL, _ theirs: URL) throws -> String {
    let output = try git.run("hash-object", "--no-filters", "--", ours.path, theirs.path)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }

  package func add(_ entry: String) throws {
    let lines = try lines().filter { $0 != entry }.suffix(Self.maximumCount - 1) + [entry]
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file(), options: .atomic)
  }

  private func lines() throws -> [String] {
    let file = try file()
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func file() throws -> URL {
    let path = try git.line("rev-parse", "--git-path", "stubdb-merges")
    return path.hasPrefix("/")
      ? URL(fileURLWithPath: path) : git.folder.appendingPathComponent(path)
  }
}
