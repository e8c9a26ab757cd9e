import StubDB
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Foundation
#endif

/// The interceptor of the running test case, and its session.
final class CurrentScope: Sendable {
  @TaskLocal static var value: CurrentScope?

  let interceptor: StubInterceptor
  private let madeSession = Locked(URLSession?.none)

  init(_ interceptor: StubInterceptor) {
    self.interceptor = interceptor
  }

  /// One for the whole case, so that cookies last as long as it does.
  ///
  /// Made only when it is asked for: on Linux each session has two sockets open.
  var session: URLSession {
    madeSession.withLock { made in
      if let made { return made }
      let session = interceptor.urlSession()
      made = session
      return session
    }
  }
}
