import Foundation
import StubDBChanges
import StubDBModel
import StubDBPublishing
import StubDBRemote
import StubDBSupport
import StubDBTestSupport
import Testing

/// Pushing, pulling and merging with a folder as the store.
struct PublishingTests {
  private let store: Store

  init() throws { store = try Store() }

  /// A folder that is removed at the end.
  private final class Store {
    let folder: URL
    var url: String { "file://\(folder.path)/shop" }

    init() throws { folder = try makeTemporaryFolder().resolvingSymlinksInPath() }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ digest: String, _ ending: String) -> URL {
      let name = digest.replacing("sha256:", with: "")
      return folder.appendingPathComponent(
        "objects/sha256/\(name.prefix(2))/\(name.dropFirst(2)).\(ending)")
    }

    /// Puts another commit in the place of the newest one.
    func replaceHead(_ change: (String) -> String) throws {
      let pointer = folder.appendingPathComponent("shop.json")
      let text = try String(contentsOf: pointer, encoding: .utf8)
      let old = String(try firstMatch(of: /"(sha256:[0-9a-f]{64})"/, in: text).1)
      let commit = Data(try change(String(contentsOf: path(old, "json"), encoding: .utf8)).utf8)
      let new = "sha256:" + SHA256Digest.hexadecimal(of: commit)
      let file = path(new, "json")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try commit.write(to: file)
      try Data(text.replacing(old, with: new).utf8).write(to: pointer)
    }
  }

  /// Two who edit the same catalog.
  private func two() throws -> (ada: Desk, bea: Desk) {
    let (ada, bea) = (try Desk("checkout/paid"), try Desk())
    try ada.push(store.url)
    try bea.pull(store.url, editing: true)
    return (ada, bea)
  }

  @Test func eachTakesInWhatTheOtherPushed() throws {
    let (ada, bea) = try two()
    #expect(try bea.bytes == ada.bytes && bea.lock == ada.lock)
    #expect(try ada.push().isUnchanged)
    try bea.add("orders/open")
    try ada.add("orders/closed")
    try bea.push { $0.message = "Orders" }
    try ada.push()
    guard case .merged(let merged) = try #require(ada.events.last) else {
      Issue.record("\(ada.events)")
      return
    }
    #expect(merged.differences.map(\.name.rawValue) == ["orders/open"])
    #expect(merged.conflictCount == 0 && merged.written.map(\.name.rawValue) == ["orders/open"])
    try bea.pull(updating: true)
    #expect(try bea.scenarios == ["checkout/paid", "orders/closed", "orders/open"])
    #expect(try bea.push().isUnchanged && bea.lock == ada.lock)
  }

  @Test func conflictsKeepAPushFromTheStore() throws {
    let (ada, bea) = try two()
    try ada.add("checkout/paid", "from Ada")
    try bea.add("checkout/paid", "from Bea")
    try ada.push()
    let before = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
    #expect(try bea.push().isConflict)
    #expect(Desk.problem { try bea.push() }?.contains("1 conflict to settle; nothing was") == true)
    // The newest commit has been taken in already.
    #expect(try !bea.pull(updating: true).hasConflicts)
    try ada.add("orders/open")
    let published = try ada.push().commit
    #expect(published != nil)
    #expect(try bea.pull(updating: true).hasConflicts)
    let after = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
    #expect(after.count > before.count)
  }

  @Test func twoCatalogsWithNothingInCommonAreNotMixed() throws {
    let (ada, bea) = (try Desk("checkout/paid", text: "a"), try Desk("checkout/paid", text: "b"))
    try ada.push(store.url)
    let problem = try #require(Desk.problem { try bea.push(store.url) })
    #expect(problem.contains("there is a catalog at"))
    #expect(try bea.pull(store.url, editing: true).hasConflicts)
  }

  @Test func anOlderVersionInThePlaceOfANewerOneIsReported() throws {
    let (ada, bea) = (try Desk("checkout/paid"), try Desk())
    try ada.push(store.url)
    try bea.pull(store.url)
    // Who can write to the store puts a commit of another day in the place of the newest one.
    try store.replaceHead {
      $0.replacing(/"at": ?"[^"]*"/, with: "\"at\": \"2001-01-01T00:00:00Z\"")
    }
    try bea.pull(updating: true)
    guard case .moved(let moved) = try #require(bea.events.last) else {
      Issue.record("\(bea.events)")
      return
    }
    #expect(moved.isOlder && moved.differences.isEmpty)
  }

  @Test func aLockThatWasChangedByHandIsNoticed() throws {
    let (ada, bea) = (try Desk("checkout/paid"), try Desk())
    try ada.push(store.url)
    try bea.pull(store.url)
    let text = try #require(bea.lock)
    let old = try #require(try bea.project().lock.catalogs["shop"])
    try ada.add("orders/open")
    try ada.push()
    let new = try #require(try ada.project().lock.catalogs["shop"])
    for (from, to) in [(old.commit, new.commit), (old.digest, new.digest)] {
      bea.lock = text.replacing(from.description, with: to.description)
      #expect(Desk.problem { try bea.pull() }?.contains("has the wrong digest or size") == true)
    }
    bea.lock = text.replacing("\"bytes\": ", with: "\"bytes\": 1")
    #expect(throws: (any Error).self) { try PullJob([]).requireCached(in: bea.project()) }
    bea.lock = text
    try PullJob([]).requireCached(in: bea.project())
    try bea.pull(updating: true)
    #expect(bea.lock?.contains(new.commit.description) == true)
  }

  @Test func aLockFileChoosesNoOtherFileToWrite() throws {
    let (_, bea) = try two()
    let manager = FileManager.default
    let outside = bea.folder.deletingLastPathComponent().appendingPathComponent("outside")
    try manager.createDirectory(at: outside, withIntermediateDirectories: true)
    let root = bea.folder.path + "/"
    // Folders of tools, other repositories, and links to both, which come with a branch too.
    for folder in ["sub", ".git/refs", "bare/objects", "bare/refs"] {
      try manager.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
    try Data("gitdir: ../.git/modules/sub".utf8).write(to: URL(fileURLWithPath: root + "sub/.git"))
    try Data("ref: refs/heads/main".utf8).write(to: URL(fileURLWithPath: root + "bare/HEAD"))
    for (link, target) in [
      ("link", outside.path), ("refs", ".git/refs"), ("inside", "b"),
      ("file.stubdb", "../outside/none.stubdb"), ("there.stubdb", "../outside/there.stubdb"),
    ] {
      try manager.createSymbolicLink(atPath: root + link, withDestinationPath: target)
    }
    try manager.copyItem(at: bea.catalog, to: outside.appendingPathComponent("there.stubdb"))
    let lock = try #require(bea.lock)
    for path in [
      "link/shop.stubdb", "link/new/shop.stubdb", ".bashrc", ".git/hooks/post-checkout", ".stubdb",
      "../shop.stubdb", "/tmp/shop.stubdb", "\\u001b[2Jshop.stubdb", ".git/refs/x.stubdb",
      ".GIT/x.stubdb", "a/.github/x.stubdb", "./.new/x.stubdb", "refs/x.stubdb", "sub/x.stubdb",
      "sub/new/x.stubdb", "bare/refs/x.stubdb", "file.stubdb", "there.stubdb",
    ] {
      bea.lock = lock.replacing("\"shop.stubdb\"", with: "\"\(path)\"")
      for isUpdating in [false, true] {
        #expect(Desk.problem { try bea.pull(updating: isUpdating) } != nil, "\(path)")
      }
      #expect(path == "there.stubdb" || !manager.fileExists(atPath: root + path), "\(path)")
    }
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["there.stubdb"])
    // A folder that is missing is made, and a link within the project is followed.
    for path in ["b/c/shop.stubdb", "inside/shop.stubdb"] {
      bea.lock = lock.replacing("\"shop.stubdb\"", with: "\"\(path)\"")
      try bea.pull()
      #expect(manager.fileExists(atPath: root + path))
    }
  }
}
