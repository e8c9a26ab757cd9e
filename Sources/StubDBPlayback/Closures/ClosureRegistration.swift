/// A closure that answers requests of an interceptor, until it is removed or the interceptor ends.
///
/// The closure stays registered even if this value is discarded.
public struct ClosureRegistration: Sendable {
  private let stub: ClosureStub
  private let closures: ClosureStubs

  init(stub: ClosureStub, closures: ClosureStubs) {
    self.stub = stub
    self.closures = closures
  }

  /// Removes the closure; requests that it has begun to answer still get its answer.
  ///
  /// Removing twice does nothing.
  public func remove() {
    closures.remove(stub)
  }
}
