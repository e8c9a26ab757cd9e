import Foundation

/// Reads parts of dates from the beginning of a text.
struct DateReader {
  private var bytes: ArraySlice<UInt8>

  init(_ text: String) {
    bytes = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { bytes.isEmpty }

  /// A number with this many digits.
  mutating func number(_ width: ClosedRange<Int>) -> Int? {
    var (value, count) = (0, 0)
    while count < width.upperBound, count < 18, let byte = bytes.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
      bytes.removeFirst()
    }
    return width.contains(count) ? value : nil
  }

  /// The digits after a decimal point as nanoseconds; digits beyond the ninth are dropped.
  mutating func fraction(_ width: ClosedRange<Int>) -> Int? {
    var (value, count) = (0, 0)
    while count < width.upperBound, let byte = bytes.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      if count < 9 { value = value * 10 + Int(byte - UInt8(ascii: "0")) }
      count += 1
      bytes.removeFirst()
    }
    guard width.contains(count) else { return nil }
    for _ in count..<max(count, 9) { value *= 10 }
    return value
  }

  /// Consumes the text, ignoring case; false, with nothing consumed, if it does not come next.
  mutating func take(_ text: String) -> Bool {
    let expected = text.utf8
    guard bytes.count >= expected.count,
      zip(bytes, expected).allSatisfy({ Self.lowered($0) == Self.lowered($1) })
    else { return false }
    bytes = bytes.dropFirst(expected.count)
    return true
  }

  /// The index of the first word that comes next.
  mutating func word(_ words: [String]) -> Int? {
    for (index, word) in words.enumerated() where take(word) { return index }
    return nil
  }

  /// An offset such as `Z`, `+01`, `+0130`, `+01:30` or `+01:30:00`, in seconds.
  mutating func offset(allowsSpace: Bool = false) -> Int? {
    if take("Z") { return 0 }
    let isNegative: Bool
    if take("-") {
      isNegative = true
    } else if take("+") || (allowsSpace && take(" ")) {
      isNegative = false
    } else {
      return nil
    }
    guard let hours = number(2...2) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      let before = bytes
      _ = take(":")
      guard let part = number(2...2), part < 60 else {
        bytes = before
        break
      }
      seconds += part * unit
    }
    return seconds <= 18 * 3600 ? (isNegative ? -seconds : seconds) : nil
  }

  /// A zone: an offset, a name of RFC 822, or a name of the time zone database.
  mutating func zone() -> Zone? {
    if let offset = offset() { return .offset(offset) }
    let letters = bytes.prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    let name = String(decoding: letters, as: UTF8.self)
    bytes = bytes.dropFirst(letters.count)
    switch name.uppercased() {
    case "GMT", "UTC", "UT": return .offset(offset() ?? 0)
    case "EDT": return .offset(-4 * 3600)
    case "EST", "CDT": return .offset(-5 * 3600)
    case "CST", "MDT": return .offset(-6 * 3600)
    case "MST", "PDT": return .offset(-7 * 3600)
    case "PST": return .offset(-8 * 3600)
    default: return name.contains("/") ? TimeZone(identifier: name).map(Zone.named) : nil
    }
  }

  /// The local time in a zone.
  enum Zone {
    case offset(Int)
    case named(TimeZone)

    /// Seconds east of UTC at this local time; the earlier offset if there are two.
    func offset(atClock seconds: Int) -> Int {
      switch self {
      case .offset(let offset): return offset
      case .named(let zone):
        let guess = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds - guess)))
      }
    }
  }

  /// Parses a whole text as a date of ISO 8601; parts may be missing from the right: `2026-11-21T08:00`, `2026-11-21`,
  /// `2026`.
  mutating func isoDate() -> DateTime? {
    guard let year = number(4...4) else { return nil }
    var fields = DateTime.Fields(year: year)
    for part in [\DateTime.Fields.month, \.day] {
      if isAtEnd { return DateTime(fields, offset: nil) }
      guard take("-"), let value = number(2...2) else { return nil }
      fields[keyPath: part] = value
    }
    if isAtEnd { return DateTime(fields, offset: nil) }
    guard take("T"), let hour = number(2...2), take(":"), let minute = number(2...2) else {
      return nil
    }
    (fields.hour, fields.minute) = (hour, minute)
    var nanoseconds = 0
    if take(":") {
      guard let second = number(2...2) else { return nil }
      fields.second = second
      if take(".") || take(",") {
        guard let fraction = fraction(1...30) else { return nil }
        nanoseconds = fraction
      }
    }
    if isAtEnd { return DateTime(fields, nanoseconds: nanoseconds, offset: nil) }
    guard let offset = offset(allowsSpace: true) else { return nil }
    // Java writes the name of the zone after its offset.
    if take("[") { bytes = bytes.drop { $0 != UInt8(ascii: "]") }.dropFirst() }
    return isAtEnd ? DateTime(fields, nanoseconds: nanoseconds, offset: offset) : nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// Parses dates in the usual forms: ISO 8601, and the three of HTTP.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
package enum DateText {
  /// The date; nil if the text has none of these forms.
  ///
  /// ISO 8601 with or without a zone, down to only a year; RFC 1123, RFC 1036 and asctime. A space in place of the `+`
  /// of a zone is accepted, because queries decode `+` as a space.
  package static func date(_ text: String) -> DateTime? {
    var reader = DateReader(text)
    if let date = reader.isoDate() { return date }
    for format in formats {
      if let date = format.date(text) { return date }
    }
    return nil
  }

  private static let formats: [DateFormat] =
    [
      "EEE, d MMM yyyy HH:mm[:ss] z", "EEEE, dd-MMM-yy HH:mm:ss z",
    ].compactMap { try? DateFormat($0) }
    + [
      "EEE MMM dd HH:mm:ss yyyy", "EEE MMM  d HH:mm:ss yyyy",
    ].compactMap { try? DateFormat($0, zone: 0) }
}
