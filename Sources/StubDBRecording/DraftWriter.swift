import Foundation
import StubDBDocuments
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
  struct State {
    var redaction: RunningRedaction
    /// The number of secrets that are in no line of the file.
    var cleanCount: Int
    var file: AppendedFile?
    /// What the lines of the file, with their large contents, may contain; nil for a line without content.
    var filters: [ContentFilter?] = []
    /// Whether a line may be in the file in part, so that it is not known which line a filter belongs to.
    var hasTornLine = false
    var runCount = 0
    /// The number of files with large contents so far.
    var contentCount = 0
    /// The names of the files with contents that no line has yet.
    var unlisted: [String] = []

    init(_ redaction: RunningRedaction) {
      (self.redaction, cleanCount) = (redaction, redaction.count)
    }
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

  let folder: String
  let limits: RecordingLimits
  let state: Locked<State>

  /// Makes a writer; nothing is written before the first exchange.
  ///
  /// - Throws: `RedactionRules.Problem` or an error of reading if there are rules beside the catalog that cannot be
  /// used: a recording without them might write what they take out.
  package init(
    catalog path: String, environment: [String: String], limits: RecordingLimits = RecordingLimits()
  ) throws {
    self.limits = limits
    folder = Self.folder(ofCatalog: path)
    let redaction = RunningRedaction(
      rules: try RecordingSecrets.rules(besideCatalog: path),
      known: RecordingSecrets.values(in: environment))
    state = Locked(State(redaction))
  }

  func beginRun() -> Int {
    state.withLock { state in
      state.runCount += 1
      return state.runCount
    }
  }

  /// Takes the secrets out of an exchange and appends it.
  ///
  /// `content` is that of its answer if it is long; nil if the scenario has it.
  func append(
    _ scenario: Scenario, _ content: LongContent? = nil,
    _ make: (_ process: String, _ stub: JSONValue) -> DraftExchange
  ) throws(Failure) {
    // Most exchanges bring no new secret, so that several can be searched at once, beside the lock.
    let known = state.withLock(\.redaction)
    let early = Self.redacted(scenario, known)
    let failure: Failure? = state.withLock { state in
      let isCurrent = state.redaction.changeCount == known.changeCount
      let (result, redaction) = isCurrent ? early : Self.redacted(scenario, state.redaction)
      state.redaction = redaction
      let redacted: Scenario
      switch result {
      case .success(let scenario): redacted = scenario
      case .failure(let error):
        return Failure(message: "A request was not recorded: \(error.reason).")
      }
      guard let stub = redacted.stubs.first else { return nil }
      state.unlisted = content.map { [$0.name] } ?? []
      do throws(AppendedFile.Failure) {
        let process = try open(&state)
        var files: [String: String] = [:]
        if let content {
          files[DraftContents.place(isText: content.isText)] = try finished(content, &state)
        }
        try cleanUp(&state)
        var exchange = make(process, stub.documentValue)
        exchange.files = files
        let (line, filter) = try line(of: exchange, &state)
        try append(line, filter, &state)
        return nil
      } catch {
        removeUnlisted(state)
        return Failure(message: error.message)
      }
    }
    if let failure {
      content?.remove()
      throw failure
    }
  }

  /// Removes files without a line, because nothing would take a later secret out of them.
  func removeUnlisted(_ state: State) {
    for name in state.unlisted { unlink("\(folder)/\(name)") }
  }

  /// The scenario without secrets, and what is known of secrets then.
  private static func redacted(
    _ scenario: Scenario, _ redaction: RunningRedaction
  ) -> (Result<Scenario, RunningRedaction.Failure>, RunningRedaction) {
    var redaction = redaction
    do throws(RunningRedaction.Failure) {
      return (.success(try redaction.redacted(scenario)), redaction)
    } catch {
      return (.failure(error), redaction)
    }
  }

  /// Appends the end of a run, if anything was recorded.
  func end(run: Int, failed: Bool) {
    state.withLock { state in
      guard let process = state.file?.process else { return }
      try? cleanUp(&state)
      // If that fails, the run counts as one of a test that was killed.
      try? append(
        DraftLine.ended(process: process, run: run, failed: failed).text, nil, &state)
    }
  }

  /// Appends a line, and what it may contain.
  private func append(
    _ line: String, _ filter: ContentFilter?, _ state: inout State
  ) throws(AppendedFile.Failure) {
    do throws(AppendedFile.Failure) {
      try state.file?.append(line)
    } catch {
      state.hasTornLine = true
      throw error
    }
    state.filters.append(filter)
  }

  /// Closes the file, so that it can be decided about; a later exchange begins another one.
  package func close() {
    state.withLock { state in
      state.file?.close()
      (state.file, state.filters, state.hasTornLine) = (nil, [], false)
    }
  }

  func open(_ state: inout State) throws(AppendedFile.Failure) -> String {
    if let file = state.file { return file.process }
    let file = try AppendedFile(
      in: folder, permissions: 0o600, folderPermissions: 0o700, what: "draft")
    Self.ignore(folder)
    state.file = file
    return file.process
  }

  package static let ignoringFileName = ".gitignore"

  /// Keeps git from a draft, so that it is not committed by accident.
  package static func ignore(_ folder: String) {
    let ignored = URL(fileURLWithPath: folder).appendingPathComponent(ignoringFileName)
    // It is there already, or git shows the draft, and nothing else is wrong.
    try? Data("*\n".utf8).write(to: ignored, options: .withoutOverwriting)
  }

  /// The line of an exchange, whose large contents are written to files of their own before, and what all may contain.
  func line(
    of exchange: DraftExchange, _ state: inout State
  ) throws(AppendedFile.Failure) -> (text: String, filter: ContentFilter) {
    var exchange = exchange
    exchange.numbers = state.redaction.numbers(in: exchange.stub)
    let text = DraftLine.exchange(exchange).text
    let long = exchange.files.values
    guard text.utf8.count > DraftContents.longestLine else {
      return (text, filter(of: [Data(text.utf8)], long))
    }
    let (stub, contents) = DraftContents.separated(exchange.stub)
    exchange.stub = stub
    for (pointer, bytes) in contents {
      let name = Self.contentName(exchange.process, &state)
      guard
        FileManager.default.createFile(
          atPath: "\(folder)/\(name)", contents: bytes, attributes: [.posixPermissions: 0o600])
      else {
        throw AppendedFile.Failure(
          message: "The draft lacks a line: \(folder)/\(name) cannot be written.")
      }
      exchange.files[pointer.description] = name
    }
    let line = DraftLine.exchange(exchange).text
    return (line, filter(of: contents.map(\.bytes) + [Data(line.utf8)], long))
  }

  /// What contents and files of the draft may contain.
  func filter(
    of contents: [Data], _ names: some Collection<String>
  ) -> ContentFilter {
    let all =
      contents
      + names.compactMap { name in
        // A file that cannot be read cannot be in the draft either.
        try? Data(
          contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"), options: .mappedIfSafe)
      }
    var filter = ContentFilter(byteCount: all.reduce(0) { $0 + $1.count })
    for content in all { filter.insert(content) }
    return filter
  }

  static func contentName(_ process: String, _ state: inout State) -> String {
    state.contentCount += 1
    let name = "\(process)-\(state.contentCount)\(DraftContents.fileEnding)"
    state.unlisted.append(name)
    return name
  }
}
