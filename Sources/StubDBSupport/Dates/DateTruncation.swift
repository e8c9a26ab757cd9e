/// A unit of date offsets; the raw value is its word in a document.
package enum DateUnit: String, Sendable, CaseIterable {
  case seconds
  case minutes
  case hours
  case days
  case months
  case years
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
