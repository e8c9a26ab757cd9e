/// What a request of a conformance case must come to.
public enum ConformanceOutcome: Sendable {
  /// A response of the stub: its status, header fields that must be there with all their values, and
  /// its content as text.
  case response(
    stub: String, status: Int = 200, headers: [String: [String]] = [:], body: String = "",
    delayMilliseconds: Int = 0)
  /// An error of the stub.
  case error(stub: String, domain: String, code: Int)
  /// Nothing matches, and these parts of the nearest stub are off, in this order; empty for not said.
  case unmatched(off: [String] = [])
}
