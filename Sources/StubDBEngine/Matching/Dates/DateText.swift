/// Parses dates in the usual forms: ISO 8601, and the three of HTTP.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
enum DateText {
  /// The date; nil if the text has none of these forms.
  ///
  /// ISO 8601 with or without a zone, down to only a year; RFC 1123, RFC 1036 and asctime. A space in place of the `+`
  /// of a zone is accepted, because queries decode `+` as a space.
  static func date(_ text: String) -> DateTime? {
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
