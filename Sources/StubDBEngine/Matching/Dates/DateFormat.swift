import StubDBModel

/// A date format in the letters of Java's `DateTimeFormatter`, or `unix` and `epoch`.
///
/// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
struct DateFormat: Sendable {
  private enum Kind {
    /// Seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case epoch
    case pattern([DateFormatElement])
  }

  private let kind: Kind
  private let zone: Int?

  /// Parses the format; `zone` applies to dates without a zone.
  ///
  /// - Throws: An error at the place of the format, for unknown or unsupported letters.
  init(_ format: String, zone: Int? = nil) throws(CompileError) {
    self.zone = zone
    switch format.lowercased() {
    case "unix": kind = .unix
    case "epoch": kind = .epoch
    default:
      var parser = DateFormatParser(format)
      kind = .pattern(try parser.elements())
    }
  }

  /// The date that the whole text represents; nil if it does not have this format.
  func date(_ text: String) -> DateTime? {
    switch kind {
    case .unix: return Self.count(text).map { DateTime(clockSeconds: $0, offset: 0) }
    case .epoch:
      return Self.count(text).map { count in
        let second = count >= 0 ? count / 1000 : (count - 999) / 1000
        return DateTime(
          clockSeconds: second, nanoseconds: (count - second * 1000) * 1_000_000, offset: 0)
      }
    case .pattern(let elements):
      guard let parts = Self.read(elements[...], DateReader(text), DateParts()) else { return nil }
      return parts.date(zone: zone)
    }
  }

  private static func count(_ text: String) -> Int? {
    guard text.utf8.count <= 15 else { return nil }
    return Int(text)
  }

  /// Reads all elements up to the end of the text; optional parts are tried first as present, then as absent.
  private static func read(
    _ elements: ArraySlice<DateFormatElement>, _ reader: DateReader, _ parts: DateParts
  ) -> DateParts? {
    var (reader, parts, rest) = (reader, parts, elements)
    while let element = rest.first {
      rest = rest.dropFirst()
      if case .optional(let inner) = element {
        return read(inner + rest, reader, parts) ?? read(rest, reader, parts)
      }
      guard parts.read(element, from: &reader) else { return nil }
    }
    return reader.isAtEnd ? parts : nil
  }
}
