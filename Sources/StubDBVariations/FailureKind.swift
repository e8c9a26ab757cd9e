/// A failure that a stub is given in place of its answers; the raw value is its name in those of variations.
package enum FailureKind: String, Hashable, Sendable, CaseIterable {
  case noConnection = "no-connection"
  case timeout
  case reset
  case serverError = "500"
  case unauthorized = "401"
  case tooManyRequests = "429"
  case empty
  case truncated
  case captivePortal = "captive-portal"
}
