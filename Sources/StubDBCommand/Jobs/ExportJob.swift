import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

/// Exports scenarios, all of them or nothing.
struct ExportJob {
  let catalog: Catalog
  let format: any ExportFormat
  let options: ExportOptions
  let command: RootCommand.Export

  func run() throws {
    let output = command.output.flatMap { $0 == "-" ? nil : CatalogLocator().resolve($0) }
    try command.report.map(OutputFile.init)?.requireOther(
      than: [catalog.url] + (output.map { [$0] } ?? []))
    let scenarios = try catalog.selected(
      command.all ? [.below("")] : command.scenarios, for: "export")
    let progress = ProgressLine("Exporting")
    defer { progress.end() }
    let log = ReportLog()
    log.progress = { progress.show($0) }
    let result = Exporter.result(
      of: ExportContent(scenarios, options: options, log: log), as: format)
    progress.end()
    let leftovers = leftovers(of: result, for: scenarios)
    try refuseOthers(result, leftovers)
    try ReportOutput(path: command.report, isVerbose: command.verbose).show(result.report)
    if command.strict, result.report.hasLosses {
      Console.note(
        "Nothing was written: \(result.report.summary), and --strict allows no loss.")
      throw ExitCode(2)
    }
    try write(result)
    do throws(ExportLeftovers.Failure) {
      try leftovers?.remove()
    } catch {
      throw CommandError("cannot remove \(TerminalText.quoted(error.path)): \(error.reason)")
    }
    if let leftovers, !leftovers.paths.isEmpty {
      Console.note(
        "Removed \(Plural.of(leftovers.paths.count, "file")) of an earlier export: \(leftovers.list)."
      )
    }
    try noteSecrets(in: scenarios)
  }

  /// Says that there are secrets: whoever gets the export gets them.
  private func noteSecrets(in scenarios: [Scenario]) throws {
    let exceptions = try ExceptionsFile(beside: catalog.url)
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
    for file in result.files { try write(file, to: place(of: file, in: path)) }
    let shown = TerminalText.quoted(path)
    switch format.layout {
    case .file: Console.note("Exported \(summary), to \(shown).")
    case .folder:
      Console.note(
        "Exported \(summary), as \(Plural.of(result.files.count, "file")) in \(shown).")
    }
  }

  /// The path of a file: the output itself, or one in it.
  private func place(of file: ExportedFile, in output: String) -> String {
    if case .file = format.layout { return output }
    return output.hasSuffix("/") ? output + file.path : "\(output)/\(file.path)"
  }

  private func write(_ file: ExportedFile, to path: String) throws {
    do {
      try FileManager.default.createDirectory(
        at: CatalogLocator().resolve(path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
    } catch {
      throw CommandError(
        "cannot write \(TerminalText.quoted(path)): \(FileFailure.writing(error))")
    }
    try OutputFile(path).write(file.content)
  }

  /// - Throws: `CommandError` if the output is no place for the files, or if one of them is there with other content,
  /// which may be somebody's work.
  private func refuseOthers(_ result: ExportResult, _ leftovers: ExportLeftovers?) throws {
    guard let output = command.output, output != "-" else { return }
    let shown = TerminalText.quoted(output)
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(
      atPath: CatalogLocator().resolve(output).path, isDirectory: &isFolder)
    if case .file = format.layout, output.isEmpty || isThere && isFolder.boolValue {
      throw CommandError("\(shown) is a folder, and \(format.name) is one file: name the file")
    }
    let places = result.files.map { place(of: $0, in: output) }
    for place in places { try OutputFile(place).requireOther(than: [catalog.url]) }
    guard !command.replace else { return }
    let others = zip(result.files, places).filter { OutputFile($1).hasOther(than: $0.content) }
    guard !others.isEmpty else { return try refuse(leftovers, in: shown) }
    let hints = [
      FollowUp.again("To write over \(others.count == 1 ? "it" : "them")", adding: "--replace")
    ]
    if case .file = format.layout {
      throw CommandError("\(shown) is there with other content; nothing was written", hints: hints)
    }
    let names = others.map { TerminalText.quoted($0.0.path) }.listed(upTo: 5)
    throw CommandError(
      "\(shown) has \(names) with other content; nothing was written", hints: hints)
  }

  /// - Throws: `CommandError` if files of an earlier export would stay beside those of this one.
  private func refuse(_ leftovers: ExportLeftovers?, in folder: String) throws {
    guard let leftovers, !leftovers.paths.isEmpty else { return }
    let count = leftovers.paths.count
    let (stubs, those) = (leftovers.stubPaths.count, count == 1 ? "it" : "them")
    // An import does not read contents that no mapping names.
    let reason =
      stubs == 0 ? "" : ", and an import would read \(stubs == count ? those : "\(stubs) of them")"
    throw CommandError(
      "\(folder) has \(Plural.of(count, "file")) of an earlier export that this one does not write\(reason): "
        + "\(leftovers.list); nothing was written",
      hints: [FollowUp.again("To remove \(those)", adding: "--replace")])
  }

  /// What earlier exports of the same scenarios left in the folder; nil if none is written to.
  private func leftovers(
    of result: ExportResult, for scenarios: [Scenario]
  ) -> ExportLeftovers? {
    guard case .folder = format.layout, let output = command.output, output != "-" else {
      return nil
    }
    return ExportLeftovers(
      in: CatalogLocator().resolve(output), besides: result.files, of: format,
      scenarios: command.all ? nil : Set(scenarios.map(\.name.rawValue)))
  }
}

extension ExportLeftovers {
  /// The first names, in a sentence.
  fileprivate var list: String {
    paths.map { TerminalText.quoted($0) }.listed(upTo: 3)
  }
}
