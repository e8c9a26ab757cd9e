public import StubDBEngine

/// No stub answers a request.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible {
  /// The request, the nearest stubs, and what to do.
  public let report: UnmatchedReport
  /// For people: the text of the report.
  public let description: String
}
