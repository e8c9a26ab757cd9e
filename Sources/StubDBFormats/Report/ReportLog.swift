internal import StubDBJSON

/// How much of an input reached the scenarios.
package enum ReportLevel: String, Hashable, Sendable, CaseIterable {
  /// It is there in another form.
  case changed
  /// It is lost.
  case dropped
  /// It has no influence on what a server answers.
  case ignored
}

/// A line of the report: one thing that an import or an export changed or lost.
package struct ReportLine: Hashable, Sendable {
  package var level: ReportLevel
  package var id: ReportID
  /// The file, as it was named; empty for an export, which is about scenarios.
  package var file: String
  /// The path of the value in the file: an RFC 6901 pointer, or `line:column` in texts that have no tree.
  package var pointer: String?
  /// The line in the file, from 1; nil where lines say nothing.
  package var line: Int?
  /// The scenario and the stub that it became part of, or that it is about; nil for none.
  package var scenario: String?
  package var key: String?
  /// What happened, for people.
  package var text: String
  /// Why a stub was left out; nil where another thing happened.
  package var leftOut: LeftOut?
}

/// Why a stub was left out, for those who say it in other words.
package struct LeftOut: Hashable, Sendable {
  /// The part of the conditions that has no counterpart, such as `customMatcher`; nil for another reason.
  package var part: String?
  /// The reason, as the end of a sentence; nil where the part says enough.
  package var reason: String?

  /// The line of a report.
  var text: String {
    guard let part else { return "The stub was left out: \(reason ?? "")" }
    return "The stub was left out, because without \(part) it would answer requests it should not"
      + (reason.map { " (\($0))" } ?? "")
  }
}

/// The disposition of inputs and of stubs, collected while they are read and written.
///
/// Lines are added before scenarios and stubs have their names, so each carries the number of the item (an exchange of
/// a recording, a stub) it belongs to.
package final class ReportLog {
  /// A number for an exchange or a stub of the inputs, or for a scenario or a stub that is exported.
  package struct Item: Hashable, Sendable {
    let number: Int
  }

  private(set) var lines: [(line: ReportLine, item: Item?)] = []
  /// How many values were ignored, by file.
  private(set) var ignoredCount = 0
  private var lastItem = 0
  private var exportedCount = 0
  /// The item that is being read; lines are about it.
  package var item: Item?

  /// Whether what was ignored gets a line, too; it is counted in any case.
  package var listsIgnored = false
  /// Called now and then with what is being done, such as `400 requests read`.
  package var progress: (String) -> Void = { _ in }

  package init() {}

  /// A moment to go back to.
  package struct Mark {
    let lineCount: Int
    let ignoredCount: Int
  }

  package var mark: Mark { Mark(lineCount: lines.count, ignoredCount: ignoredCount) }

  /// Takes back what was added since a moment.
  package func forget(since mark: Mark) {
    lines.removeSubrange(mark.lineCount...)
    ignoredCount = mark.ignoredCount
  }

  /// Begins the next item; the noun is for progress.
  package func beginItem(_ nouns: String = "requests") -> Item {
    lastItem += 1
    if lastItem.isMultiple(of: 64) { progress("\(lastItem) \(nouns) read") }
    let item = Item(number: lastItem)
    self.item = item
    return item
  }

  /// Counts a stub that is written.
  func countExported() {
    exportedCount += 1
    if exportedCount.isMultiple(of: 16) { progress("\(exportedCount) stubs written") }
  }

  /// Adds a line about a value, and about the item that is being read, or that the value belongs to.
  package func add(
    _ level: ReportLevel, _ id: ReportID, at value: SourceValue, _ text: String
  ) {
    add(
      level, id, file: value.tree.file, pointer: value.pointer.description, line: value.line,
      item: item ?? value.tree.item(around: value.index), text)
  }

  /// Adds a line about a place in a file, and about the item that is being read.
  package func add(
    _ level: ReportLevel, _ id: ReportID, file: String, pointer: String? = nil, line: Int? = nil,
    _ text: String
  ) {
    add(level, id, file: file, pointer: pointer, line: line, item: item, text)
  }

  /// Adds a line about a place in a file, and about an item; nil if it is about none, whatever is being read.
  package func add(
    _ level: ReportLevel, _ id: ReportID, file: String, pointer: String? = nil, line: Int? = nil,
    item: Item?, _ text: String, leftOut: LeftOut? = nil
  ) {
    let line = ReportLine(
      level: level, id: id, file: file, pointer: pointer, line: line, text: text,
      leftOut: leftOut)
    lines.append((line, item))
  }

  package func countIgnored(_ count: Int) { ignoredCount += count }
}
