import Foundation
import StubDBSupport

extension TemplateHelper {
  private static let dateOptions = ["offset", "format", "timezone"]

  /// The functions about time.
  ///
  /// Offsets and formats follow WireMock: https://wiremock.org/docs/response-templating/#date-and-time-helpers
  static let dates: [TemplateHelper] = [
    TemplateHelper("now", 0...0, options: dateOptions, trial: .options([])) {
      (call, environment) throws(Failure) in
      try call.formatted(try call.moved(DateTime(environment.now)))
    },
    // Without a date, the current time is used, as in WireMock.
    TemplateHelper(
      "date", 0...1, options: dateOptions, trial: .options([.text("2026-11-21T08:00:00Z")])
    ) { (call, environment) throws(Failure) in
      let date = call.arguments.isEmpty ? DateTime(environment.now) : try call.parsed()
      return try call.formatted(try call.moved(date))
    },
    TemplateHelper("parseDate", 1...1, options: ["format", "timezone"]) {
      (call, _) throws(Failure) in
      .text(try call.parsed(call.options["format"]?.plainText).isoText)
    },
    TemplateHelper("truncateDate", 2...2) { (call, _) throws(Failure) in
      let date = try call.parsed()
      guard let truncation = DateTruncation(rawValue: call.text(1)) else {
        throw Failure(
          message:
            "\(call.shown(call.arguments[1])) is not a unit to truncate a date to; write one such as "
            + "'first hour of day'")
      }
      let moment = DateTime(clockSeconds: date.instant, nanoseconds: date.nanoseconds, offset: 0)
      return .text(truncation.applied(to: moment).isoText)
    },
  ]
}

extension TemplateHelperCall {
  fileprivate func moved(_ date: DateTime) throws(Failure) -> DateTime {
    guard let option = options["offset"] else { return date }
    guard let offset = DateOffset(option.plainText), offset.isUsable else {
      throw Failure(
        message:
          "offset=\(shown(option)) is not an offset; write one such as '3 days' or '-24 seconds'")
    }
    // Days and months are those of UTC.
    let moved = DateTime(clockSeconds: date.instant, nanoseconds: date.nanoseconds, offset: 0)
      .moved(by: offset.count, offset.unit)
    guard (-9999...9999).contains(moved.fields.year) else {
      throw Failure(message: "offset=\(shown(option)) leads outside the years -9999 to 9999")
    }
    return moved
  }

  fileprivate func formatted(_ date: DateTime) throws(Failure) -> TemplateValue {
    let zone = try timeZone()
    let format = options["format"]?.plainText ?? "yyyy-MM-dd'T'HH:mm:ssXXXXX"
    let text = date.text(format, in: zone)
    return format == "epoch" || format == "unix" ? .number(text) : .text(text)
  }

  private func timeZone() throws(Failure) -> TimeZone {
    guard let option = options["timezone"] else { return DateTime.utc }
    let name = option.plainText
    if let zone = TimeZone(identifier: name) ?? TimeZone(abbreviation: name) { return zone }
    throw Failure(
      message: "timezone=\(shown(option)) is not known; write one such as 'Europe/Berlin'")
  }

  /// Parses a date of the format, or one in the usual forms.
  fileprivate func parsed(_ format: String? = nil) throws(Failure) -> DateTime {
    let text = text(0).trimmingCharacters(in: .whitespaces)
    guard let format else {
      if let date = DateText.date(text) { return date.local(in: DateTime.utc) }
      throw Failure(
        message: "\(shown(arguments[0])) is not a date; write one such as 2026-11-21T08:00:00Z")
    }
    let zone = try timeZone()
    do throws(DateFormatError) {
      if let date = try DateFormat(format).date(text) { return date.local(in: zone) }
    } catch {
      throw Failure(message: "the format \"\(format)\" \(error.problem)")
    }
    throw Failure(message: "\(shown(arguments[0])) is not a date of the format \"\(format)\"")
  }
}
