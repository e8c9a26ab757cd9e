import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Foundation
#endif

/// What the running test case has: its interceptor and one session.
final class CurrentScope: Sendable {
  @TaskLocal static var value: CurrentScope?

  let interceptor: Interceptor
  /// One for the whole case, so that cookies last as long as it does.
  let session: URLSession

  init(_ interceptor: Interceptor) {
    self.interceptor = interceptor
    session = interceptor.urlSession()
  }
}
