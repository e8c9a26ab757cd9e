/// Durations in documents: a decimal number and `us`, `ms`, `s` or `min`.
package enum DurationText {
  /// The longest duration in a document.
  package static let maximum = Duration.seconds(24 * 60 * 60)

  /// The units, smallest first, in microseconds.
  private static let units: [(name: String, microseconds: Int64)] = [
    ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000),
  ]

  private static let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000

  /// Parses a duration; nil for other texts, and for more than 11 digits before the point or more than 12 after it.
  package static func parse(_ text: String) -> Duration? {
    var rest = text.utf8[...]
    guard let (count, digits) = takeDigits(from: &rest), digits <= 11 else { return nil }
    var attoseconds: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let (fraction, digits) = takeDigits(from: &rest), digits <= 12 else { return nil }
      attoseconds = fraction
      for _ in digits..<12 { attoseconds *= 10 }
    }
    guard let unit = units.first(where: { $0.name.utf8.elementsEqual(rest) }) else { return nil }
    let fraction = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
    return .microseconds(count) * unit.microseconds + fraction * unit.microseconds
  }

  /// Consumes the leading digits, 1 to 12; nil if there are none or more.
  private static func takeDigits(
    from text: inout Substring.UTF8View
  ) -> (value: Int64, digits: Int)? {
    var value: Int64 = 0
    var digits = 0
    while let byte = text.first, byte.isASCIIDigit {
      guard digits < 12 else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      digits += 1
      text.removeFirst()
    }
    return digits == 0 ? nil : (value, digits)
  }

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

/// Rates in documents: an integer and `B/s`, `kB/s` or `MB/s`.
package enum ByteRateText {
  /// The units, smallest first; a kilobyte has 1000 bytes.
  private static let units: [(name: String, bytes: Int)] = [
    ("B/s", 1), ("kB/s", 1000), ("MB/s", 1_000_000),
  ]

  /// Parses a rate in bytes per second; nil for other texts, for 0 and for more than 9 digits.
  package static func parse(_ text: String) -> Int? {
    let digits = text.utf8.prefix { $0.isASCIIDigit }
    let unit = text.utf8.dropFirst(digits.count)
    guard digits.count <= 9, let count = Int(Substring(digits)), count > 0,
      let unit = units.first(where: { $0.name.utf8.elementsEqual(unit) })
    else { return nil }
    return count * unit.bytes
  }

  /// The rate in the largest unit in which it is an integer.
  package static func text(_ bytesPerSecond: Int) -> String {
    let unit = units.last { bytesPerSecond % $0.bytes == 0 } ?? units[0]
    return "\(bytesPerSecond / unit.bytes)\(unit.name)"
  }
}
