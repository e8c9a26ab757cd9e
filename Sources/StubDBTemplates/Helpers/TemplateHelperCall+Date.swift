import Foundation

extension TemplateHelperCall {
  /// The functions about time; nil for others.
  ///
  /// Offsets and formats as in WireMock: https://wiremock.org/docs/response-templating/#date-and-time-helpers
  func date(_ environment: any TemplateEnvironment) throws(Failure) -> TemplateValue? {
    switch name {
    case "now": return try formatted(try moved(environment.now))
    case "date": return try formatted(try moved(try parsed()))
    default: return nil
    }
  }

  private static let utc = TimeZone(secondsFromGMT: 0) ?? .current

  private func moved(_ date: Date) throws(Failure) -> Date {
    guard let option = options["offset"] else { return date }
    let text = option.plainText
    let parts = text.split(separator: " ")
    let units: [String: Calendar.Component] = [
      "second": .second, "minute": .minute, "hour": .hour, "day": .day, "month": .month,
      "year": .year,
    ]
    guard parts.count == 2, let count = Int(parts[0]), count.magnitude <= 1_000_000_000,
      let unit = units[parts[1].hasSuffix("s") ? String(parts[1].dropLast()) : String(parts[1])]
    else {
      throw Failure(
        message: "offset=\(shown(option)) is none; write one such as '3 days' or '-24 seconds'")
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = Self.utc
    guard let moved = calendar.date(byAdding: unit, value: count, to: date) else {
      throw Failure(message: "offset=\(shown(option)) leads out of the calendar")
    }
    return moved
  }

  private func formatted(_ date: Date) throws(Failure) -> TemplateValue {
    let zone = try timeZone()
    let format = options["format"]?.plainText
    let seconds = date.timeIntervalSince1970
    switch format {
    case "epoch": return .number(String(format: "%.0f", (seconds * 1000).rounded(.down)))
    case "unix": return .number(String(format: "%.0f", seconds.rounded(.down)))
    default: break
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = zone
    formatter.dateFormat = format ?? "yyyy-MM-dd'T'HH:mm:ssXXXXX"
    return .text(formatter.string(from: date))
  }

  private func timeZone() throws(Failure) -> TimeZone {
    guard let option = options["timezone"] else { return Self.utc }
    let name = option.plainText
    if let zone = TimeZone(identifier: name) ?? TimeZone(abbreviation: name) { return zone }
    throw Failure(
      message: "timezone=\(shown(option)) is not known; write one such as 'Europe/Berlin'")
  }

  /// Reads an ISO 8601 date, with a time or without, or the date of an HTTP field.
  private func parsed() throws(Failure) -> Date {
    let text = text(0).trimmingCharacters(in: .whitespaces)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = Self.utc
    for format in [
      "yyyy-MM-dd'T'HH:mm:ssXXXXX", "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX", "yyyy-MM-dd'T'HH:mm:ss",
      "yyyy-MM-dd", "EEE, dd MMM yyyy HH:mm:ss zzz",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    throw Failure(
      message: "\(shown(arguments[0])) is not a date; write one such as 2026-11-21T08:00:00Z")
  }
}
