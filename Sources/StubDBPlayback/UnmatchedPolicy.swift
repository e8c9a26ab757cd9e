public import Foundation

/// What happens to a request that no stub answers.
///
/// It is in the journal in any case, and reaches the network only with ``passthrough``.
public enum UnmatchedPolicy: Hashable, Sendable {
  /// The client gets a `URLError` of code ``errorCode`` whose `localizedDescription` is the ``UnmatchedReport``'s text;
  /// the verification fails.
  case fail
  /// The request goes to the real network, through a session that is not intercepted; the verification takes such a
  /// request for what was asked for.
  case passthrough
  /// The client gets a response of this status, 100 to 999, with the report's text as its content; the verification
  /// takes such a request for what was asked for.
  case respond(Int)

  /// The code of the error that ``fail`` gives: `resourceUnavailable`, -1008.
  ///
  /// The network itself does not use it, and clients that repeat requests after transient errors do not
  /// repeat after this one.
  public static let errorCode = URLError.Code.resourceUnavailable
}
