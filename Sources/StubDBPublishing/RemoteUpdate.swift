import ArgumentParser
import Foundation
import StubDBChanges
import StubDBRemote
import StubDBSupport

/// Takes a newer commit in: the working catalog first, then the lock file.
struct RemoteUpdate {
  let name: String
  let merge: RemoteMerge
  /// The keys of a new entry.
  var keys: [PublicKey] = []

  /// Merges, prints what came, and moves the lock file; ends the command with 2 if conflicts wait.
  ///
  /// - Returns: The entry that the lock file has now.
  func run(
    into working: WorkingCatalog, _ project: inout RemoteProject
  ) throws -> LockFile.Entry {
    let result = try merge.run(into: working)
    let entry = LockFile.Entry(
      url: merge.entry?.url ?? merge.remote.url.description, commit: merge.head,
      digest: result.commit.catalog, bytes: result.commit.bytes,
      path: try project.path(of: working.url), keys: merge.entry?.keys ?? keys)
    try project.set(entry, for: name)
    try Self.show(result.differences)
    let file = CatalogLocator.display(working.url)
    Console.note(
      "Merged \(merge.head.short) of \(merge.remote.url) into \(file)"
        + (result.conflicts == 0 ? "." : ", but for \(Plural.of(result.conflicts, "conflict"))."))
    if let signer = result.signer { Console.note("It is signed by \(signer.label).") }
    guard result.conflicts == 0 else {
      Console.note("To see them: \(FollowUp.command(["resolve"], catalog: working.url))")
      throw ExitCode(2)
    }
    return entry
  }

  /// Prints what changed.
  static func show(_ differences: [ScenarioDifference]) throws {
    try Console.write(DifferenceView(style: .output).text(differences))
  }
}
