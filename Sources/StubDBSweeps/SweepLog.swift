import Foundation
import StubDBPlayback
import StubDBSupport
import StubDBVariations

/// The sweep files of this process.
final class SweepLogs: Sendable {
  static let shared: SweepLogs = {
    atexit { SweepLogs.shared.close() }
    return SweepLogs(environment: ProcessInfo.processInfo.environment)
  }()

  private let environment: [String: String]
  private let logs = Locked([String: SweepLog]())
  private let names = Locked(NamedVariations())
  private let say: @Sendable (String) -> Void

  /// `say` gets what is said when the process ends.
  init(
    environment: [String: String], say: @escaping @Sendable (String) -> Void = sayOnStandardError
  ) {
    (self.environment, self.say) = (environment, say)
  }

  /// Says something where nobody may listen any more, as when the process ends.
  @Sendable static func sayOnStandardError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("stubdb: \(text)\n".utf8))
  }

  /// Notes whether a test has the variation that several are asked for; what none has is said when the process ends.
  func note(
    _ asking: NamedVariations.Asking, isKnown: Bool, in test: String, near: [String],
    ofCatalog catalog: String?, module: String
  ) {
    let place = NamedVariations.Place(catalog: catalog, module: module)
    names.withLock { $0.note(asking, isKnown: isKnown, in: test, near: near, at: place) }
  }

  /// Notes what the variable asks all tests for, of which none has begun a sweep yet; nothing where tests are listed only.
  func noteWithoutSweep(
    ofProcess filter: SweepFilter, arguments: [String] = CommandLine.arguments
  ) {
    guard filter.allowsAny, let name = filter.only, !arguments.contains("--list-tests") else {
      return
    }
    noteWithoutSweep(NamedVariations.Asking(name: name, origin: .variable))
  }

  /// Notes that a test is asked for a variation, and has no sweep.
  func noteWithoutSweep(_ asking: NamedVariations.Asking) {
    names.withLock { $0.noteWithoutSweep(asking) }
  }

  /// The log in the folder of the usage ledger, or of its own if there is no ledger.
  func log(ofCatalog catalog: String?, module: String) -> SweepLog {
    let current = FileManager.default.currentDirectoryPath
    let above = catalog.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return logs.withLock { logs in
      // Without a ledger, modules have folders of their own, also if they share a catalog.
      let key = "\(module) \(above ?? "")"
      if let log = logs[key] { return log }
      let ledger = LedgerFolder.locate(
        environment: environment, currentFolder: current, alsoAbove: above.map { [$0] } ?? [])
      let folder =
        ledger.map(SweepLine.folder(inLedger:)) ?? Self.temporaryFolder(current, module)
      let log =
        logs.values.first { $0.folder == folder }
        ?? SweepLog(folder: folder, keepsFiles: ledger != nil)
      logs[key] = log
      return log
    }
  }

  /// Says which names no test had, and in the files that the process has ended in good order; called when it exits.
  func close() {
    for (asking, message, places) in names.withLock(\.unknown) {
      say(message)
      for place in places {
        log(ofCatalog: place.catalog, module: place.module).append(
          SweepNote(
            .unknown, time: Date().timeIntervalSince1970, test: asking.test,
            catalog: place.catalog.map(LedgerFolder.name(ofCatalog:)), variation: asking.name,
            message: message))
      }
    }
    for log in logs.withLock({ Array($0.values) }) { log.close() }
  }

  /// Where a crash is remembered without a ledger: the same folder in the next run of the same tests.
  private static func temporaryFolder(_ current: String, _ module: String) -> String {
    let tests = SHA256Digest.hexadecimal(of: Data("\(current)/\(module)".utf8)).prefix(16)
    return NSTemporaryDirectory() + "stubdb-sweeps-\(geteuid())-\(tests)"
  }
}

/// How sure it is that a variation ended a process.
enum Suspicion: Hashable {
  /// It was under way when a process ended, as others were.
  case possible
  case certain
}

/// A folder of sweep files, of which one belongs to this process.
final class SweepLog: Sendable {
  let folder: String
  /// Whose turn it is to try a variation that may have ended a process.
  let turn = AsyncTurn()
  /// Nil if the folder is not read.
  private let earlier: EarlierSweeps?
  private let state: Locked<State>

  private struct State {
    var file: AppendedFile?
    var problem: String?
  }

  /// Makes the file of this process; without `keepsFiles`, those of earlier ones stay only as long as they matter.
  init(folder: String, keepsFiles: Bool) {
    self.folder = folder
    var state = State()
    // Anybody may make folders where temporary files are.
    if !keepsFiles, !Self.isOwn(folder) {
      earlier = nil
      state.problem =
        "The sweep file is not written: \(folder) is not a folder that only you can change. Remove it, or make a "
        + "folder \(LedgerFolder.path) for these files."
      self.state = Locked(state)
      return
    }
    earlier = EarlierSweeps(folder, keepsFiles: keepsFiles)
    do throws(AppendedFile.Failure) {
      // A message may hold values of a test.
      state.file = try AppendedFile(
        in: folder, permissions: 0o600, folderPermissions: 0o700, what: "sweep file")
    } catch {
      state.problem = error.message
    }
    self.state = Locked(state)
  }

  /// Whether a folder, which is made if it is missing, belongs to this user and can be changed by no other.
  static func isOwn(_ folder: String) -> Bool {
    mkdir(folder, 0o700)
    guard let status = try? FileManager.default.attributesOfItem(atPath: folder),
      let owner = status[.ownerAccountID] as? NSNumber,
      let permissions = status[.posixPermissions] as? NSNumber
    else { return false }
    return status[.type] as? FileAttributeType == .typeDirectory && owner.uint32Value == geteuid()
      && permissions.intValue & 0o022 == 0
  }

  /// How sure it is that a variation of a test ended an earlier process; nil if nothing says so.
  func suspicion(of variation: String, in test: String) -> Suspicion? {
    earlier?.suspicions[EarlierSweeps.Key(test: test, variation: variation)]
  }

  /// Appends a line; one that says that a variation has not ended the process also to the files that say otherwise.
  func append(_ line: SweepLine) {
    earlier?.settle(line)
    change { (file) throws(AppendedFile.Failure) in try file.append(line.text) }
  }

  /// Appends a note.
  func append(_ note: SweepNote) {
    change { (file) throws(AppendedFile.Failure) in try file.append(note.text) }
  }

  /// Says that the process has ended in good order.
  func close() {
    change { (file) throws(AppendedFile.Failure) in
      try file.append(SweepLine.end)
      file.close()
    }
    state.withLock { $0.file = nil }
  }

  private func change(_ action: (inout AppendedFile) throws(AppendedFile.Failure) -> Void) {
    state.withLock { state in
      guard var file = state.file else { return }
      do throws(AppendedFile.Failure) {
        try action(&file)
      } catch {
        state.problem = error.message
      }
      state.file = file
    }
  }

  /// Returns the problem once; nil if there is none or it was already reported.
  func takeProblem() -> String? {
    state.withLock { state in
      defer { state.problem = nil }
      return state.problem
    }
  }
}
