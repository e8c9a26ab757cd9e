import Foundation
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// Writes the draft of a catalog: one append-only file of this process, in a folder beside the catalog.
///
/// A line is written with one call of the system as soon as its answer is complete, so a process that is killed loses
/// at most that line, and processes never touch each other's files. Contents that would make a line long are in files
/// beside it. Safe to use from any thread.
package final class DraftWriter: Sendable {
  private struct State {
    var redaction: RunningRedaction
    var file: AppendedFile?
    var runCount = 0
    /// The number of files with large contents so far.
    var contentCount = 0
  }

  /// Reports an exchange that is not in the draft.
  struct Failure: Error {
    /// One sentence.
    let message: String
  }

  private static let writers = Locked([String: DraftWriter]())

  /// The folder of the draft of a catalog.
  package static func folder(ofCatalog path: String) -> String { path + ".draft" }

  /// The writer of this process for a catalog.
  package static func shared(forCatalog path: String) throws -> DraftWriter {
    try writers.withLock { writers in
      if let writer = writers[path] { return writer }
      let made = try DraftWriter(
        catalog: path, environment: ProcessInfo.processInfo.environment)
      writers[path] = made
      return made
    }
  }

  private let folder: String
  private let state: Locked<State>

  /// Makes a writer; nothing is written before the first exchange.
  ///
  /// - Throws: `RedactionRules.Problem` or an error of reading if there are rules beside the catalog that cannot be
  /// used: a recording without them might write what they take out.
  package init(catalog path: String, environment: [String: String]) throws {
    folder = Self.folder(ofCatalog: path)
    let redaction = RunningRedaction(
      rules: try RecordingSecrets.rules(besideCatalog: path),
      known: RecordingSecrets.values(in: environment))
    state = Locked(State(redaction: redaction))
  }

  /// Counts a run.
  func beginRun() -> Int {
    state.withLock { state in
      state.runCount += 1
      return state.runCount
    }
  }

  /// Takes the secrets out of an exchange and appends it.
  func append(
    _ scenario: Scenario, _ make: (_ process: String, _ stub: JSONValue) -> DraftExchange
  ) throws(Failure) {
    let failure: Failure? = state.withLock { state in
      let before = state.redaction.count
      let redacted: Scenario
      do throws(RunningRedaction.Failure) {
        redacted = try state.redaction.redacted(scenario)
      } catch {
        return Failure(message: "A request was not recorded: \(error.reason).")
      }
      guard let stub = redacted.stubs.first else { return nil }
      do throws(AppendedFile.Failure) {
        let process = try open(&state)
        if state.redaction.count > before { try cleanUp(&state) }
        let line = try line(of: make(process, stub.documentValue), &state)
        try state.file?.append(line)
        return nil
      } catch {
        return Failure(message: error.message)
      }
    }
    if let failure { throw failure }
  }

  /// Appends the end of a run, if anything was recorded.
  func end(run: Int, failed: Bool) {
    state.withLock { state in
      guard let process = state.file?.process else { return }
      // If that fails, the run counts as one of a test that was killed.
      try? state.file?.append(DraftLine.ended(process: process, run: run, failed: failed).text)
    }
  }

  /// Closes the file, so that it can be decided about; a later exchange begins another one.
  package func close() {
    state.withLock { state in
      state.file?.close()
      state.file = nil
    }
  }

  private func open(_ state: inout State) throws(AppendedFile.Failure) -> String {
    if let file = state.file { return file.process }
    let file = try AppendedFile(
      in: folder, permissions: 0o600, folderPermissions: 0o700, what: "draft")
    // Nobody commits a draft by accident.
    let ignored = URL(fileURLWithPath: folder).appendingPathComponent(".gitignore")
    try? Data("*\n".utf8).write(to: ignored, options: .withoutOverwriting)
    state.file = file
    return file.process
  }

  /// The line of an exchange, whose large contents are written to files of their own before.
  private func line(
    of exchange: DraftExchange, _ state: inout State
  ) throws(AppendedFile.Failure) -> String {
    let text = DraftLine.exchange(exchange).text
    guard text.utf8.count > DraftContents.longestLine else { return text }
    var (exchange, files) = (exchange, [String: String]())
    let (stub, contents) = DraftContents.separated(exchange.stub)
    for (pointer, bytes) in contents {
      state.contentCount += 1
      let name = "\(exchange.process)-\(state.contentCount)\(DraftContents.fileEnding)"
      guard
        FileManager.default.createFile(
          atPath: "\(folder)/\(name)", contents: bytes, attributes: [.posixPermissions: 0o600])
      else {
        throw AppendedFile.Failure(
          message: "The draft lacks a line: \(folder)/\(name) cannot be written.")
      }
      files[pointer.description] = name
    }
    (exchange.stub, exchange.files) = (stub, files)
    return DraftLine.exchange(exchange).text
  }
}

// What turns out to be a secret later.
extension DraftWriter {
  /// Replaces the file if it contains a value that has turned out to be a secret just now.
  private func cleanUp(_ state: inout State) throws(AppendedFile.Failure) {
    guard let written = state.file?.contents else { return }
    var lines = Data()
    var leftover: [String] = []
    for line in written.split(separator: UInt8(ascii: "\n")) {
      guard let read = DraftLine(line) else { continue }
      if case .exchange(let exchange) = read, isFound(in: line, exchange, state.redaction) {
        leftover += exchange.files.values
        // An exchange that cannot be freed of it is dropped.
        guard let clean = clean(exchange, &state.redaction) else { continue }
        lines += try Data(self.line(of: clean, &state).utf8)
      } else {
        lines += line + [UInt8(ascii: "\n")]
      }
    }
    guard lines != written else { return }
    try state.file?.replace(with: lines)
    for name in leftover { unlink("\(folder)/\(name)") }
  }

  private func isFound(
    in line: Data, _ exchange: DraftExchange, _ redaction: RunningRedaction
  ) -> Bool {
    redaction.isFound(in: line)
      || exchange.files.values.contains { name in
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) else {
          return true
        }
        return redaction.isFound(in: bytes)
      }
  }

  private func clean(
    _ exchange: DraftExchange, _ redaction: inout RunningRedaction
  ) -> DraftExchange? {
    guard let name = ScenarioName(exchange.scenario),
      var restored = DraftContents.restored(exchange, from: URL(fileURLWithPath: folder)),
      let stub = try? Stub(documentValue: restored.stub),
      let clean = try? redaction.redacted(Scenario(name: name, stubs: [stub])),
      let first = clean.stubs.first
    else { return nil }
    restored.stub = first.documentValue
    return restored
  }
}
