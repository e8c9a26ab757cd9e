import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Foundation
#endif

/// The interceptor of the running test case, and its session.
final class CurrentScope: Sendable {
  @TaskLocal static var value: CurrentScope?

  let interceptor: Interceptor
  /// One session for the whole case, so that its cookies last.
  let session: URLSession

  init(_ interceptor: Interceptor) {
    self.interceptor = interceptor
    session = interceptor.urlSession()
  }
}
