import ArgumentParser
import Foundation
import StubDBChanges
import StubDBFiles
import StubDBGit
import StubDBJobs
import StubDBPublishing
import StubDBSupport

/// Merges three files for git, into the second one; git calls it.
///
/// https://git-scm.com/docs/gitattributes#_defining_a_custom_merge_driver
struct GitMergeDriver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver",
    abstract: "Merge for git: base, ours, theirs and the path; git calls it.",
    shouldDisplay: false)

  /// Reports failure rather than conflicts to git, which then stops and leaves everything unchanged.
  private static let failure: Int32 = 129
  /// The length of git's markers unless `.gitattributes` gives another one.
  private static let usualMarkerSize = 7

  @Argument(help: "The common ancestor; an empty file if there is none.")
  var base: String

  @Argument(help: "Our version, which becomes the result.")
  var ours: String

  @Argument(help: "Their version.")
  var theirs: String

  @Argument(help: "The path of the catalog in the repository.")
  var path: String

  @Argument(help: "The length of the markers that git would write into a text.")
  var markerSize: Int?

  func run() throws {
    let locator = CatalogLocator()
    let name = TerminalText.line(path)
    let argument = GitCommand.callerPath(ofHookIn: locator.currentFolder, to: path)
    let conflicts: [Conflict]
    do {
      let (target, other) = (locator.resolve(ours), locator.resolve(theirs))
      TemporaryFile.removeAbandonedMerges(in: target.deletingLastPathComponent().path)
      let record = DriverRecord(git: .asInherited())
      // Before the merge, which writes to our file.
      let entry = try? record.entry(for: target, other)
      var merger = CatalogMerger(base: locator.resolve(base), ours: target, theirs: other)
      merger.isOfBases = isOfBases
      let merged = try merger.merge(into: target)
      for note in UnplayableView.lines(ofMerged: merged.written) { Console.note(note) }
      conflicts = merged.conflicts
      // Without the record, as in a folder that cannot be written to, `check` decides by the content.
      if let entry { try? record.add(entry) }
      DamageNote.showAfterMerge(
        into: target, name: name, check: "stubdb check --catalog \(ShellWord.quoted(argument))")
    } catch {
      Console.note("stubdb cannot merge \(name): \(ErrorText.message(for: error))")
      throw ExitCode(Self.failure)
    }
    guard !conflicts.isEmpty else { return }
    for conflict in conflicts {
      Console.note("CONFLICT (stubdb): \(name): \(TerminalText.line(conflict.description))")
    }
    // Both sides may have settled them since.
    let see = isOfBases ? "To see what is left of them after the merge" : "To see them"
    Console.note("\(see): stubdb resolve --catalog \(ShellWord.quoted(argument))")
    throw ExitCode(1)
  }

  /// Whether git merges two common ancestors first, of branches that were merged in both directions.
  ///
  /// Git passes it as longer markers only: by two for each level. One or three more are those of renamed files.
  private var isOfBases: Bool {
    let length = (markerSize ?? Self.usualMarkerSize) - Self.usualMarkerSize
    return length == 2 || length > 3
  }
}
