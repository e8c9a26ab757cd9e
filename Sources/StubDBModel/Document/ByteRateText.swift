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
