/// A unit of date offsets; the raw value is its word in a document.
package enum DateUnit: String, Sendable, CaseIterable {
  case seconds
  case minutes
  case hours
  case days
  case months
  case years
}

/// How far a date is moved, as text: `3 days`, `-1 hour`.
package struct DateOffset: Sendable {
  /// The largest number of units: far beyond every calendar, and safe to calculate with.
  package static let largest = 1_000_000_000

  package let count: Int
  package let unit: DateUnit

  package init(count: Int, unit: DateUnit) {
    (self.count, self.unit) = (count, unit)
  }

  /// Parses an offset; nil for other texts.
  package init?(_ text: String) {
    let words = text.lowercased().split(separator: " ")
    guard words.count == 2, let count = Int(words[0]),
      let unit = DateUnit(rawValue: String(words[1])) ?? DateUnit(rawValue: words[1] + "s")
    else { return nil }
    self.init(count: count, unit: unit)
  }

  /// Whether it can be calculated with.
  package var isUsable: Bool { count.magnitude <= Self.largest }
}

/// A truncation of dates; the raw value is its word in a document.
///
/// https://wiremock.org/docs/request-matching/#dates-and-times
package enum DateTruncation: String, Sendable, CaseIterable {
  case minute = "first second of minute"
  case hour = "first minute of hour"
  case day = "first hour of day"
  case month = "first day of month"
  case nextMonth = "first day of next month"
  case endOfMonth = "last day of month"
  case year = "first day of year"
  case nextYear = "first day of next year"
  case endOfYear = "last day of year"

  /// The date truncated in its own zone; whole days begin at midnight.
  package func applied(to date: DateTime) -> DateTime {
    var fields = date.fields
    fields.second = 0
    if self != .minute { fields.minute = 0 }
    if self != .minute, self != .hour { fields.hour = 0 }
    switch self {
    case .minute, .hour, .day: return date.at(fields)
    case .month, .nextMonth: fields.day = 1
    case .endOfMonth: fields.day = DateTime.dayCount(year: fields.year, month: fields.month)
    case .year, .nextYear: (fields.month, fields.day) = (1, 1)
    case .endOfYear: (fields.month, fields.day) = (12, 31)
    }
    switch self {
    case .nextMonth: return date.at(fields).moved(by: 1, .months)
    case .nextYear: return date.at(fields).moved(by: 1, .years)
    default: return date.at(fields)
    }
  }
}
