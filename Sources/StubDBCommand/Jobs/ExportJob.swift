import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBSecrets

/// Exports scenarios, all of them or nothing.
struct ExportJob {
  let catalog: Catalog
  let format: any ExportFormat
  let options: ExportOptions
  let command: RootCommand.Export

  func run() throws {
    let scenarios = try scenarios()
    let result: ExportResult
    do throws(ImportError) {
      result = Exporter.result(
        of: try ExportContent(scenarios, options: options), as: format)
    } catch {
      throw CommandError(SecretDisplay.text(error.description))
    }
    try ReportOutput(path: command.report, isVerbose: command.verbose).show(result.report)
    if command.strict, result.report.hasLosses {
      Console.note(
        "Nothing was written: \(result.report.summary), and --strict allows no loss.")
      throw ExitCode(2)
    }
    try write(result)
    try noteSecrets(in: scenarios)
  }

  /// The scenarios that are named and all that they include, in the order in which they answer.
  private func scenarios() throws -> [Scenario] {
    var scenarios: [Scenario] = []
    var seen: Set<ScenarioName> = []
    for name in command.scenarios {
      // What cannot be played cannot be exported; includes end there, too.
      _ = try catalog.loadExisting(name)
      var next = [name]
      while let name = next.popLast() {
        guard seen.insert(name).inserted else { continue }
        let scenario = try catalog.existing(name)
        scenarios.append(scenario)
        next += scenario.includes.reversed()
      }
    }
    return scenarios
  }

  /// Says that there are secrets: whoever gets the export gets them.
  private func noteSecrets(in scenarios: [Scenario]) throws {
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    var count = 0
    for (index, scenario) in scenarios.enumerated() {
      count += exceptions.sort(scanner.findings(in: scenario, number: index + 1)).findings.count
    }
    guard count > 0 else { return }
    Console.note(
      "Careful: \(Plural.of(count, "secret")) of the catalog \(count == 1 ? "is" : "are") in the export; "
        + FollowUp.command("scan", in: catalog) + " lists them.")
  }
}

// MARK: - Files

extension ExportJob {
  private func write(_ result: ExportResult) throws {
    let summary = result.report.summary
    guard let path = command.output, path != "-" else {
      for file in result.files {
        try Console.write(String(decoding: file.content, as: UTF8.self))
      }
      return Console.note("Exported \(summary).")
    }
    let target = CatalogLocator().resolve(path)
    let shown = TerminalText.quoted(path)
    switch format.layout {
    case .file:
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        throw CommandError("\(shown) is a folder, and \(format.name) is one file: name the file")
      }
      for file in result.files { try write(file, to: target, shown: path) }
      Console.note("Exported \(summary), to \(shown).")
    case .folder:
      try refuseOthers(result.files, in: target, shown: path)
      for file in result.files {
        let place = target.appendingPathComponent(file.path)
        try write(file, to: place, shown: "\(path)/\(file.path)")
      }
      Console.note(
        "Exported \(summary), as \(Plural.of(result.files.count, "file")) in \(shown).")
    }
  }

  private func write(_ file: ExportedFile, to url: URL, shown: String) throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try file.content.write(to: url, options: .atomic)
    } catch {
      throw CommandError(
        "cannot write \(TerminalText.quoted(shown)): \(error.localizedDescription)")
    }
  }

  /// - Throws: `CommandError` if a file has other content, which may be somebody's work.
  private func refuseOthers(_ files: [ExportedFile], in folder: URL, shown: String) throws {
    guard !command.replace else { return }
    let others = files.filter { file in
      let place = folder.appendingPathComponent(file.path)
      guard FileManager.default.fileExists(atPath: place.path) else { return false }
      return (try? Data(contentsOf: place)) != file.content
    }
    guard !others.isEmpty else { return }
    let names = others.prefix(5).map { TerminalText.quoted($0.path) }.joined(separator: ", ")
    let more = others.count > 5 ? " and \(others.count - 5) more" : ""
    throw CommandError(
      "\(TerminalText.quoted(shown)) has \(names)\(more) with other content; nothing was written",
      hints: [FollowUp.again("To write over them", adding: "--replace")])
  }
}
