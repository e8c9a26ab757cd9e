/// An element of a date format.
indirect enum DateFormatElement: Sendable {
  /// A numeric part of a date.
  enum Number: Sendable {
    case year, twoDigitYear, month, day, hour, hourFrom1, halfDayHour, halfDayHourFrom1, minute
    case second, nanosecond
  }

  case literal(String)
  case number(Number, ClosedRange<Int>)
  case fraction(Int)
  case month(isShort: Bool)
  case weekday(isShort: Bool)
  case halfDay
  case zone
  case optional([DateFormatElement])
}
