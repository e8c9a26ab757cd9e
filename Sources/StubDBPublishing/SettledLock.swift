import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBRemote

/// A lock file of whose two versions one was made, with the catalogs that git left unmerged beside it.
struct SettledLock {
  /// A catalog that is edited here, and that git lists as unmerged.
  private struct Unmerged {
    let url: URL
    let state: UnmergedCatalog
    /// Whether it had what both sides changed, before newer commits were taken in.
    let wasMerged: Bool
  }

  private let file: URL
  /// The catalogs that are edited here.
  private let edited: [URL]
  private let unmerged: [Unmerged]
  /// The catalogs of the commits that both versions named.
  private let published: Set<ObjectDigest>

  /// Looks at the catalogs before newer commits are taken into them.
  init(of project: RemoteProject, published: Set<ObjectDigest>) {
    (file, self.published) = (project.file, published)
    edited = project.lock.catalogs.sorted { $0.key < $1.key }
      .compactMap { project.working($0.value) }
    unmerged = edited.compactMap { url -> Unmerged? in
      // A catalog of which git says nothing needs no command of git.
      guard let state = try? UnmergedCatalog(url) else { return nil }
      return Unmerged(url: url, state: state, wasMerged: (try? state.isMerged()) == true)
    }
  }

  /// Prints the commands that end git's merge, in their order.
  func noteCommands() {
    for catalog in unmerged where catalog.state.isRemovedByOne {
      let keep = FollowUp.git("add", on: catalog.url)
      Console.note(
        "One branch removed \(CatalogLocator.display(catalog.url)). To keep it: \(keep)")
    }
    let others = unmerged.filter { !$0.state.isRemovedByOne }
    let halves = others.filter { !isMerged($0) }.map(\.url)
    let files = [file] + others.map(\.url)
    let add = Self.git(["add"], files)
    guard let half = halves.first else {
      let end = files.count == 1 ? "is merged" : "are merged"
      return Console.note("\(start) git that \(Self.names(files)) \(end): \(add)")
    }
    Console.note(
      "git has not merged \(Self.names(halves)): what one branch changed there, and did not push, is missing"
    )
    let commands = [
      FollowUp.command(["git", "install"]),
      Self.git(["checkout", "--merge", "--"], [file] + halves),
      FollowUp.command(["pull", "--update"], catalog: half),
    ]
    Console.note(
      "To merge by meaning, without what was edited since: \(commands.joined(separator: " && "))")
    Console.note("To commit the files as they are: \(add)")
  }

  private func isMerged(_ catalog: Unmerged) -> Bool {
    catalog.wasMerged || (try? catalog.state.isMerged(after: published)) == true
  }

  /// Conflicts of the catalogs are settled before, by a command that was printed already.
  private var start: String {
    // Whoever cannot read a catalog is told so by the command that needs it.
    let hasConflicts = edited.contains { url in
      (try? CatalogLocator().snapshot(at: url).conflicts.isEmpty) == false
    }
    return hasConflicts ? "Then, to tell" : "To tell"
  }

  private static func git(_ words: [String], _ files: [URL]) -> String {
    FollowUp.git(words + files.map { CatalogLocator.relativePath($0) })
  }

  private static func names(_ files: [URL]) -> String {
    files.map { CatalogLocator.display($0) }.joined(separator: " and ")
  }
}
