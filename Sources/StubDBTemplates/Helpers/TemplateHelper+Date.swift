import Foundation

extension TemplateHelper {
  private static let dateOptions = ["offset", "format", "timezone"]

  /// The functions about time.
  ///
  /// Offsets and formats follow WireMock: https://wiremock.org/docs/response-templating/#date-and-time-helpers
  static let dates: [TemplateHelper] = [
    TemplateHelper("now", 0...0, options: dateOptions, trial: .options([])) {
      (call, environment) throws(Failure) in
      try call.formatted(try call.moved(environment.now))
    },
    // Without a date, the current time is used, as in WireMock.
    TemplateHelper(
      "date", 0...1, options: dateOptions, trial: .options([.text("2026-11-21T08:00:00Z")])
    ) { (call, environment) throws(Failure) in
      let date = call.arguments.isEmpty ? environment.now : try call.parsed()
      return try call.formatted(try call.moved(date))
    },
    TemplateHelper("parseDate", 1...1, options: ["format", "timezone"]) {
      (call, _) throws(Failure) in
      .text(TemplateHelperCall.isoText(try call.parsed(call.options["format"]?.plainText)))
    },
    TemplateHelper("truncateDate", 2...2, trial: .never) { (call, environment) throws(Failure) in
      let date = try call.parsed()
      guard let truncated = environment.truncated(date, to: call.text(1)) else {
        throw Failure(
          message:
            "\(call.shown(call.arguments[1])) is not a unit to truncate a date to; write one such as "
            + "'first hour of day'")
      }
      return .text(TemplateHelperCall.isoText(truncated))
    },
  ]
}

extension TemplateHelperCall {
  private static let utc = TimeZone(secondsFromGMT: 0) ?? .current

  fileprivate func moved(_ date: Date) throws(Failure) -> Date {
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
        message:
          "offset=\(shown(option)) is not an offset; write one such as '3 days' or '-24 seconds'")
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = Self.utc
    guard let moved = calendar.date(byAdding: unit, value: count, to: date) else {
      throw Failure(message: "offset=\(shown(option)) is outside the calendar")
    }
    return moved
  }

  fileprivate func formatted(_ date: Date) throws(Failure) -> TemplateValue {
    let zone = try timeZone()
    let format = options["format"]?.plainText
    let seconds = date.timeIntervalSince1970
    switch format {
    case "epoch": return .number(String(format: "%.0f", (seconds * 1000).rounded(.down)))
    case "unix": return .number(String(format: "%.0f", seconds.rounded(.down)))
    default: break
    }
    let formatter = Self.formatter(zone)
    formatter.dateFormat =
      format.map { Self.withWeekdays($0, date, zone) } ?? "yyyy-MM-dd'T'HH:mm:ssXXXXX"
    return .text(formatter.string(from: date))
  }

  private static func formatter(_ zone: TimeZone) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = zone
    return formatter
  }

  /// The date in ISO 8601 and UTC, with milliseconds unless they are zero.
  fileprivate static func isoText(_ date: Date) -> String {
    let isWhole = date.timeIntervalSince1970 == date.timeIntervalSince1970.rounded()
    let formatter = formatter(utc)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss\(isWhole ? "" : ".SSS")XXXXX"
    return formatter.string(from: date)
  }

  /// Replaces Java's letter `u`, which Foundation reads as a year, by the number of the weekday (1 is Monday).
  private static func withWeekdays(_ format: String, _ date: Date, _ zone: TimeZone) -> String {
    guard format.contains("u") else { return format }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let weekday = String((calendar.component(.weekday, from: date) + 5) % 7 + 1)
    var (result, isQuoted, width) = ("", false, 0)
    for character in format + "\0" {
      if character == "u", !isQuoted {
        width += 1
        continue
      }
      if width > 0 { result += String(repeating: "0", count: width - 1) + weekday }
      width = 0
      if character == "'" { isQuoted.toggle() }
      if character != "\0" { result.append(character) }
    }
    return result
  }

  private func timeZone() throws(Failure) -> TimeZone {
    guard let option = options["timezone"] else { return Self.utc }
    let name = option.plainText
    if let zone = TimeZone(identifier: name) ?? TimeZone(abbreviation: name) { return zone }
    throw Failure(
      message: "timezone=\(shown(option)) is not known; write one such as 'Europe/Berlin'")
  }

  /// Parses an ISO 8601 date, with or without a time, or the date of a header field.
  fileprivate func parsed(_ format: String? = nil) throws(Failure) -> Date {
    let text = text(0).trimmingCharacters(in: .whitespaces)
    let formatter = Self.formatter(Self.utc)
    if let format {
      if format == "unix" || format == "epoch", let number = Double(text), number.isFinite {
        return Date(timeIntervalSince1970: format == "unix" ? number : number / 1000)
      }
      formatter.timeZone = try timeZone()
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
      throw Failure(message: "\(shown(arguments[0])) is not a date of the format \"\(format)\"")
    }
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
