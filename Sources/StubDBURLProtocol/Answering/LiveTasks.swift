import Foundation
import StubDBModel
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The tasks of one interceptor that wait for their answers, so that its end can cancel them.
final class LiveTasks: Sendable {
  private struct State {
    var isEnded = false
    var tasks: [ObjectIdentifier: WeakTask] = [:]
  }

  private let state = Locked(State())

  /// Whether requests are answered no more.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Notes a task that is waiting for its answer; false once the run has ended.
  func register(_ task: URLSessionTask?, for loader: ObjectIdentifier) -> Bool {
    state.withLock { state in
      guard !state.isEnded else { return false }
      if let task { state.tasks[loader] = WeakTask(task) }
      return true
    }
  }

  /// The task of this instance needs no cancelling any more.
  func forget(_ loader: ObjectIdentifier) {
    state.withLock { _ = $0.tasks.removeValue(forKey: loader) }
  }

  /// From now on nothing is decided; what waits for its answer is cancelled, shortly after this returns.
  func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      return Array(state.tasks.values)
    }
    guard !waiting.isEmpty else { return }
    // Elsewhere, because this may run on the queue that `cancel()` waits for: the last reference to an interceptor can
    // sit in a completion handler.
    DispatchQueue.global().async {
      for task in waiting { task.cancel() }
    }
  }
}
