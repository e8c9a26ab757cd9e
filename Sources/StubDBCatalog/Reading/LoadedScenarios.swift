internal import Foundation
internal import StubDBEngine
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
    /// The files besides the catalog that it was read from; usually none.
    let depended: [DependedFile]
  }

  /// The default of the limit on the bytes of all scenarios together.
  static let defaultLimit = 64 << 20
  /// The limit on the number of scenarios.
  private static let largestCount = 64

  private struct State {
    /// In the order of use, the most recent last.
    var entries: [Entry] = []
    /// The approximate limit on the bytes of all scenarios together; 0 keeps none.
    var limit = LoadedScenarios.defaultLimit

    mutating func shrink() {
      var total = entries.reduce(0) { $0 + $1.byteCount }
      while let first = entries.first, total > limit || entries.count > largestCount || limit == 0 {
        total -= first.byteCount
        entries.removeFirst()
      }
    }
  }

  private let state = Locked(State())
  private let now: @Sendable () -> Date

  /// `now` returns the current time.
  init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The scenario, if it was loaded from this state of the file.
  func scenario(_ key: Key, of file: FileIdentity) -> LoadedScenario? {
    let entry: Entry? = state.withLock { state in
      guard let index = state.entries.lastIndex(where: { $0.key == key }) else { return nil }
      let entry = state.entries.remove(at: index)
      // What was loaded from another state of the file is no longer needed.
      guard entry.file == file else { return nil }
      state.entries.append(entry)
      return entry
    }
    return entry?.depended.allSatisfy(\.isUnchanged) == true ? entry?.scenario : nil
  }

  /// Whether something was loaded from this state of the file, which is therefore a whole catalog.
  func knows(_ file: FileIdentity, path: String, version: Int) -> Bool {
    state.withLock { state in
      state.entries.contains {
        $0.file == file && $0.key.path == path && $0.key.version == version
      }
    }
  }

  /// Keeps a scenario that was loaded from this state of the file; `byteCount` is its approximate size.
  ///
  /// A file that was changed a moment ago is left out, since its next change might go unnoticed.
  func keep(
    _ scenario: LoadedScenario, as key: Key, of file: FileIdentity, byteCount: Int,
    depended: [DependedFile] = []
  ) {
    let now = now()
    guard file.isSettled(at: now), depended.allSatisfy({ $0.isSettled(at: now) }) else { return }
    state.withLock { state in
      guard byteCount <= state.limit else { return }
      state.entries.removeAll { $0.key == key }
      state.entries.append(
        Entry(
          key: key, file: file, scenario: scenario, byteCount: byteCount, depended: depended))
      state.shrink()
    }
  }

  /// Changes the limit on the bytes of all scenarios together; 0 empties the cache and disables it.
  func setLimit(_ byteCount: Int) {
    state.withLock { state in
      state.limit = max(0, byteCount)
      state.shrink()
    }
  }
}
