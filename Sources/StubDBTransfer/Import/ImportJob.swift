import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBSupport

/// Imports files into a catalog, in one edit.
struct ImportJob {
  let catalog: Catalog
  let options: ImportOptions
  let output: ImportOutputOptions
  let allowedFolders: [String]
  /// Files with the values of variables.
  let environments: [String]
  let progress = ProgressLine("Importing")

  init(
    catalog: Catalog, options: ImportOptions, output: ImportOutputOptions,
    allowedFolders: [String], environments: [String] = []
  ) {
    self.catalog = catalog
    self.options = options
    self.output = output
    self.allowedFolders = allowedFolders
    self.environments = environments
  }

  func run(_ paths: [String], format: (any ImportFormat)?) throws {
    let log = ReportLog()
    log.listsIgnored = output.verbose
    log.progress = { [progress] text in progress.show(text) }
    let files = ImportFiles(
      allowed: allowedFolders.map { CatalogLocator().resolve($0) }, format: format, log: log)
    var importer = Importer(options: options, log: log)
    importer.refusals = { scenario in
      ScenarioProblems.refused(in: scenario).compactMap { problem in
        problem.key.map { ($0, problem.problem) }
      }
    }
    defer { progress.end() }
    let result: ImportResult
    do {
      var seen: Set<String> = []
      var inputs = try paths.filter { seen.insert(CatalogLocator().resolve($0).path).inserted }
        .flatMap { path in
          path == "-"
            ? [try standardInput(log)]
            : try files.inputs(at: CatalogLocator().resolve(path), named: path)
        }
      for path in environments {
        inputs.append(try files.environment(at: CatalogLocator().resolve(path), named: path))
      }
      try output.report.map(OutputFile.init)?.requireOther(
        than: [catalog.url] + inputs.map { CatalogLocator().resolve($0.file) })
      result = try importer.scenarios(of: inputs, format: format) { done, count in
        progress.show(done, of: count, "file")
      }
    } catch let error as FormatError {
      let text = error.description { SecretDisplay.text($0) }
      if error.isUsage { throw UsageError(text) }
      throw CommandError(text, hints: ["Nothing was written."])
    }
    try write(result)
  }

  private func standardInput(_ log: ReportLog) throws -> ImportInput {
    try ImportInput(
      file: "standard input", path: [],
      bytes: try DocumentSource.standardInput(limit: ImportInput.maximumByteCount),
      log: log)
  }

  private func write(_ imported: ImportResult) throws {
    var result = imported
    // The importer left out what could not be played.
    var isChecked = true
    if !output.redact { try refuseLosses(result.report) }
    if !output.allowSecrets, let redacted = try withoutSecrets(result) {
      (result, isChecked) = (redacted, false)
    }
    progress.end()
    let scenarios = result.scenarios
    // What is left free may get another answer than was recorded.
    if output.redact { try refuseLosses(result.report) }
    if output.dryRun {
      if !output.json { try Console.write(Self.text(of: scenarios)) }
      try show(result.report)
      Console.note("Would import \(result.report.summary). Nothing was written.")
      return
    }
    if scenarios.allSatisfy({ $0.stubs.isEmpty }) { return try refuseNothing(result.report) }
    // The report comes first: a catalog that is written without it would say nothing of its losses.
    try show(result.report)
    let names = try put(scenarios, isChecked: isChecked)
    guard !names.isEmpty else {
      Console.note("Nothing to do: \(result.report.summary), all in the catalog already.")
      return
    }
    Console.note("Imported \(result.report.summary).")
    if let whole = Self.whole(scenarios) {
      Console.note(
        "Next: " + FollowUp.command("show", on: [whole.name.rawValue], catalog: catalog.url))
      Console.note("      in a test: @Test(.scenario(\"\(whole.name)\"))")
    }
  }

  /// Ends an import with losses where none are allowed.
  private func refuseLosses(_ report: LossReport) throws {
    guard output.strict, report.hasLosses else { return }
    progress.end()
    try show(report)
    Console.note("Nothing was written: \(report.summary), and --strict allows no loss.")
    throw ExitCode(2)
  }

  /// The scenario to go on with: the one that includes most others, or else the first that has stubs.
  private static func whole(_ scenarios: [Scenario]) -> Scenario? {
    let including = scenarios.max { $0.includes.count < $1.includes.count }
    return including?.includes.isEmpty ?? true
      ? scenarios.first { !$0.stubs.isEmpty } : including
  }

  /// Says that there is nothing to write, and why.
  private func refuseNothing(_ report: LossReport) throws {
    try show(report)
    guard options.only.isEmpty, options.hosts.isEmpty else {
      throw CommandError("no request of the input is one of --only and --host; nothing was written")
    }
    throw CommandError(
      report.lines.contains { $0.level == .dropped }
        ? "there is nothing to import, because everything was left out; nothing was written"
        : "there is nothing to import; nothing was written")
  }

  private static func text(of scenarios: [Scenario]) -> String {
    let documents = scenarios.map(ScenarioDocument.encode)
    guard documents.count != 1 else { return documents[0] }
    let list = documents.map { $0.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n") }
    return list.isEmpty ? "[]\n" : "[\n\(list.joined(separator: ",\n"))\n]\n"
  }

  /// Writes what differs from the catalog; `isChecked` says whether all stubs are known to be playable.
  ///
  /// - Returns: The names of the scenarios that were written.
  private func put(_ scenarios: [Scenario], isChecked: Bool) throws -> [ScenarioName] {
    try catalog.edit { editor in
      var written: [ScenarioName] = []
      var existing: [ScenarioName] = []
      for (place, scenario) in scenarios.enumerated() {
        progress.show("writing \(place) of \(scenarios.count) scenarios")
        if let before = try editor.scenario(named: scenario.name) {
          if before.hasSameText(as: scenario) { continue }
          existing.append(scenario.name)
        }
        written.append(scenario.name)
        if isChecked {
          try editor.replace(checked: scenario)
        } else {
          try editor.replace(scenario)
        }
      }
      if !existing.isEmpty, !output.replace {
        throw CommandError(
          Self.exist(existing),
          hints: besides + [
            FollowUp.again("To put the new ones in their place", adding: "--replace")
          ])
      }
      progress.end()
      return written
    }
  }

  /// How to keep those that are there and the new ones.
  private var besides: [String] {
    guard case .derived = options.naming else { return [] }
    return [
      FollowUp.again(
        "To keep both, with new names such as new/shop", adding: ["--prefix", "new"],
        leavingOut: ["--prefix"])
    ]
  }

  private static func exist(_ names: [ScenarioName]) -> String {
    let shown = names.map(\.rawValue).listed(upTo: 5)
    return names.count == 1
      ? "scenario \(shown) already exists, with other stubs; nothing was written"
      : "scenarios \(shown) already exist, with other stubs; nothing was written"
  }
}

// MARK: - Report

extension ImportJob {
  private func show(_ report: LossReport) throws {
    let shown = ReportOutput(path: output.report, isVerbose: output.verbose)
    guard output.json else { return try shown.show(report) }
    try shown.writeFile(report)
    try Console.write(shown.text(of: report))
  }
}
