/// Why compressed bytes cannot be read.
struct InflateError: Error {
  /// The reason as a phrase.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
