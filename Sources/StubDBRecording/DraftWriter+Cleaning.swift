import Foundation
import StubDBDocuments
import StubDBModel
import StubDBSecrets
import StubDBSupport

// What turns out to be a secret later.
extension DraftWriter {
  /// The lines of a draft after some were cleaned.
  private struct CleanedLines {
    var text = Data()
    var filters: [ContentFilter?] = []
    /// The names of the files that belong to none of the lines any more.
    var leftover: [String] = []
    var isChanged = false

    mutating func append(_ line: Data, _ filter: ContentFilter?) {
      text += line
      text.append(UInt8(ascii: "\n"))
      filters.append(filter)
    }
  }

  /// Replaces the file if it contains a value that has turned out to be a secret since it was last cleaned.
  ///
  /// Only lines that may contain one of the new values are read: what a new secret costs hardly depends on how much was
  /// recorded before. After a line that was not written as a whole, all are read once.
  func cleanUp(_ state: inout State) throws(AppendedFile.Failure) {
    guard state.redaction.count > state.cleanCount else { return }
    let count = state.redaction.count
    let late = state.redaction.secrets(after: state.cleanCount)
    if state.hasTornLine || state.filters.contains(where: { $0.map(late.mayBe) ?? false }) {
      guard let written = state.file?.contents else { return }
      let cleaned = try replaceLines(written, of: late, &state)
      (state.filters, state.hasTornLine) = (cleaned.filters, false)
      for name in cleaned.leftover { unlink("\(folder)/\(name)") }
    }
    state.cleanCount = count
  }

  /// Writes the lines without the values; the files of the lines that are not written do not stay.
  private func replaceLines(
    _ written: Data, of late: LateSecrets, _ state: inout State
  ) throws(AppendedFile.Failure) -> CleanedLines {
    // Those of the exchange that is being appended are not in these lines.
    let waiting = state.unlisted
    state.unlisted = []
    defer { state.unlisted = waiting }
    do throws(AppendedFile.Failure) {
      let cleaned = try cleaned(written, of: late, &state)
      if cleaned.isChanged { try state.file?.replace(with: cleaned.text) }
      return cleaned
    } catch {
      removeUnlisted(state)
      throw error
    }
  }

  private func cleaned(
    _ written: Data, of late: LateSecrets, _ state: inout State
  ) throws(AppendedFile.Failure) -> CleanedLines {
    let old = written.split(separator: UInt8(ascii: "\n"))
    let filters = state.hasTornLine || old.count != state.filters.count ? nil : state.filters
    var lines = CleanedLines()
    lines.text.reserveCapacity(written.count)
    for (index, line) in old.enumerated() {
      if let filters, !(filters[index].map(late.mayBe) ?? false) {
        lines.append(line, filters[index])
        continue
      }
      let read = DraftLine(line)
      guard isFound(in: line, read, late) else {
        lines.append(line, filters?[index] ?? filter(of: line, read))
        continue
      }
      lines.isChanged = true
      guard case .exchange(let exchange)? = read else { continue }
      let clean = try clean(exchange, &state)
      lines.leftover += exchange.files.values.filter { clean?.files.values.contains($0) != true }
      // An exchange that cannot be freed of it is dropped.
      guard let clean else { continue }
      let (text, filter) = try self.line(of: clean, &state)
      lines.append(Data(text.utf8.dropLast()), filter)
    }
    return lines
  }

  private func filter(of line: Data, _ read: DraftLine?) -> ContentFilter? {
    guard case .exchange(let exchange)? = read else { return nil }
    return filter(of: [line], exchange.files.values)
  }

  /// Whether a line or one of its files contains one of the values; true for a line that cannot be read.
  private func isFound(in line: Data, _ read: DraftLine?, _ late: LateSecrets) -> Bool {
    switch read {
    case nil: return true
    case .ended: return false
    case .exchange(let exchange):
      return late.isFound(in: line)
        || exchange.files.values.contains { name in
          let url = URL(fileURLWithPath: "\(folder)/\(name)")
          guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else { return true }
          return late.isFound(in: bytes)
        }
    }
  }

  private func clean(
    _ exchange: DraftExchange, _ state: inout State
  ) throws(AppendedFile.Failure) -> DraftExchange? {
    var short = exchange
    short.files = exchange.files.filter { !isLong($0.value) }
    guard let name = ScenarioName(exchange.scenario),
      var restored = DraftContents.restored(short, from: URL(fileURLWithPath: folder)),
      let stub = try? Stub(documentValue: restored.stub),
      let clean = try? state.redaction.redacted(Scenario(name: name, stubs: [stub])),
      let first = clean.stubs.first
    else { return nil }
    restored.stub = first.documentValue
    for (place, name) in exchange.files where short.files[place] == nil {
      restored.files[place] = try rewritten(name, &state)
    }
    return restored
  }

  /// Whether the content of a file is not to be kept in memory.
  private func isLong(_ name: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > limits.inMemory
  }
}
