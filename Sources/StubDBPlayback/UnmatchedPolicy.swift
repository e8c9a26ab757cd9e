public import Foundation

/// What happens to a request that no stub answers.
///
/// The request is in the journal in any case, and reaches the network only with ``passthrough``.
public enum UnmatchedPolicy: Hashable, Sendable {
  /// The client gets a `URLError` with the code ``errorCode``, whose `localizedDescription` is the text of the
  /// ``UnmatchedReport``, and verification fails.
  case fail
  /// The request goes to the real network, through a session that is not intercepted; verification accepts it.
  case passthrough
  /// The client gets a response with this status, 100 to 999, and the text of the report as its content; verification
  /// accepts it.
  case respond(Int)

  /// The code of the error of ``fail``: `resourceUnavailable`, -1008.
  ///
  /// The network itself does not use this code, and clients that retry after transient errors do not retry after it.
  public static let errorCode = URLError.Code.resourceUnavailable
}
