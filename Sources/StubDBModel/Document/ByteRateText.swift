/// Speeds as a document writes them: a whole number and `B/s`, `kB/s` or `MB/s`.
package enum ByteRateText {
  /// The units, smallest first; a kilobyte has 1000 bytes.
  private static let units: [(name: String, bytes: Int)] = [
    ("B/s", 1), ("kB/s", 1000), ("MB/s", 1_000_000),
  ]

  /// Reads a speed in bytes a second; nil where the text is none, and for 0 and more than 9 digits.
  package static func parse(_ text: String) -> Int? {
    let digits = text.utf8.prefix { $0.isASCIIDigit }
    let unit = text.utf8.dropFirst(digits.count)
    guard digits.count <= 9, let count = Int(Substring(digits)), count > 0,
      let unit = units.first(where: { $0.name.utf8.elementsEqual(unit) })
    else { return nil }
    return count * unit.bytes
  }

  /// The speed in the largest unit in which it is whole.
  package static func text(_ bytesPerSecond: Int) -> String {
    let unit = units.last { bytesPerSecond % $0.bytes == 0 } ?? units[0]
    return "\(bytesPerSecond / unit.bytes)\(unit.name)"
  }
}
