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
    try write(
      findings(), in: format,
      FindingReport(
        command: command, version: programVersion, catalog: Self.path(from: catalog.url),
        rules: rules(), scenarios: names.map(\.rawValue), findings: []))
    return true
  }

  private func write(
    _ findings: [FindingReport.Finding], in format: FindingFormat, _ empty: FindingReport
  ) throws {
    var report = empty
    report.rules.merge(FindingReport.Finding.failureRules) { own, _ in own }
    report.findings = findings.map(\.shown)
    report.isComplete = !findings.contains { $0.isFailure }
    try Console.write(format.text(of: report))
  }

  /// Opens a catalog, and reads it; an error is printed as a finding as well, since a forge expects a report from each run.
  func opening<Value>(
    _ options: CatalogOptions, for command: String, _ open: () throws -> Value
  ) throws -> Value {
    try reporting(options, for: command, "unreadable", open)
  }

  /// Does what comes before the findings of an open catalog; an error is printed as a finding as well.
  func preparing<Value>(
    _ options: CatalogOptions, for command: String, _ prepare: () throws -> Value
  ) throws -> Value {
    try reporting(options, for: command, "failed", prepare)
  }

  private func reporting<Value>(
    _ options: CatalogOptions, for command: String, _ rule: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      guard let format else { throw error }
      let path = (try? options.locateForGit()).map(Self.path) ?? "."
      let message = ErrorText.message(for: error).split(separator: "\n").joined(separator: "; ")
      try write(
        [FindingReport.Finding(rule: rule, level: .error, message: message)], in: format,
        FindingReport(
          command: command, version: programVersion, catalog: path, rules: [:], scenarios: [],
          findings: []))
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
  /// The rules of commands that found nothing because they failed.
  fileprivate static let failureRules = [
    "unreadable": "The catalog cannot be opened.", "failed": "The command failed.",
  ]

  /// A finding that says why there are no others.
  static func failure(_ message: String) -> Self {
    Self(rule: "failed", level: .error, message: message)
  }

  fileprivate var isFailure: Bool { Self.failureRules[rule] != nil }

  /// The finding with texts that are safe to print, since they may come from a catalog.
  fileprivate var shown: Self {
    var shown = self
    shown.key = key.map(TerminalText.line)
    shown.pointer = pointer.map(TerminalText.line)
    shown.message = TerminalText.line(message)
    return shown
  }
}
