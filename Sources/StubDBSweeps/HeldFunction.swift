/// The function of a test, kept beyond the call that gives it, since a repetition that hangs cannot be waited for.
final class HeldFunction: Sendable {
  typealias Function = @Sendable () async throws -> Void

  let perform: Function

  private init(_ function: @escaping Function) { perform = function }

  /// Keeps a function that a scope provider gets.
  static func holding(_ function: Function) -> HeldFunction {
    let make: (@escaping Function) -> HeldFunction = { HeldFunction($0) }
    // Safe: what Swift Testing gives to scope providers is a closure that it has on the heap (Runner, to 6.3); only the
    // protocol says that it does not escape, and both conventions pass the same two words.
    return unsafeBitCast(make, to: ((Function) -> HeldFunction).self)(function)
  }
}
