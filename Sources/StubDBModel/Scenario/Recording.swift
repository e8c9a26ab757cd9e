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

    /// The time, and whether it has a time of day; nil for a leap second.
    package var moment: (date: DateTime, hasTime: Bool)? {
      DateText.date(at).map { ($0, at.utf8.count > 10) }
    }

    /// Seconds since 1970, with their fraction.
    private var seconds: Double {
      moment.map { Double($0.date.instant) + Double($0.date.nanoseconds) / 1e9 } ?? 0
    }

    private static func isTime(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      guard bytes.count > 10 else { return bytes.count == 10 && DateText.date(text) != nil }
      // The separators may be small letters. https://www.rfc-editor.org/rfc/rfc3339#section-5.6
      guard bytes.count > 19,
        let zone = bytes[19...].firstIndex(where: { "Zz+-".utf8.contains($0) }),
        bytes[19..<zone].allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) })
      else { return false }
      // A minute may have a leap second.
      let isLeap = bytes[17..<19].elementsEqual("60".utf8)
      let clock =
        bytes[..<17] + (isLeap ? Array("59".utf8) : Array(bytes[17..<19])) + bytes[19..<zone]
      let rest = String(decoding: bytes[zone...].dropFirst(), as: UTF8.self)
      return DateText.date(String(decoding: clock, as: UTF8.self)) != nil
        && (bytes[zone] | 0x20 == UInt8(ascii: "z")
          ? rest.isEmpty : rest.utf8.count == 5 && DateText.date("2000-01-01T" + rest) != nil)
    }
  }
}
