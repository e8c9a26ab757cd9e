internal import Foundation
internal import StubDBEngine
internal import StubDBModel

/// The scenarios that this process loaded last, each for as long as its file stays the same.
///
/// Tests load the same few scenarios again and again, many of them at once: they share one value that never changes, and all
/// but the first need no more than a look at the file's status.
final class LoadedScenarios: Sendable {
  /// The ones that every catalog shares: each test opens a catalog of its own.
  static let shared = LoadedScenarios()

  /// What was asked for.
  struct Key: Hashable {
    /// As it was given, since reports show it.
    let path: String
    /// The version that the file was brought up to.
    let version: Int
    /// The scenario and its overlays, as they were asked for.
    let names: [String]
  }

  private struct Entry {
    let key: Key
    let file: FileIdentity
    let scenario: LoadedScenario
    let byteCount: Int
  }

  /// How many bytes are kept, all scenarios together, roughly.
  private static let largestTotal = 64 << 20
  /// How many scenarios are kept.
  private static let largestCount = 64

  /// Used last at the end.
  private let entries = Locked([Entry]())
  private let now: @Sendable () -> Date

  /// `now` tells the time.
  init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The scenario, if it was loaded from this state of the file.
  func scenario(_ key: Key, of file: FileIdentity) -> LoadedScenario? {
    entries.withLock { entries in
      guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      // What another state of the file held is of no use any more.
      guard entry.file == file else { return nil }
      entries.append(entry)
      return entry.scenario
    }
  }

  /// Whether something was loaded from this state of the file, so that it is a whole catalog.
  func knows(_ file: FileIdentity, path: String, version: Int) -> Bool {
    entries.withLock { entries in
      entries.contains {
        $0.file == file && $0.key.path == path && $0.key.version == version
      }
    }
  }

  /// Keeps a scenario that was loaded from this state of the file; `byteCount` is about what it takes.
  ///
  /// Not from a file that was changed a moment ago: its next change might not show.
  func keep(_ scenario: LoadedScenario, as key: Key, of file: FileIdentity, byteCount: Int) {
    guard byteCount <= Self.largestTotal, file.isSettled(at: now()) else { return }
    entries.withLock { entries in
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, file: file, scenario: scenario, byteCount: byteCount))
      var total = entries.reduce(0) { $0 + $1.byteCount }
      while total > Self.largestTotal || entries.count > Self.largestCount {
        total -= entries.removeFirst().byteCount
      }
    }
  }
}
