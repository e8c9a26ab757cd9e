/// A protocol instance that an answer is prepared for; gone once its task is.
struct WeakLoader: Sendable {
  // Safe to share: weak references are read atomically, and what is called on the instance from other threads
  // touches only its lock box, its constants and its platform's way back to the client's thread.
  nonisolated(unsafe) private(set) weak var value: StubURLProtocol?

  init(_ value: StubURLProtocol) {
    self.value = value
  }
}
