internal import Foundation
internal import StubDBModel

/// Writes scenarios in a format of another tool.
package enum Exporter {
  /// The files of a format, and what they lack.
  package static func result(of content: ExportContent, as format: any ExportFormat) -> ExportResult
  {
    for stub in content.stubs where stub.whole.resource != nil {
      stub.document.note(format.resourceLoss.level, .state, format.resourceLoss.text)
    }
    let files = format.files(of: content).sorted { $0.path < $1.path }
    var ignoredCount = 0
    for document in content.scenarios.flatMap({ [$0.document] + $0.stubs.map(\.document) }) {
      for value in document.tree.unread() {
        value.drop(.unknown, "\(format.name) has no counterpart for this; it was left out")
      }
      ignoredCount += document.tree.count(of: .ignored)
    }
    return ExportResult(files: files, report: report(of: content, ignoredCount: ignoredCount))
  }

  /// The lines in the order of the documents, with their scenarios and keys.
  private static func report(of content: ExportContent, ignoredCount: Int) -> LossReport {
    var names: [ReportLog.Item: (scenario: String, key: String?)] = [:]
    for scenario in content.scenarios {
      names[scenario.item] = (scenario.name.rawValue, nil)
      for stub in scenario.stubs {
        names[stub.item] = (stub.scenario.rawValue, stub.stub.key.rawValue)
      }
    }
    var leftOut: Set<ReportLog.Item> = []
    let numbered = content.log.lines.enumerated().map { offset, entry in
      var line = entry.line
      line.line = nil
      if let item = entry.item, let name = names[item] {
        (line.scenario, line.key) = (name.scenario, name.key)
        if line.id == .stubLeftOut { leftOut.insert(item) }
      }
      return (entry.item?.number ?? .max, offset, line)
    }
    let stubCount = content.scenarios.reduce(0) { $0 + $1.stubs.count } - leftOut.count
    return LossReport(
      lines: numbered.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2), requestCount: stubCount,
      stubCount: stubCount, scenarioCount: content.scenarios.count, ignoredCount: ignoredCount)
  }
}

package struct ExportResult: Sendable {
  /// The files, ordered by path.
  package var files: [ExportedFile]
  /// What was changed and lost; pointers are those of the stubs' documents.
  package var report: LossReport
}
