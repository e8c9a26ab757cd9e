internal import StubDBModel

/// The times of other tools, in milliseconds, as those of stubs.
enum ResponseTime {
  /// A year, in milliseconds.
  private static let longest = 365.0 * 86_400_000

  /// A time.
  ///
  /// - Throws: ``Untranslatable`` for a negative time, and one of more than a year.
  static func duration(milliseconds: Double) throws -> Duration {
    guard (0...longest).contains(milliseconds) else { throw Untranslatable("the delay") }
    return .microseconds(Int((milliseconds * 1000).rounded()))
  }

  /// The time of a value; zero without one.
  static func duration(_ value: SourceValue?) throws -> Duration {
    guard let value = value.orIgnoredNull else { return .zero }
    guard let time = value.number else { throw Untranslatable("the delay") }
    return try duration(milliseconds: time)
  }

  /// Any time between two.
  static func uniform(_ shortest: Double, _ longest: Double) throws -> ResponseDelay {
    .uniform(try duration(milliseconds: shortest), try duration(milliseconds: longest))
  }

  static func lognormal(median: Double, sigma: Double) throws -> ResponseDelay {
    .lognormal(median: try duration(milliseconds: median), sigma: sigma)
  }
}

extension ResponseDelay {
  /// A fixed time; nil for none.
  static func ifAny(_ time: Duration) -> ResponseDelay? { time == .zero ? nil : .fixed(time) }
}
