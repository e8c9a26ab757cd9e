import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// Removes values from a catalog, in one edit.
struct RedactionJob {
  /// The removed values.
  struct Outcome {
    var places: [SecretPlace] = []
    /// The places where a value stays, because nothing valid would be left without it.
    var kept: [SecretPlace] = []
    /// How many values there are.
    var count = 0
    /// The number of values that are replaced only in the places that a rule selects.
    var shortCount = 0
    /// How many of the others are letters alone, for which the bytes outside of scenarios are not searched.
    var wordCount = 0
  }

  let catalog: Catalog
  let rules: [RedactionRule]
  /// Whether the findings of a scan are removed; accepted findings stay.
  let hasFindings: Bool

  /// Removes the values and proves that they are gone; a dry run only lists their places.
  func run(dryRun: Bool) throws -> Outcome {
    // A conflict contains values too; the snapshot has the best error for that.
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    try snapshot.requireNoConflicts("which contain values too", in: catalog.url)
    if dryRun {
      let names = snapshot.scenarios.map(\.name)
      let prepared = try study(names, snapshot.scenario)
      return try change(names, prepared, snapshot.scenario).outcome
    }
    var prepared: PreparedRedaction?
    let outcome = try catalog.edit { editor in
      guard try editor.conflicts().isEmpty else {
        throw CommandError(
          "\(CatalogLocator.display(catalog.url)) got conflicts of a merge in the meantime, which contain "
            + "values too",
          hints: ["To see and settle them first: \(FollowUp.command("resolve", in: catalog))"])
      }
      let names = try editor.scenarioNames()
      let study = try study(names, editor.scenario)
      prepared = study
      let (outcome, changed) = try change(names, study, editor.scenario)
      // A name may have had a value in it: first all that leave, then all that come.
      for (old, scenario) in changed where old != scenario.name { try editor.removeScenario(old) }
      for (old, scenario) in changed {
        if old == scenario.name {
          try editor.replace(scenario)
        } else {
          try editor.insert(scenario)
        }
      }
      return outcome
    }
    if let prepared {
      try RedactionProof(
        catalog: catalog, prepared: prepared, hasFindings: hasFindings, kept: outcome.kept
      ).check()
    }
    return outcome
  }

  private func study(
    _ names: [ScenarioName], _ read: (ScenarioName) throws -> Scenario?
  ) throws -> PreparedRedaction {
    let progress = ProgressLine("Looking")
    defer { progress.end() }
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    var redactor = ScenarioRedactor(rules: rules)
    for (index, name) in names.enumerated() {
      progress.show(index, of: names.count, "scenario")
      guard let scenario = try read(name) else { continue }
      let findings =
        hasFindings
        ? exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings : []
      do throws(RedactionTimeout) {
        try redactor.study(scenario, number: index + 1, findings: findings)
      } catch {
        throw CommandError(
          "\(TerminalText.quoted(error.rule)) takes too long on \(FindingView.place(error.place)); "
            + "nothing was changed",
          hints: ["Do not nest repetitions: a+b in place of (a+)+b, .*x in place of (.*)*x"])
      }
    }
    return redactor.finished()
  }

  /// The scenarios that change, with their old names.
  private func change(
    _ names: [ScenarioName], _ prepared: PreparedRedaction,
    _ read: (ScenarioName) throws -> Scenario?
  ) throws -> (outcome: Outcome, changed: [(old: ScenarioName, scenario: Scenario)]) {
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    var outcome = Outcome(
      count: prepared.count, shortCount: prepared.shortCount, wordCount: prepared.wordCount)
    var changed: [(old: ScenarioName, scenario: Scenario)] = []
    for (index, name) in names.enumerated() {
      guard let scenario = try read(name) else { continue }
      do throws(DocumentError) {
        let known = Set(ScenarioProblems.refused(in: scenario).map(\.pointer))
        let result = try prepared.redacted(scenario, number: index + 1) { scenario in
          guard hasFindings else { return [] }
          return exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings
        } problems: { result in
          ScenarioProblems.refused(in: result).map(\.pointer).filter { !known.contains($0) }
            .compactMap(\.self)
        }
        guard let result else { continue }
        outcome.places += result.places
        outcome.kept += result.kept
        if !result.places.isEmpty { changed.append((name, result.scenario)) }
      } catch {
        throw CommandError(
          "nothing was changed: without the values the scenario \(index + 1) is not valid: "
            + "\(error.pointer): \(error.message)",
          hints: [
            "Choose rules that leave this place alone, or change it first: "
              + FollowUp.command("edit", on: [name.rawValue], catalog: catalog.url)
          ])
      }
    }
    return (outcome, changed)
  }
}

/// Searches for the removed values: in every scenario, in the bytes of the file, and in the files that an edit may have
/// left beside it.
struct RedactionProof {
  let catalog: Catalog
  let prepared: PreparedRedaction
  let hasFindings: Bool
  /// The places that were left as they are, because nothing valid would be left.
  let kept: [SecretPlace]

  /// - Throws: `CommandError` with every place that still contains one of the values.
  func check() throws {
    if prepared.count == 0 { return }
    let places = try placesLeft()
    let files = try filesLeft()
    let name = CatalogLocator.display(catalog.url)
    if places.isEmpty, files.holding.isEmpty, files.unreadable.isEmpty {
      let bytes = try Data(contentsOf: catalog.url, options: .alwaysMapped)
      guard prepared.isFound(in: bytes) else { return }
      throw CommandError(
        "\(name) was redacted, but its bytes still contain one of the values outside all scenarios",
        hints: ["To see whether it is whole: \(FollowUp.command("check", in: catalog))"])
    }
    var hints = places.map { place in
      kept.contains(place)
        ? "Left as it is, because nothing valid would be left of it: \(FindingView.place(place))"
        : "Still there: \(FindingView.place(place))"
    }
    if let scenario = places.first(where: { !$0.scenario.hasPrefix("<") })?.scenario {
      hints.append(
        "To change that by hand: \(FollowUp.command("edit", on: [scenario], catalog: catalog.url))")
    }
    for file in files.holding {
      hints.append(
        "Left by a program that was stopped: rm \(ShellWord.quoted(StartFolder.path(to: file)))")
    }
    for file in files.unreadable {
      hints.append("Cannot be read, so it may contain one: \(ShellWord.quoted(file))")
    }
    let problem =
      if !places.isEmpty {
        "it still contains one of the values"
      } else if !files.holding.isEmpty {
        "files beside it still contain one of the values"
      } else {
        "files beside it cannot be read and may still contain one of the values"
      }
    throw CommandError("\(name) was redacted, but \(problem)", hints: hints)
  }

  private func placesLeft() throws -> [SecretPlace] {
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    var places: [SecretPlace] = []
    for (index, summary) in snapshot.scenarios.enumerated() {
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      places += prepared.remainder(in: scenario, number: index + 1)
      let all = scanner.findings(in: scenario, number: index + 1)
      let findings = hasFindings ? exceptions.sort(all).findings : all.filter(prepared.holds)
      places += findings.map(\.place).filter { !places.contains($0) }
    }
    return places
  }

  /// The files that stopped writers and other tools left beside the catalog, and beside the target of a symbolic link:
  /// those that contain one of the values, and those that cannot be read.
  private func filesLeft() throws -> (holding: [String], unreadable: [String]) {
    var (holding, unreadable): ([String], [String]) = ([], [])
    for url in Set([catalog.url.standardizedFileURL, catalog.url.resolvingSymlinksInPath()]) {
      let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      for other in names.sorted()
      where other.hasPrefix(".\(name).tmp-")
        || ["-journal", "-wal", "-shm"].contains(where: { other == name + $0 })
      {
        let file = folder.appendingPathComponent(other)
        do {
          let bytes = try Data(contentsOf: file, options: .alwaysMapped)
          if prepared.isFound(in: bytes, words: true) {
            holding.append(CatalogLocator.relativePath(file))
          }
        } catch CocoaError.fileReadNoSuchFile {
          // Its writer removed it in the meantime.
          continue
        } catch {
          unreadable.append(CatalogLocator.relativePath(file))
        }
      }
    }
    return (holding, unreadable)
  }
}
