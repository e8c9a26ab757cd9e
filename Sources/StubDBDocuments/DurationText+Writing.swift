package import StubDBModel

extension DurationText {
  private static let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000

  /// The duration in the largest unit in which it is an integer: `1500ms`, `2s`, `0s`.
  ///
  /// A duration finer than a microsecond is written as a decimal fraction of microseconds.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / attosecondsPerMicrosecond
    let rest = attoseconds % attosecondsPerMicrosecond
    if rest != 0 {
      let digits = String(abs(rest))
      let fraction = String(repeating: "0", count: 12 - digits.count) + digits
      return "\(microseconds)." + fraction.trimmingZeros + "us"
    }
    if microseconds == 0 { return "0s" }
    let unit = units.last { microseconds % $0.microseconds == 0 } ?? units[0]
    return "\(microseconds / unit.microseconds)\(unit.name)"
  }
}

extension String {
  fileprivate var trimmingZeros: Substring {
    self[...(lastIndex { $0 != "0" } ?? startIndex)]
  }
}

extension ByteRateText {
  /// The rate in the largest unit in which it is an integer.
  package static func text(_ bytesPerSecond: Int) -> String {
    let unit = units.last { bytesPerSecond % $0.bytes == 0 } ?? units[0]
    return "\(bytesPerSecond / unit.bytes)\(unit.name)"
  }
}
