public import StubDBEngine

/// Reports a request that no stub answers.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible {
  /// The request, the nearest stubs, and what to do.
  public let report: UnmatchedReport
  /// The text of the report.
  public let description: String
}
