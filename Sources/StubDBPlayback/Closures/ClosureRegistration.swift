/// A closure that answers requests of an interceptor, until it is removed or the interceptor ends.
///
/// The closure stays when nobody keeps this.
public struct ClosureRegistration: Sendable {
  private let stub: ClosureStub
  private let closures: ClosureStubs

  init(stub: ClosureStub, closures: ClosureStubs) {
    self.stub = stub
    self.closures = closures
  }

  /// Takes the closure away; requests that it has begun to answer get its answer.
  ///
  /// Removing twice does nothing.
  public func remove() {
    closures.remove(stub)
  }
}
