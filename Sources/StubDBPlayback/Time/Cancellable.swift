/// Work in progress that can be cancelled, from any thread, any number of times.
package protocol Cancellable: Sendable {
  func cancel()
}

extension Task: Cancellable {}
