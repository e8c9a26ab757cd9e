import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBTransfer

/// Shows the report of an import or an export.
struct ReportOutput {
  /// How many lines are printed; a file has all.
  private static let maximumLines = 40

  /// The file for the whole report; nil for none.
  let path: String?
  /// Whether what was ignored is listed, too.
  let isVerbose: Bool

  /// Writes the file, and the lines to standard error.
  ///
  /// - Throws: `CommandError` if the file cannot be written.
  func show(_ report: LossReport) throws {
    try writeFile(report)
    let lines = report.text(includesIgnored: isVerbose) { SecretDisplay.text($0) }
    let shown = isVerbose ? lines[...] : lines.prefix(Self.maximumLines)
    for line in shown { Console.note(TerminalText.line(line)) }
    let hint = "--verbose or --report FILE has all"
    CutList.end(lines.count - shown.count, hint: hint).forEach(Console.note)
  }

  /// Writes the file, if there is one.
  ///
  /// - Throws: `CommandError` if it cannot be written.
  func writeFile(_ report: LossReport) throws {
    guard let path else { return }
    try OutputFile(path).write(Data(text(of: report).utf8))
  }

  /// The report as a JSON array; each text is shown without secrets by itself, because one may end where the text does.
  func text(of report: LossReport) -> String {
    OrderedJSON.json(report.json(includesIgnored: isVerbose) { SecretDisplay.text($0) }).text
  }
}

extension OutputFile {
  /// A file by its path from the current folder.
  init(_ path: String) { self.init(path, at: CatalogLocator().resolve(path)) }
}
