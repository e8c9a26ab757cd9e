import Foundation
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request to answer: the task's own, or the one that follows a redirect.
struct RequestHop: Sendable {
  /// The request in Foundation's form.
  let request: URLRequest
  let url: URL
  /// The request in the engine's form.
  var stubRequest: StubRequest
  /// The number of redirects that led here.
  var redirectCount = 0
}
