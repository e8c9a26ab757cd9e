public import StubDBSupport

extension Stub {
  /// When and from where a stub was recorded; it plays no part in matching.
  public struct Recording: Hashable, Sendable {
    /// The day or the instant, as an RFC 3339 date (`2026-11-21`) or date-time (`2026-11-21T09:30:00Z`).
    ///
    /// A day keeps a recording that changes nothing from changing the document. https://www.rfc-editor.org/rfc/rfc3339
    public let at: String
    /// What was recorded, such as `https://api.shop.test`; nil if it is not known.
    @ByBytes public var from: String?

    /// Makes a recording; nil if the text is not a date or a date-time.
    public init?(at: String, from: String? = nil) {
      guard Self.isTime(at) else { return nil }
      (self.at, self.from) = (at, from)
    }

    /// The day, as `2026-11-21`, in the recording's own time zone.
    package var day: String { String(at.prefix(10)) }

    /// Whether this one is the earlier of two, a day counting from its beginning in UTC.
    ///
    /// For two of one time the texts decide, so that a merge has the same result on both sides.
    package func isBefore(_ other: Recording) -> Bool {
      if (seconds, at) != (other.seconds, other.at) {
        return (seconds, at) < (other.seconds, other.at)
      }
      return (from ?? "").precedesByBytes(other.from ?? "")
    }

    /// Seconds since 1970, with their fraction.
    private var seconds: Double {
      DateText.date(at).map { Double($0.instant) + Double($0.nanoseconds) / 1e9 } ?? 0
    }

    private static func isTime(_ text: String) -> Bool {
      // The separators may be small letters. https://www.rfc-editor.org/rfc/rfc3339#section-5.6
      let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
        $0 == "T" || $0 == "t"
      }
      return isDate(parts[0]) && (parts.count == 1 || isTimeOfDay(parts[1]))
    }

    private static func isDate(_ text: Substring) -> Bool {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let year = number(parts[0], digits: 4),
        let month = number(parts[1], digits: 2), let day = number(parts[2], digits: 2)
      else { return false }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      return days.indices.contains(month - 1) && (1...days[month - 1]).contains(day)
    }

    /// `09:30:00`, with a fraction if need be, and its distance from UTC: `Z`, `+01:00`.
    private static func isTimeOfDay(_ text: Substring) -> Bool {
      guard let end = text.firstIndex(where: { "Zz+-".contains($0) }) else { return false }
      let (clock, zone) = (text[..<end], text[end...])
      if zone.lowercased() != "z", !isClock(zone.dropFirst(), parts: 2) { return false }
      let parts = clock.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[1].isEmpty || number(parts[1], digits: parts[1].count) == nil {
        return false
      }
      return isClock(parts[0], parts: 3)
    }

    /// Hours, minutes and, with three parts, seconds up to 60, which a leap second has.
    private static func isClock(_ text: Substring, parts count: Int) -> Bool {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count == count
        && zip(parts, [23, 59, 60]).allSatisfy { part, limit in
          number(part, digits: 2).map { $0 <= limit } ?? false
        }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
      guard text.utf8.count == digits, digits <= 18,
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return Int(text)
    }
  }
}
