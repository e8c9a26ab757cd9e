import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJSON
import StubDBMirror
import StubDBModel

/// Updates a mirror, or lists how it differs from its catalog.
struct MirrorJob {
  private let mirror: MirrorFolder
  private let folder: String
  private let catalog: Catalog
  private let snapshot: CatalogSnapshot
  private let earlier: EarlierCatalogs
  private let unmerged: UnmergedFiles

  init(mirror: MirrorFolder, folder: String, catalog: Catalog) throws {
    self.mirror = mirror
    self.folder = folder
    self.catalog = catalog
    snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    earlier = EarlierCatalogs(of: catalog.url)
    unmerged = UnmergedFiles(in: CatalogLocator().resolve(folder))
    try snapshot.requireNoConflicts("documents cannot say both versions", in: catalog.url)
  }

  /// Lists the differences; exits with 2 if there are any.
  func check(json: Bool) throws {
    guard try mirror.marker() != nil else { throw notAMirror() }
    try MirrorOwner(of: mirror, folder: folder).refuseWriting(catalog.url)
    let comparison = try compare()
    let report = MirrorReport(folder: folder, catalog: name)
    if json {
      try Console.write(report.json(comparison.differences).text)
    } else {
      for line in report.lines(comparison.differences) { try Console.line(line) }
    }
    for path in comparison.foreign { Console.note("Not part of the mirror: \(folder)/\(path)") }
    guard comparison.differences.isEmpty else {
      Console.note(report.summary(comparison.differences))
      let hasEdits = try mirror.hasEdits(
        comparison, leftovers: unmerged.leftovers(besides: catalog.url), isEarlier: earlier.give)
      Console.note("To write the catalog's side: \(hasEdits ? command("--force") : command())")
      if comparison.isReadable {
        Console.note("To take the documents' side: \(command("--from-text"))")
      }
      throw ExitCode(2)
    }
    if json { return }
    Console.note(
      "\(folder) is in step with \(name): \(Plural.of(snapshot.scenarios.count, "scenario")).")
  }

  /// Writes the files that differ.
  func update(overwriting: Bool) throws {
    let owner = try MirrorOwner(of: mirror, folder: folder)
    if !overwriting { try owner.refuseWriting(catalog.url) }
    let comparison = try compare()
    if !owner.isMirror, !overwriting { try refuseForeignFiles(comparison) }
    if owner.isMirror, !overwriting { try refuseEmptying(comparison) }
    let changes: MirrorChanges
    do {
      changes = try mirror.write(
        comparison, marker: owner.marker(for: catalog.url), overwriting: overwriting,
        leftovers: unmerged.leftovers(besides: catalog.url), isEarlier: earlier.give
      ) { try snapshot.scenario(named: $0) }
    } catch let edits as MirrorEdits {
      throw refused(edits, comparison)
    }
    try report(changes, comparison)
  }

  /// The error for edits that would be lost.
  private func refused(_ edits: MirrorEdits, _ comparison: MirrorComparison) -> CommandError {
    var hints = ["To see what they say: \(command("--check"))"]
    if comparison.isReadable {
      hints.append("To take them into the catalog: \(command("--from-text"))")
    }
    return CommandError(
      "nothing was written: \(edits)", hints: hints + ["To write over them: \(command("--force"))"])
  }

  private func report(_ changes: MirrorChanges, _ comparison: MirrorComparison) throws {
    for (word, paths) in [
      ("added", changes.added), ("updated", changes.updated), ("removed", changes.removed),
    ] {
      for path in paths { try Console.line("\(word)  \(TerminalText.line("\(folder)/\(path)"))") }
    }
    for path in comparison.foreign {
      Console.note("Left alone, not part of the mirror: \(TerminalText.line("\(folder)/\(path)"))")
    }
    Console.note(
      changes.isEmpty
        ? "\(folder) was already in step with \(name)."
        : "\(folder) is in step with \(name): "
          + Plural.of(snapshot.scenarios.count, "scenario") + ".")
    noteUnmerged(besides: comparison.foreign)
  }

  /// Says how to tell git that the folder is merged, unless other files in it are not.
  private func noteUnmerged(besides foreign: [String]) {
    guard let first = unmerged.paths.first, !unmerged.paths.contains(where: foreign.contains)
    else { return }
    let name = TerminalText.line("\(folder)/\(first)")
    let files = unmerged.paths.count == 1 ? name : "\(unmerged.paths.count) files of \(folder)"
    Console.note("git lists \(files) as unmerged until you type: \(FollowUp.git(["add", folder]))")
  }

  /// Throws if the folder, which is not a mirror, contains files that no mirror of the catalog has.
  private func refuseForeignFiles(_ comparison: MirrorComparison) throws {
    let documents = comparison.differences.filter { $0.kind == .surplus || $0.kind == .unreadable }
      .map(\.path)
    let paths = (documents + comparison.foreign).sorted()
    guard let first = paths.first else { return }
    let others = paths.count > 1 ? " and \(Plural.of(paths.count - 1, "other file"))" : ""
    var hints = ["Give the mirror a folder of its own, such as: \(command(in: ownFolder))"]
    if documents.isEmpty {
      hints.append("To write beside them: \(command("--force"))")
    }
    throw CommandError(
      "nothing was written: \(folder) is not a mirror, and contains \(TerminalText.line(first))\(others)",
      hints: hints)
  }

  /// Throws if all documents would be removed: a catalog that has nothing is more often a mistake than what was meant.
  private func refuseEmptying(_ comparison: MirrorComparison) throws {
    let documents = comparison.differences.filter { $0.kind == .surplus }
    guard snapshot.scenarios.isEmpty, !documents.isEmpty else { return }
    let count =
      documents.count == 1
      ? "the only document" : "all \(Plural.of(documents.count, "document"))"
    throw CommandError(
      "nothing was written: \(name) has no scenarios, and \(count) of \(folder) "
        + "would be removed",
      hints: [
        "To have the documents in the catalog: \(command("--from-text"))",
        "To remove them: \(command("--force"))",
      ])
  }

  /// A folder named after the catalog.
  private var ownFolder: String {
    catalog.url.deletingPathExtension().lastPathComponent + "-stubs"
  }

  /// The error for a folder without a marker; names a mirror of this name in a folder above.
  private func notAMirror() -> CommandError {
    let locator = CatalogLocator()
    let files = FileManager.default
    var (above, path) = (locator.currentFolder.standardizedFileURL, folder)
    while !folder.hasPrefix("/"), above.path != "/" {
      above.deleteLastPathComponent()
      path = "../" + path
      let marker = above.appendingPathComponent(folder + "/" + MirrorMarker.fileName)
      if files.fileExists(atPath: marker.path) {
        return CommandError(
          "there is no mirror \(folder) in this folder",
          hints: ["There is one above it: \(command("--check", in: path))"])
      }
    }
    // A mirror is not made among other files.
    let here = locator.resolve(folder).path
    let isFree = (try? files.contentsOfDirectory(atPath: here))?.isEmpty ?? true
    return CommandError(
      "\(folder) is not a mirror of a catalog",
      hints: [isFree ? "To make it one: \(command())" : "To make one: \(command(in: ownFolder))"])
  }

  private func command(_ options: String..., in other: String? = nil) -> String {
    FollowUp.command(["mirror", other ?? folder] + options, catalog: catalog.url)
  }

  private var name: String { CatalogLocator.display(catalog.url) }

  private func compare() throws -> MirrorComparison {
    let progress = ProgressLine("Comparing")
    defer { progress.end() }
    var done = 0
    return try mirror.compare(snapshot.scenarios.map(\.name)) { name in
      progress.show(done, of: snapshot.scenarios.count, "scenario")
      done += 1
      return try snapshot.scenario(named: name)
    }
  }
}

/// Differences between a mirror and its catalog as text.
struct MirrorReport {
  let folder: String
  let catalog: String

  func lines(_ differences: [MirrorDifference]) -> [String] {
    differences.flatMap { difference in
      [heading(difference)] + details(difference).map { "  " + TerminalText.line($0) }
    }
  }

  func json(_ differences: [MirrorDifference]) -> OrderedJSON {
    .array(
      differences.map { difference in
        .object([
          ("scenario", .string(difference.scenario?.rawValue)),
          ("path", .string(difference.path)),
          ("difference", .string(difference.kind.rawValue)),
          ("details", .strings(difference.details)),
        ])
      })
  }

  func summary(_ differences: [MirrorDifference]) -> String {
    "\(folder) is not in step with \(catalog): \(Plural.of(differences.count, "difference"))."
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

  private func details(_ difference: MirrorDifference) -> [String] {
    difference.details
  }
}
