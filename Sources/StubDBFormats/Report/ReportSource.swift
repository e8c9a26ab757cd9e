internal import StubDBJSON

/// A place in an input that report lines are about.
package struct ReportSource {
  /// The file, as it was named.
  package var file: String
  /// The value; nil in texts that have no tree.
  package var value: SourceValue?
  /// `line:column` in texts that have no tree.
  package var place: String?
  /// The line, from 1.
  package var line: Int?
  package let log: ReportLog
  /// The exchange or stub that the place is about.
  package var item: ReportLog.Item?

  package init(_ value: SourceValue, item: ReportLog.Item? = nil) {
    file = value.tree.file
    self.value = value
    log = value.tree.log
    self.item = item ?? log.item
    if let item { value.tree.note(item, at: value.index) }
  }

  /// A place in a text.
  package init(file: String, line: Int? = nil, log: ReportLog, item: ReportLog.Item? = nil) {
    self.file = file
    self.line = line
    place = line.map { "\($0):1" }
    self.log = log
    self.item = item ?? log.item
  }

  /// Says that something is lost; what was read of it counts as lost.
  package func drop(_ id: ReportID, _ text: String) {
    value.map { $0.tree.mark($0.index, .dropped) }
    add(.dropped, id, text)
  }

  /// Says that its stub is left out.
  func leaveOut(_ leftOut: LeftOut, _ id: ReportID = .stubLeftOut) {
    value.map { $0.tree.mark($0.index, .dropped) }
    add(.dropped, id, leftOut.text, leftOut: leftOut)
  }

  /// Says that something was changed or lost, without recording it for the whole value.
  package func add(
    _ level: ReportLevel, _ id: ReportID, _ text: String, leftOut: LeftOut? = nil
  ) {
    log.add(
      level, id, file: file, pointer: value?.pointer.description ?? place,
      line: line ?? value?.line, item: item, text, leftOut: leftOut)
  }
}
