import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBMirror
import StubDBModel
import StubDBPublishing
import StubDBSupport
import StubDBTransfer

/// Updates the mirror of a catalog, or lists how it differs, and says what to type next.
struct CatalogMirror {
  private let folder: String
  private let catalog: Catalog
  private let unmerged: UnmergedFiles
  private let job: MirrorJob
  private let progress = ProgressLine("Comparing")

  init(_ folder: String, of catalog: Catalog) throws {
    (self.folder, self.catalog) = (folder, catalog)
    let url = CatalogLocator().resolve(folder)
    let unmerged = UnmergedFiles(in: url)
    self.unmerged = unmerged
    let earlier = EarlierCatalogs(of: catalog.url)
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    try snapshot.requireNoConflicts("documents cannot say both versions", in: catalog.url)
    job = MirrorJob(
      try MirrorOwner(of: url, named: folder), of: catalog.url, snapshot,
      history: MirrorJob.History(
        isEarlier: earlier.give, leftovers: { try unmerged.leftovers(besides: catalog.url) })
    ) { [progress] in progress.show($0, of: $1, "scenario") }
  }

  /// Lists the differences; exits with 2 if there are any.
  func check(json: Bool) throws {
    let comparison = try rendering { try job.check() }
    let report = MirrorReport(folder: folder, catalog: name)
    if json {
      try Console.write(OrderedJSON.array(comparison.differences.map(\.json)).text)
    } else {
      for line in report.lines(comparison.differences) { try Console.line(line) }
    }
    for path in comparison.foreign { Console.note("Not part of the mirror: \(shown(path))") }
    guard comparison.differences.isEmpty else {
      Console.note(report.summary(comparison.differences))
      let hasEdits = try job.hasEdits(comparison)
      Console.note("To write the catalog's side: \(hasEdits ? command("--force") : command())")
      if comparison.isReadable {
        Console.note("To take the documents' side: \(command("--from-text"))")
      }
      throw ExitCode(2)
    }
    if !json {
      Console.note("\(TerminalText.line(folder)) is in step with \(name): \(scenarioCount).")
    }
  }

  /// A file of the mirror, whose name may come from elsewhere.
  private func shown(_ path: String) -> String { TerminalText.line("\(folder)/\(path)") }

  /// Writes the files that differ.
  func update(overwriting: Bool) throws {
    let (changes, foreign) = try rendering { try job.update(overwriting: overwriting) }
    for (word, paths) in [
      ("added", changes.added), ("updated", changes.updated), ("removed", changes.removed),
    ] {
      for path in paths { try Console.line("\(word)  \(shown(path))") }
    }
    for path in foreign {
      Console.note("Left alone, not part of the mirror: \(shown(path))")
    }
    let state =
      changes.isEmpty
      ? "was already in step with \(name)." : "is in step with \(name): \(scenarioCount)."
    Console.note("\(TerminalText.line(folder)) \(state)")
    noteUnmerged(besides: foreign)
  }

  private var scenarioCount: String { Plural.of(job.snapshot.scenarios.count, "scenario") }

  /// Says how to tell git that the folder is merged, unless other files in it are not.
  private func noteUnmerged(besides foreign: [String]) {
    guard let first = unmerged.paths.first, !unmerged.paths.contains(where: foreign.contains)
    else { return }
    let (name, folderName) = (shown(first), TerminalText.line(folder))
    let files = unmerged.paths.count == 1 ? name : "\(unmerged.paths.count) files of \(folderName)"
    Console.note("git lists \(files) as unmerged until you type: \(FollowUp.git(["add", folder]))")
  }

  private func rendering<Value>(_ body: () throws -> Value) throws -> Value {
    defer { progress.end() }
    do {
      return try body()
    } catch let problem as MirrorProblem {
      throw problem.error(for: job.owner, of: catalog.url)
    }
  }

  private func command(_ options: String...) -> String {
    FollowUp.command(["mirror", folder] + options, catalog: catalog.url)
  }

  private var name: String { TerminalText.path(catalog.url) }
}

/// Differences between a mirror and its catalog as text.
private struct MirrorReport {
  let folder: String
  let catalog: String

  func lines(_ differences: [MirrorDifference]) -> [String] {
    differences.flatMap { difference in
      [heading(difference)] + difference.details.map { "  " + TerminalText.line($0) }
    }
  }

  func summary(_ differences: [MirrorDifference]) -> String {
    "\(TerminalText.line(folder)) is not in step with \(catalog): \(Plural.of(differences.count, "difference"))."
  }

  private func heading(_ difference: MirrorDifference) -> String {
    let path = TerminalText.line("\(folder)/\(difference.path)")
    let text = Style.output.bold(difference.scenario?.rawValue ?? path)
    return switch difference.kind {
    case .missing: "\(text): only in the catalog; \(path) is missing"
    case .surplus: "\(text): only in the folder, in \(path)"
    case .changed: "\(text): \(path) differs"
    case .unreadable: "\(text): cannot be read"
    }
  }
}
