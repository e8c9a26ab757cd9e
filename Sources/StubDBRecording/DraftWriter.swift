import Foundation
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// Writes the draft of a catalog: one append-only file of this process, in a folder beside the catalog.
///
/// A line is written with one call of the system as soon as its answer is complete, so a process that is killed loses
/// at most that line, and processes never touch each other's files. Safe to use from any thread.
package final class DraftWriter: Sendable {
  private struct State {
    var redaction: RunningRedaction
    var file: AppendedFile?
    /// The lines so far, to take out what is only found to be a secret later.
    var written: [String] = []
    var writtenByteCount = 0
    var runCount = 0
  }

  /// Reports an exchange that is not in the draft.
  struct Failure: Error {
    /// One sentence.
    let message: String
  }

  /// How many bytes of lines are kept in memory to be searched again.
  private static let memory = 32 << 20

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
    _ scenario: Scenario, _ make: (_ process: String, _ stub: Stub) -> DraftLine
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
        try write(make(process, stub).text, &state)
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
      try? write(DraftLine.ended(process: process, run: run, failed: failed).text, &state)
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

  private func write(_ line: String, _ state: inout State) throws(AppendedFile.Failure) {
    try state.file?.append(line)
    state.writtenByteCount += line.utf8.count
    state.written.append(line)
    while state.writtenByteCount > Self.memory, state.written.count > 1 {
      state.writtenByteCount -= state.written.removeFirst().utf8.count
    }
  }

  /// Replaces the file if it contains a value that has turned out to be a secret just now.
  private func cleanUp(_ state: inout State) throws(AppendedFile.Failure) {
    guard state.written.contains(where: { state.redaction.isFound(in: $0) }) else { return }
    var lines: [String] = []
    for line in state.written {
      guard state.redaction.isFound(in: line) else {
        lines.append(line)
        continue
      }
      // A line that cannot be freed of it is dropped.
      if let clean = Self.clean(line, &state.redaction) { lines.append(clean) }
    }
    state.written = lines
    try state.file?.replace(with: lines.joined())
  }

  private static func clean(_ line: String, _ redaction: inout RunningRedaction) -> String? {
    guard case .exchange(var exchange)? = DraftLine(line.utf8.dropLast()),
      let name = ScenarioName(exchange.scenario),
      let stub = try? Stub(documentValue: exchange.stub),
      let clean = try? redaction.redacted(Scenario(name: name, stubs: [stub])),
      let first = clean.stubs.first
    else { return nil }
    exchange.stub = first.documentValue
    return DraftLine.exchange(exchange).text
  }
}
