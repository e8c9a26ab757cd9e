/// Reports why compressed bytes cannot be decompressed.
struct InflateError: Error {
  /// The reason as a phrase.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// More bytes than allowed.
  static let tooLarge = InflateError("it contains too many bytes")
}
