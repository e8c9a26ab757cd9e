internal import Foundation
internal import StubDBEngine
internal import StubDBModel
internal import StubDBSupport

/// The scenarios that this process loaded last, each valid as long as its file is unchanged.
///
/// Tests load the same few scenarios again and again, many at once. They share one immutable value, and all loads but
/// the first only read the file's status.
final class LoadedScenarios: Sendable {
  /// Shared by all catalogs, because each test opens a catalog of its own.
  static let shared = LoadedScenarios()

  /// The key of a loaded scenario.
  struct Key: Hashable {
    /// The path as given, since reports show it.
    let path: String
    /// The version of the schema that the file was migrated to.
    let version: Int
    /// The scenario and its overlays, as requested.
    let names: [String]
  }

  private struct Entry {
    let key: Key
    let file: FileIdentity
    let scenario: LoadedScenario
    let byteCount: Int
  }

  /// The approximate limit on the bytes of all scenarios together.
  private static let largestTotal = 64 << 20
  /// The limit on the number of scenarios.
  private static let largestCount = 64

  /// In the order of use, the most recent last.
  private let entries = Locked([Entry]())
  private let now: @Sendable () -> Date

  /// `now` returns the current time.
  init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The scenario, if it was loaded from this state of the file.
  func scenario(_ key: Key, of file: FileIdentity) -> LoadedScenario? {
    entries.withLock { entries in
      guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      // What was loaded from another state of the file is no longer needed.
      guard entry.file == file else { return nil }
      entries.append(entry)
      return entry.scenario
    }
  }

  /// Whether something was loaded from this state of the file, which is therefore a whole catalog.
  func knows(_ file: FileIdentity, path: String, version: Int) -> Bool {
    entries.withLock { entries in
      entries.contains {
        $0.file == file && $0.key.path == path && $0.key.version == version
      }
    }
  }

  /// Keeps a scenario that was loaded from this state of the file; `byteCount` is its approximate size.
  ///
  /// A file that was changed a moment ago is left out, since its next change might go unnoticed.
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
