/// Reports that another interceptor already intercepts `URLSession.shared`.
public struct SharedSessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scenario that was to answer.
  public let scenario: String
  /// The scenario that answers now.
  public let holder: String

  /// One sentence that says what failed, why, and what to do.
  public var description: String {
    "URLSession.shared cannot be answered by scenario \"\(scenario)\", because scenario \"\(holder)\" answers it; "
      + "a process has one shared session, so end the other interceptor first, run these tests with "
      + ".serialized, or hand the code under test a session of its own"
  }
}
