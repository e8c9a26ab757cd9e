internal import StubDBJSON

/// Times and distributions of delays, as documents write them.
enum ResponseTime {
  /// A year, in milliseconds.
  private static let longest = 365.0 * 86_400_000

  /// A time.
  ///
  /// - Throws: ``Untranslatable`` for a negative time, and one of more than a year.
  static func fixed(milliseconds: Double) throws -> JSONValue {
    guard (0...longest).contains(milliseconds) else { throw Untranslatable("the delay") }
    let micros = Int((milliseconds * 1000).rounded())
    return .string(micros.isMultiple(of: 1000) ? "\(micros / 1000)ms" : "\(micros)us")
  }

  /// Any time between two.
  static func uniform(_ shortest: Double, _ longest: Double) throws -> JSONValue {
    .object([
      "uniform": .array([
        try fixed(milliseconds: shortest), try fixed(milliseconds: longest),
      ])
    ])
  }

  /// A log-normal distribution.
  static func lognormal(median: Double, sigma: Double) throws -> JSONValue {
    .object([
      "lognormal": .object([
        "median": try fixed(milliseconds: median),
        "sigma": JSONNumber(sigma).map(JSONValue.number) ?? 0,
      ])
    ])
  }
}
