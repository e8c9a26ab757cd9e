/// The expected outcome of a request.
public enum ConformanceOutcome: Sendable {
  /// A response of the stub: its status, required header fields with all their values, and
  /// its content as text.
  case response(
    stub: String, status: Int = 200, headers: [String: [String]] = [:], body: String = "",
    delayMilliseconds: Int = 0)
  /// A status 200 of the stub whose content comes in pieces, each this many milliseconds after the preceding one, and
  /// ends with the URL loading error if there is one; without pieces, it comes at once.
  case pieces(stub: String, body: String, [(bytes: Int, after: Int)], error: Int? = nil)
  /// The stub never answers.
  case silence(stub: String)
  /// The stub leaves the answer to the real network.
  case passthrough(stub: String)
  /// An error of the stub.
  case error(stub: String, domain: String, code: Int)
  /// Nothing matches, and these parts of the nearest stub differ, in this order; empty to leave the parts unchecked.
  case unmatched(off: [String] = [])
}
