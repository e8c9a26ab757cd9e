import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task that is watched but not kept alive.
struct WeakTask: Sendable {
  // Safe to share: weak references are read atomically, and tasks may be cancelled from any thread.
  nonisolated(unsafe) private weak var task: URLSessionTask?

  init(_ task: URLSessionTask) {
    self.task = task
  }

  func cancel() {
    task?.cancel()
  }
}
