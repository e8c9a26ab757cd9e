import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a client is told, in full.
enum Answer: Sendable {
  /// A response; no content is nil or empty.
  case response(HTTPURLResponse, Data?)
  /// An error in place of a response.
  case failure(any Error)
}
