import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBTransfer

/// The option that prints findings for other programs.
struct FindingOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "Print for a forge: github (annotations), sarif (code scanning) or junit (test results).",
      valueName: "name"))
  var formatName: FormatName?

  /// The format; nil for lines of text or for JSON.
  var format: FindingFormat? { formatName?.format }

  /// The name of a format.
  struct FormatName: ExpressibleByArgument {
    let format: FindingFormat

    init?(argument: String) {
      guard let format = FindingFormat(rawValue: argument) else { return nil }
      self.format = format
    }

    static var allValueStrings: [String] { FindingFormat.allCases.map(\.rawValue) }
  }

  /// Throws if another format is asked for as well.
  func checkUsage(json: Bool) throws {
    if json, format != nil { throw ValidationError("--json and --format exclude each other.") }
  }

  /// Prints findings in the format, if one was given.
  ///
  /// - Returns: Whether they were printed.
  func print(
    _ command: String, _ findings: @autoclosure () -> [FindingReport.Finding],
    rules: @autoclosure () -> [String: String], of catalog: Catalog,
    among scenarios: (ScenarioName) -> Bool = { _ in true }
  ) throws -> Bool {
    guard let format else { return false }
    // A damaged file cannot always be listed.
    let names = ((try? catalog.scenarios()) ?? []).map(\.name).filter(scenarios)
    let report = FindingReport(
      command: command, version: programVersion, catalog: Self.path(from: catalog.url),
      rules: rules(), scenarios: names.map(\.rawValue), findings: findings().map(\.shown))
    try Console.write(format.text(of: report))
    return true
  }

  /// Opens a catalog, and reads it; an error is printed as a finding as well, since a forge expects a report from each run.
  func opening<Value>(
    _ options: CatalogOptions, for command: String, _ open: () throws -> Value
  ) throws -> Value {
    do {
      return try open()
    } catch {
      guard let format else { throw error }
      let path = (try? options.locateForGit()).map(Self.path) ?? "."
      let message = ErrorText.message(for: error).split(separator: "\n").joined(separator: "; ")
      let finding = FindingReport.Finding(rule: "unreadable", level: .error, message: message)
      var report = FindingReport(
        command: command, version: programVersion, catalog: path,
        rules: ["unreadable": "The catalog cannot be opened."], scenarios: [],
        findings: [finding.shown])
      report.isComplete = false
      try Console.write(format.text(of: report))
      throw error
    }
  }

  /// The path of a catalog from the top of its git repository, by which forges name files; else from the current folder.
  private static func path(from url: URL) -> String {
    PublishedCatalog.name(of: url) ?? FindingReport.pathInRepository(of: url)
      ?? CatalogLocator.relativePath(url)
  }
}

extension FindingReport.Finding {
  /// The finding with texts that are safe to print, since they may come from a catalog.
  fileprivate var shown: Self {
    var shown = self
    shown.key = key.map(TerminalText.line)
    shown.pointer = pointer.map(TerminalText.line)
    shown.message = TerminalText.line(message)
    return shown
  }
}
