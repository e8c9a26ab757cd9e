import Foundation
import StubDBModel
import StubDBSecrets
import StubDBSupport

// What turns out to be a secret later.
extension DraftWriter {
  /// Replaces the file if it contains a value that has turned out to be a secret since it was last cleaned.
  func cleanUp(_ state: inout State) throws(AppendedFile.Failure) {
    guard state.redaction.count > state.cleanCount else { return }
    let count = state.redaction.count
    guard let written = state.file?.contents else { return }
    var lines = Data()
    var leftover: [String] = []
    for line in written.split(separator: UInt8(ascii: "\n")) {
      guard let read = DraftLine(line) else { continue }
      if case .exchange(let exchange) = read, isFound(in: line, exchange, state.redaction) {
        let clean = try clean(exchange, &state)
        leftover += exchange.files.values.filter { clean?.files.values.contains($0) != true }
        // An exchange that cannot be freed of it is dropped.
        guard let clean else { continue }
        lines += try Data(self.line(of: clean, &state).utf8)
      } else {
        lines += line + [UInt8(ascii: "\n")]
      }
    }
    if lines != written { try state.file?.replace(with: lines) }
    state.cleanCount = count
    for name in leftover { unlink("\(folder)/\(name)") }
  }

  private func isFound(
    in line: Data, _ exchange: DraftExchange, _ redaction: RunningRedaction
  ) -> Bool {
    redaction.isFound(in: line)
      || exchange.files.values.contains { name in
        let url = URL(fileURLWithPath: "\(folder)/\(name)")
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else { return true }
        return redaction.isFound(in: bytes)
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
