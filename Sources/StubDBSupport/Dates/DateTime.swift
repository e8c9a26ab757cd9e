package import Foundation

/// A date and time of day as written: the local time, and the offset of its zone if it has one.
///
/// The calendar is the Gregorian one for all years, as in ISO 8601.
package struct DateTime: Hashable, Sendable {
  /// The fields of a local time.
  package struct Fields: Hashable, Sendable {
    package var year: Int
    package var month = 1
    package var day = 1
    package var hour = 0
    package var minute = 0
    package var second = 0

    package init(year: Int, month: Int = 1, day: Int = 1) {
      (self.year, self.month, self.day) = (year, month, day)
    }
  }

  /// The local time, in seconds since 1970-01-01 00:00:00 local time.
  package private(set) var clockSeconds: Int
  /// The fraction of a second in nanoseconds, 0 to 999,999,999.
  package private(set) var nanoseconds: Int
  /// Seconds east of UTC; nil without a zone.
  package private(set) var offset: Int?

  package init(clockSeconds: Int, nanoseconds: Int = 0, offset: Int?) {
    self.clockSeconds = clockSeconds
    self.nanoseconds = nanoseconds
    self.offset = offset
  }

  /// Makes a moment in UTC.
  package init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    self.init(
      clockSeconds: Int(whole), nanoseconds: min(999_999_999, Int((seconds - whole) * 1e9)),
      offset: 0)
  }

  /// Makes a date; nil if the day or the time does not exist.
  package init?(_ fields: Fields, nanoseconds: Int = 0, offset: Int?) {
    guard (1...12).contains(fields.month), fields.day >= 1,
      fields.day <= Self.dayCount(year: fields.year, month: fields.month),
      (0...23).contains(fields.hour), (0...59).contains(fields.minute),
      (0...59).contains(fields.second), abs(offset ?? 0) <= 18 * 3600
    else { return nil }
    self.init(
      clockSeconds: Self.seconds(fields), nanoseconds: nanoseconds, offset: offset)
  }

  /// Seconds since 1970-01-01 00:00:00 UTC; a time without a zone is taken as UTC.
  package var instant: Int { clockSeconds - (offset ?? 0) }

  /// The days since 1970-01-01, local time.
  package var day: Int { Self.floorDivided(clockSeconds, 86_400) }

  /// The day of the week, from Monday as 0; 1970-01-01 was a Thursday.
  package var weekday: Int { day + 3 - Self.floorDivided(day + 3, 7) * 7 }

  /// The fields of the local time.
  package var fields: Fields {
    let days = Self.floorDivided(clockSeconds, 86_400)
    let second = clockSeconds - days * 86_400
    var fields = Self.date(ofDay: days)
    (fields.hour, fields.minute, fields.second) = (
      second / 3600, second / 60 % 60, second % 60
    )
    return fields
  }

  /// The same offset at another local time.
  package func at(_ fields: Fields) -> DateTime {
    DateTime(clockSeconds: Self.seconds(fields), offset: offset)
  }

  /// The date moved by a number of units; months and years are calendar months and years.
  ///
  /// A day that the new month does not have becomes its last day.
  package func moved(by count: Int, _ unit: DateUnit) -> DateTime {
    var copy = self
    switch unit {
    case .seconds: copy.clockSeconds += count
    case .minutes: copy.clockSeconds += count * 60
    case .hours: copy.clockSeconds += count * 3600
    case .days: copy.clockSeconds += count * 86_400
    case .months, .years:
      var fields = self.fields
      let months = fields.month - 1 + (unit == .years ? count * 12 : count)
      fields.year += Self.floorDivided(months, 12)
      fields.month = months - Self.floorDivided(months, 12) * 12 + 1
      fields.day = min(fields.day, Self.dayCount(year: fields.year, month: fields.month))
      copy.clockSeconds = Self.seconds(fields)
    }
    return copy
  }

  /// The number of days in a month.
  package static func dayCount(year: Int, month: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static func seconds(_ fields: Fields) -> Int {
    day(year: fields.year, month: fields.month, day: fields.day) * 86_400 + fields.hour * 3600
      + fields.minute * 60 + fields.second
  }

  /// Days since 1970-01-01, computed in eras of 400 years that begin on 1 March.
  private static func day(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivided(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The inverse of ``day(year:month:day:)``.
  private static func date(ofDay day: Int) -> Fields {
    let shifted = day + 719_468
    let era = floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let place = (5 * dayOfYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return Fields(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * place + 2) / 5 + 1)
  }

  private static func floorDivided(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}

extension DateTime: CustomStringConvertible {
  /// The date in ISO 8601, to the second.
  package var description: String {
    let fields = self.fields
    let text =
      "\(Self.padded(fields.year, 4))-\(Self.padded(fields.month, 2))-\(Self.padded(fields.day, 2))"
      + "T\(Self.padded(fields.hour, 2)):\(Self.padded(fields.minute, 2))"
      + ":\(Self.padded(fields.second, 2))"
    guard let offset else { return text }
    if offset == 0 { return text + "Z" }
    let minutes = abs(offset) / 60
    return text + (offset < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + ":"
      + Self.padded(minutes % 60, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(abs(number))
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count))
      + digits
  }
}
