/// Times as a document writes them: a decimal number and `us`, `ms`, `s` or `min`.
package enum DurationText {
  /// The longest time that a document may say.
  package static let maximum = Duration.seconds(24 * 60 * 60)

  /// The units, smallest first, with how many microseconds they have.
  private static let units: [(name: String, microseconds: Int64)] = [
    ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000),
  ]

  private static let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000

  /// Reads a time; nil where the text is none, and where it has more than 11 digits before its point
  /// or more than 12 behind it.
  package static func parse(_ text: String) -> Duration? {
    let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let unit = units.first(where: { $0.name == text[number.endIndex...] }) else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, (1...11).contains(whole.utf8.count),
      let count = Int64(whole)
    else { return nil }
    var attoseconds: Int64 = 0
    if parts.count == 2 {
      guard (1...12).contains(parts[1].utf8.count), let digits = Int64(parts[1]) else { return nil }
      attoseconds = digits
      for _ in parts[1].utf8.count..<12 { attoseconds *= 10 }
    }
    let fraction = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
    return .microseconds(count) * unit.microseconds + fraction * unit.microseconds
  }

  /// The time in the largest unit in which it is whole: `1500ms`, `2s`, `0s`.
  ///
  /// A time that is finer than a microsecond is a decimal fraction of microseconds.
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
