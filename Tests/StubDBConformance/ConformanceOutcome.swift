/// What a request of a conformance case must come to.
public enum ConformanceOutcome: Sendable {
  /// A response of the stub: its status, header fields that must be there with all their values, and
  /// its content as text.
  case response(
    stub: String, status: Int = 200, headers: [String: [String]] = [:], body: String = "",
    delayMilliseconds: Int = 0)
  /// A status 200 of the stub whose content comes in pieces, each this many milliseconds after the one before it, and
  /// breaks off with a URL loading error where there is one; without pieces all at once.
  case pieces(stub: String, body: String, [(bytes: Int, after: Int)], error: Int? = nil)
  /// Nothing comes from the stub, ever.
  case silence(stub: String)
  /// The stub leaves the answer to the real network.
  case passthrough(stub: String)
  /// An error of the stub.
  case error(stub: String, domain: String, code: Int)
  /// Nothing matches, and these parts of the nearest stub are off, in this order; empty for not said.
  case unmatched(off: [String] = [])
}
