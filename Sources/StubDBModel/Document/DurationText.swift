/// Durations in documents: a decimal number and `us`, `ms`, `s` or `min`.
package enum DurationText {
  /// The longest duration in a document.
  package static let maximum = Duration.seconds(24 * 60 * 60)

  /// The units, smallest first, in microseconds.
  package static let units: [(name: String, microseconds: Int64)] = [
    ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000),
  ]

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
}

/// Rates in documents: an integer and `B/s`, `kB/s` or `MB/s`.
package enum ByteRateText {
  /// The units, smallest first; a kilobyte has 1000 bytes.
  package static let units: [(name: String, bytes: Int)] = [
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
}
