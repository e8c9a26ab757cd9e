/// Why compressed bytes cannot be read.
struct InflateError: Error {
  /// The reason as a phrase.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// More bytes than are allowed.
  static let tooLarge = InflateError("it holds too many bytes")
}
