/// Something under way that can be given up, from any thread, any number of times.
package protocol Cancellable: Sendable {
  func cancel()
}

extension Task: Cancellable {}
