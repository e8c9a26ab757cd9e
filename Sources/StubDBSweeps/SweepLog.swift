import Foundation
import StubDBPlayback
import StubDBSupport
import StubDBVariations

/// The sweep files of this process.
final class SweepLogs: Sendable {
  static let shared = SweepLogs(environment: ProcessInfo.processInfo.environment)

  private let environment: [String: String]
  private let logs = Locked([String: SweepLog]())

  init(environment: [String: String]) { self.environment = environment }

  /// The log in the folder of the usage ledger, or of its own if there is no ledger.
  func log(ofCatalog catalog: String?, module: String) -> SweepLog {
    let current = FileManager.default.currentDirectoryPath
    let above = catalog.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return logs.withLock { logs in
      let key = above ?? module
      if let log = logs[key] { return log }
      let ledger = LedgerFolder.locate(
        environment: environment, currentFolder: current, alsoAbove: above.map { [$0] } ?? [])
      let folder =
        ledger.map(SweepLine.folder(inLedger:)) ?? Self.temporaryFolder(current, module)
      let log = logs.values.first { $0.folder == folder } ?? SweepLog(folder: folder)
      logs[key] = log
      return log
    }
  }

  /// Where a crash is remembered without a ledger: the same folder in the next run of the same tests.
  private static func temporaryFolder(_ current: String, _ module: String) -> String {
    let name = "stubdb-sweeps-\(getuid())\(current)/\(module)".replacing("/", with: "-")
    return NSTemporaryDirectory() + name.suffix(200)
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
  /// More processes than that are not remembered.
  private static let mostFiles = 50

  let folder: String
  /// Whose turn it is to try a variation that may have ended a process.
  let turn = SuspectTurn()
  private let state: Locked<State>

  private struct State {
    var file: AppendedFile?
    var problem: String?
    var suspicions: [Key: Suspicion] = [:]
  }

  private struct Key: Hashable {
    var test: String
    var variation: String

    init(_ line: SweepLine) { (test, variation) = (line.test, line.variation) }
    init(test: String, variation: String) { (self.test, self.variation) = (test, variation) }
  }

  init(folder: String) {
    self.folder = folder
    var state = State(suspicions: Self.suspicions(in: folder))
    do throws(AppendedFile.Failure) {
      state.file = try AppendedFile(in: folder, what: "sweep file")
    } catch {
      state.problem = error.message
    }
    self.state = Locked(state)
  }

  /// How sure it is that a variation of a test ended an earlier process; nil if nothing says so.
  func suspicion(of variation: String, in test: String) -> Suspicion? {
    state.withLock { $0.suspicions[Key(test: test, variation: variation)] }
  }

  /// Appends a line.
  func append(_ line: SweepLine) {
    state.withLock { state in
      guard var file = state.file else { return }
      do throws(AppendedFile.Failure) {
        try file.append(line.text)
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

  // MARK: Earlier processes

  /// The variations that were under way when processes ended, and did not end since.
  private static func suspicions(in folder: String) -> [Key: Suspicion] {
    var outcomes: [Key: Double] = [:]
    var crashes: [[Key: Double]] = []
    for path in endedFiles(in: folder) {
      guard let content = FileManager.default.contents(atPath: path) else { continue }
      var open: [Key: [Double]] = [:]
      for line in SweepLine.lines(of: content) {
        let key = Key(line)
        switch line.state {
        case .begun: open[key, default: []].append(line.time)
        case .survived, .found:
          _ = open[key]?.popLast()
          outcomes[key] = max(outcomes[key] ?? 0, line.time)
        case .skipped: _ = open[key]?.popLast()
        }
      }
      crashes.append(open.compactMapValues(\.last))
    }
    var suspicions: [Key: Suspicion] = [:]
    for crash in crashes {
      let suspects = crash.filter { $0.value > outcomes[$0.key] ?? 0 }.keys
      for key in suspects {
        // One that was under way in two is it: suspects are tried one at a time.
        let isCertain = suspects.count == 1 || suspicions[key] != nil
        suspicions[key] = isCertain ? .certain : .possible
      }
    }
    return suspicions
  }

  /// The files of processes that have ended, the oldest first; very old ones are removed.
  private static func endedFiles(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(".jsonl") }.map { folder + "/" + $0 }
      .filter { !AppendedFile.isOpen(atPath: $0) }
      .map { path in (path: path, date: date(of: path)) }
      .sorted { ($0.date, $0.path) < ($1.date, $1.path) }
    for file in files.dropLast(mostFiles) {
      // What cannot be removed is removed by a later process.
      try? FileManager.default.removeItem(atPath: file.path)
    }
    return files.suffix(mostFiles).map(\.path)
  }

  private static func date(of path: String) -> Double {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
  }
}

/// Lets one variation after another be tried of those that may have ended a process.
final class SuspectTurn: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Waits until no other one is tried.
  func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Ends the turn, and begins the next one.
  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
