import Foundation
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that is to be answered: the task's own, or the one that a redirect made of it.
struct RequestHop: Sendable {
  /// As the client made it, or would have made it for the redirect.
  let request: URLRequest
  let url: URL
  /// As the engine sees it.
  var stubRequest: StubRequest
  /// How many redirects led here.
  var redirectCount = 0
}
