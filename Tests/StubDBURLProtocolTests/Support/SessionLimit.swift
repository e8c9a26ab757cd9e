import Foundation

/// Limits the number of sessions that concurrent tests have at the same time.
///
/// On Linux each session opens two sockets, and with some 1,300 files open `Process.run` of Foundation 6.3.1 crashes.
actor SessionLimit {
  static let shared = SessionLimit(places: 40)
  /// Well below the number at which Foundation crashes, and the limit of 1,024 that many systems have.
  static let mostOpenFiles = 700

  private let places: Int
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) {
    self.places = places
    free = places
  }

  /// Runs the body as soon as the limit allows.
  func run(_ body: @Sendable () async throws -> Void) async throws {
    await take()
    defer { give() }
    try await waitForRoom()
    try await body()
  }

  /// Waits while other tests of the process have too many files open, except for one caller, which goes on whatever
  /// they have: a session that is never closed must show where it counts, and not hold up these tests.
  private func waitForRoom() async throws {
    while places - free > 1, Self.openFileCount > Self.mostOpenFiles {
      try await Task.sleep(nanoseconds: 20_000_000)
    }
  }

  private func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }

  /// The number of files that this process has open; 0 if the system does not list them.
  static var openFileCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
