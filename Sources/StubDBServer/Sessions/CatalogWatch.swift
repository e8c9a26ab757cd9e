#if Server
import NIOCore
import StubDBCatalog
import StubDBCatalogEditing
import StubDBPlayback
import StubDBSupport

/// Notices changes of a catalog, of the lock file and of other catalogs that it names, and has the sessions play them.
///
/// It looks at the state of the files in intervals, which works on all file systems. Programs like git write in place,
/// so that a file is read only if it was the same twice; what cannot be read then leaves the old scenarios in play.
final class CatalogWatch: Sendable {
  /// What two looks at a file mean.
  struct Looks {
    /// The state that was read, or could not be.
    private var known: CatalogState?
    private var last: CatalogState?

    init(known: CatalogState?) {
      (self.known, last) = (known, known)
    }

    /// Whether the file has to be read: it is another one than before, and has not changed since the last look.
    mutating func isToBeRead(_ now: CatalogState?) -> Bool {
      defer { last = now }
      guard let now, now != known, now == last else { return false }
      known = now
      return true
    }

    /// Whoever has written the file has it read at once.
    mutating func isRead(_ now: CatalogState?) { (known, last) = (now, now) }
  }

  private let states: CatalogStates
  private let sessions: SessionTable
  private let metrics: Metrics
  private let looks: Locked<Looks>
  /// Whether the file is being read on another thread, and whether it could not be read last time.
  private let state = Locked((isReading: false, isUnreadable: false))
  private let note: @Sendable (String) -> Void

  init(
    _ catalog: Catalog, _ sessions: SessionTable, _ metrics: Metrics,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.sessions, self.metrics, self.note) = (sessions, metrics, note)
    states = CatalogStates(of: catalog)
    looks = Locked(Looks(known: states.now()))
  }

  /// Looks at the file, and reads it on another thread if it has changed.
  func look() {
    guard !state.withLock({ $0.isReading }) else { return }
    let now = states.now()
    guard looks.withLock({ $0.isToBeRead(now) }) else { return }
    state.withLock { $0.isReading = true }
    BlockingThreads.shared.run { [self] in
      read()
      state.withLock { $0.isReading = false }
    }
  }

  /// Reads the file, which the server itself has changed, so that whoever asked for that gets no old answers any more.
  func readOwnChange() {
    let now = states.now()
    looks.withLock { $0.isRead(now) }
    read()
  }

  private func read() {
    let problems = sessions.reload()
    metrics.countReload(hasFailed: !problems.isEmpty)
    // A file that is being written may be refused for several reasons, one after another.
    let isNew = state.withLock { state in
      defer { state.isUnreadable = !problems.isEmpty }
      return !state.isUnreadable
    }
    if isNew { for problem in problems { note(problem) } }
    if isNew || problems.isEmpty { sessions.events.catalogChanged(problems: problems) }
  }
}
#endif
