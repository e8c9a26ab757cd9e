/// The parts of a date that have been read.
struct DateParts {
  private var fields = DateTime.Fields(year: 0)
  private var nanoseconds = 0
  private var zone: DateReader.Zone?
  private var hasYear = false
  private var halfDayHour: Int?
  private var isAfternoon: Bool?
  /// The day of the week, from Monday as 0.
  private var weekday: Int?

  /// The date; nil if the day or time does not exist, if the day of the week is wrong, or if no year was read.
  func date(zone offset: Int?) -> DateTime? {
    guard hasYear else { return nil }
    var fields = self.fields
    if let hour = halfDayHour, let isAfternoon { fields.hour = hour + (isAfternoon ? 12 : 0) }
    guard let local = DateTime(fields, nanoseconds: nanoseconds, offset: nil) else { return nil }
    if let weekday, weekday != local.weekday { return nil }
    let seconds = zone.map { $0.offset(atClock: local.clockSeconds) } ?? offset
    return DateTime(fields, nanoseconds: nanoseconds, offset: seconds)
  }

  /// Reads an element; false if the text does not have it.
  mutating func read(_ element: DateFormatElement, from reader: inout DateReader) -> Bool {
    switch element {
    case .literal(let text): return reader.take(text)
    case .number(let number, let width):
      guard let value = reader.number(width) else { return false }
      return set(number, value)
    case .fraction(let count):
      guard let value = reader.fraction(count...count) else { return false }
      nanoseconds = value
    case .month(let isShort):
      guard
        let index = reader.word(isShort ? Self.months.map { String($0.prefix(3)) } : Self.months)
      else { return false }
      fields.month = index + 1
    case .weekday(let isShort):
      weekday = reader.word(isShort ? Self.weekdays.map { String($0.prefix(3)) } : Self.weekdays)
      return weekday != nil
    case .halfDay:
      guard let index = reader.word(["AM", "PM"]) else { return false }
      isAfternoon = index == 1
    case .zone:
      zone = reader.zone()
      return zone != nil
    case .optional: return false
    }
    return true
  }

  private mutating func set(_ number: DateFormatElement.Number, _ value: Int) -> Bool {
    switch number {
    case .year: (fields.year, hasYear) = (value, true)
    case .twoDigitYear: (fields.year, hasYear) = (2000 + value, true)
    case .month: fields.month = value
    case .day: fields.day = value
    case .hour: fields.hour = value
    case .hourFrom1: fields.hour = value == 24 ? 0 : value
    case .halfDayHour: halfDayHour = value
    case .halfDayHourFrom1: halfDayHour = value == 12 ? 0 : value
    case .minute: fields.minute = value
    case .second: fields.second = value
    case .nanosecond: nanoseconds = value
    }
    let isHalfDay = (halfDayHour ?? 0) < 12 && value >= 0
    return isHalfDay && nanoseconds < 1_000_000_000
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
}
