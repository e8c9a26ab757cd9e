import Foundation
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A protocol instance that an answer is prepared for, as the front end of its exchange.
struct LoaderSink: ResponseSink {
  let loader: WeakLoader
  let task: WeakTask

  func tell(_ event: ResponseEvent) {
    loader.value?.receive(event)
  }

  func sendToNetwork() -> (any Cancellable)? {
    guard let loader = loader.value else { return NothingToCancel() }
    return loader.sendToNetwork()
  }

  /// Has the task cancelled, which its client hears of even while it is suspended.
  ///
  /// Elsewhere, because this may run on the queue that `cancel()` waits for: the last reference to an interceptor can
  /// sit in a completion handler.
  func runEnded() {
    DispatchQueue.global().async { [task] in task.cancel() }
  }

  private struct NothingToCancel: Cancellable {
    func cancel() {}
  }
}

/// A protocol instance that is watched but not kept alive; gone once its task is.
struct WeakLoader: Sendable {
  // Safe to share: weak references are read atomically, and what is called on the instance from other threads
  // touches only its lock box, its constants and its platform's way back to the client's thread.
  nonisolated(unsafe) private(set) weak var value: StubURLProtocol?

  init(_ value: StubURLProtocol) {
    self.value = value
  }
}

/// A task that is watched but not kept alive.
struct WeakTask: Sendable {
  // Safe to share: weak references are read atomically, and tasks may be cancelled from any thread.
  nonisolated(unsafe) private weak var task: URLSessionTask?

  init(_ task: URLSessionTask?) {
    self.task = task
  }

  func cancel() {
    task?.cancel()
  }
}
