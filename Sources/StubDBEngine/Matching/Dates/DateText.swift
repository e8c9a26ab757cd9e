/// Dates in the usual forms: ISO 8601, and the three of HTTP.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
enum DateText {
  /// The date; nil where the text has none of the forms.
  ///
  /// ISO 8601 with and without a zone, down to a year alone; RFC 1123, RFC 1036 and asctime. A space that stands where
  /// the `+` of a zone should is taken for one, since that is what becomes of it in a query.
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
