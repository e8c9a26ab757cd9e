package import Foundation
package import StubDBCatalog
package import StubDBCatalogEditing
internal import StubDBEditing
package import StubDBModel
package import StubDBSecrets

/// Removes values from a catalog, in one edit.
package struct RedactionJob {
  /// The removed values.
  package struct Outcome {
    package var places: [SecretPlace] = []
    /// The places where a value stays, because nothing valid would be left without it.
    package var kept: [SecretPlace] = []
    /// How many values there are.
    package var count = 0
    /// The number of values that are replaced only in the places that a rule selects.
    package var shortCount = 0
    /// How many of the others are letters alone, for which the bytes outside of scenarios are not searched.
    package var wordCount = 0
  }

  private let catalog: Catalog
  private let rules: [RedactionRule]
  /// The accepted findings, which stay; nil if no findings of a scan are removed.
  private let exceptions: ExceptionsFile?
  private let progress: (_ done: Int, _ count: Int) -> Void

  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - rules: The rules that select values.
  ///   - exceptions: The findings of a scan that stay while the others are removed; nil to remove none.
  ///   - progress: Called with the number of scenarios that were searched, and with that of all.
  package init(
    catalog: Catalog, rules: [RedactionRule], findingsBesides exceptions: ExceptionsFile?,
    progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) {
    self.catalog = catalog
    self.rules = rules
    self.exceptions = exceptions
    self.progress = progress
  }

  /// The values that would be removed from a state of the catalog.
  ///
  /// - Throws: ``RedactionProblem``.
  package func outcome(in snapshot: CatalogSnapshot) throws -> Outcome {
    let names = snapshot.scenarios.map(\.name)
    let prepared = try study(names, snapshot.scenario)
    return try change(names, prepared, snapshot.scenario).outcome
  }

  /// Removes the values and proves that they are gone.
  ///
  /// - Throws: ``RedactionProblem``; after ``RedactionProblem/remainder(_:)`` the catalog has been changed.
  package func run() throws -> Outcome {
    let (outcome, prepared) = try catalog.edit { editor in
      // A conflict contains values too.
      guard try editor.conflicts().isEmpty else { throw RedactionProblem.conflicts }
      let names = try editor.scenarioNames()
      let prepared = try study(names, editor.scenario)
      let (outcome, changed) = try change(names, prepared, editor.scenario)
      // A name may have had a value in it: first all that leave, then all that come.
      for (old, scenario) in changed where old != scenario.name { try editor.removeScenario(old) }
      for (old, scenario) in changed {
        if old == scenario.name {
          try editor.replace(scenario)
        } else {
          try editor.insert(scenario)
        }
      }
      return (outcome, prepared)
    }
    let proof = RedactionProof(catalog: catalog, prepared: prepared, exceptions: exceptions)
    if let remainder = try proof.remainder(besides: outcome.kept) {
      throw RedactionProblem.remainder(remainder)
    }
    return outcome
  }

  private func study(
    _ names: [ScenarioName], _ read: (ScenarioName) throws -> Scenario?
  ) throws -> PreparedRedaction {
    var scanner = SecretScanner()
    var redactor = ScenarioRedactor(rules: rules)
    for (index, name) in names.enumerated() {
      progress(index, names.count)
      guard let scenario = try read(name) else { continue }
      let findings =
        exceptions?.sort(scanner.findings(in: scenario, number: index + 1)).findings ?? []
      do throws(RedactionTimeout) {
        try redactor.study(scenario, number: index + 1, findings: findings)
      } catch {
        throw RedactionProblem.slowRule(error)
      }
    }
    return redactor.finished()
  }

  /// The scenarios that change, with their old names.
  private func change(
    _ names: [ScenarioName], _ prepared: PreparedRedaction,
    _ read: (ScenarioName) throws -> Scenario?
  ) throws -> (outcome: Outcome, changed: [(old: ScenarioName, scenario: Scenario)]) {
    var scanner = SecretScanner()
    var outcome = Outcome(
      count: prepared.count, shortCount: prepared.shortCount, wordCount: prepared.wordCount)
    var changed: [(old: ScenarioName, scenario: Scenario)] = []
    for (index, name) in names.enumerated() {
      guard let scenario = try read(name) else { continue }
      do throws(DocumentError) {
        let known = Set(ScenarioProblems.refused(in: scenario).map(\.pointer))
        let result = try prepared.redacted(scenario, number: index + 1) { scenario in
          exceptions?.sort(scanner.findings(in: scenario, number: index + 1)).findings ?? []
        } problems: { result in
          ScenarioProblems.refused(in: result).map(\.pointer).filter { !known.contains($0) }
            .compactMap(\.self)
        }
        guard let result else { continue }
        outcome.places += result.places
        outcome.kept += result.kept
        if !result.places.isEmpty { changed.append((name, result.scenario)) }
      } catch {
        throw RedactionProblem.invalid(name, number: index + 1, error)
      }
    }
    return (outcome, changed)
  }
}

/// Why values were not removed, or not all of them.
package enum RedactionProblem: Error {
  /// A merge left conflicts in the catalog meanwhile.
  case conflicts
  case slowRule(RedactionTimeout)
  /// What is left of the scenario with this number is no valid document.
  case invalid(ScenarioName, number: Int, DocumentError)
  /// The catalog was changed, and a value may still be there.
  case remainder(RedactionProof.Remainder)
}

/// Searches for the removed values: in every scenario, in the bytes of the file, and in the files that an edit may have
/// left beside it.
package struct RedactionProof {
  /// Where values still are.
  package struct Remainder {
    /// Places in scenarios; `isKept` where nothing valid would be left without the value.
    package var places: [(place: SecretPlace, isKept: Bool)] = []
    /// Files beside the catalog that have a value.
    package var files: [URL] = []
    /// Files beside it that cannot be read, and may have one.
    package var unreadable: [URL] = []
  }

  let catalog: Catalog
  let prepared: PreparedRedaction
  let exceptions: ExceptionsFile?

  /// What is left; nil for nothing, and without places and files if only the bytes outside of scenarios have a value.
  func remainder(besides kept: [SecretPlace]) throws -> Remainder? {
    if prepared.count == 0 { return nil }
    var remainder = Remainder()
    remainder.places = try placesLeft().map { ($0, kept.contains($0)) }
    try addFiles(to: &remainder)
    guard remainder.places.isEmpty, remainder.files.isEmpty, remainder.unreadable.isEmpty else {
      return remainder
    }
    let bytes = try Data(contentsOf: catalog.url, options: .alwaysMapped)
    return prepared.isFound(in: bytes) ? remainder : nil
  }

  private func placesLeft() throws -> [SecretPlace] {
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    var scanner = SecretScanner()
    var places: [SecretPlace] = []
    for (index, summary) in snapshot.scenarios.enumerated() {
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      places += prepared.remainder(in: scenario, number: index + 1)
      let all = scanner.findings(in: scenario, number: index + 1)
      let findings = exceptions?.sort(all).findings ?? all.filter(prepared.holds)
      places += findings.map(\.place).filter { !places.contains($0) }
    }
    return places
  }

  /// Adds the files that stopped writers and other tools left beside the catalog, and beside the target of a symbolic
  /// link.
  private func addFiles(to remainder: inout Remainder) throws {
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
          if prepared.isFound(in: bytes, words: true) { remainder.files.append(file) }
        } catch CocoaError.fileReadNoSuchFile {
          // Its writer removed it in the meantime.
          continue
        } catch {
          remainder.unreadable.append(file)
        }
      }
    }
  }
}

/// The secrets of a whole catalog.
package enum CatalogScan {
  /// By scenario, and in the order of each document; `catalog` is the file, nil for bytes that are not from a file.
  package static func findings(
    in snapshot: CatalogSnapshot, of catalog: URL? = nil,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws -> [SecretFinding] {
    try snapshot.requireNoConflicts("which may contain secrets too", in: catalog)
    var scanner = SecretScanner()
    var findings: [SecretFinding] = []
    for (index, summary) in snapshot.scenarios.enumerated() {
      progress(index, snapshot.scenarios.count)
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      findings += scanner.findings(in: scenario, number: index + 1)
    }
    return findings
  }
}
