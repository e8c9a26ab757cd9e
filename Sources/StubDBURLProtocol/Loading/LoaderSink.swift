import Foundation
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A protocol instance as the front end of an exchange.
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

  /// Cancels the task, which its client is told even while it is suspended.
  ///
  /// On another thread, because this may run on the queue that `cancel()` waits for: the last reference to an
  /// interceptor can be in a completion handler.
  func runEnded() {
    DispatchQueue.global().async { [task] in task.cancel() }
  }

  private struct NothingToCancel: Cancellable {
    func cancel() {}
  }
}

/// A weak reference to a protocol instance, which is gone once its task is.
struct WeakLoader: Sendable {
  // Safe to share: weak references are read atomically, and calls from other threads only use the instance's lock box,
  // its constants and its platform's way back to the client's thread.
  nonisolated(unsafe) private(set) weak var value: StubURLProtocol?

  init(_ value: StubURLProtocol) {
    self.value = value
  }
}

/// A weak reference to a task.
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
