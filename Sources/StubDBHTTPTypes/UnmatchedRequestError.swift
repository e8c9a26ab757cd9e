public import StubDBEngine

/// No stub answers a request.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible {
  /// The request, the nearest stubs, and what to do.
  public let report: UnmatchedReport

  /// The text of the report.
  public var description: String { report.text }
}
