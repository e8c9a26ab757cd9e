/// A date format in the letters of Java's `DateTimeFormatter`, or `unix` and `epoch`.
///
/// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
package struct DateFormat: Sendable {
  private enum Kind {
    /// Seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case epoch
    case pattern([DateFormatElement])
  }

  private let kind: Kind
  private let zone: Int?

  /// Parses the format; `zone` applies to dates without a zone.
  ///
  /// - Throws: An error for unknown or unsupported letters.
  package init(_ format: String, zone: Int? = nil) throws(DateFormatError) {
    self.zone = zone
    switch format.lowercased() {
    case "unix": kind = .unix
    case "epoch": kind = .epoch
    default:
      var parser = DateFormatParser(format)
      kind = .pattern(try parser.elements())
    }
  }

  /// The date that the whole text represents; nil if it does not have this format.
  package func date(_ text: String) -> DateTime? {
    switch kind {
    case .unix: return Self.count(text).map { DateTime(clockSeconds: $0, offset: 0) }
    case .epoch:
      return Self.count(text).map { count in
        let second = count >= 0 ? count / 1000 : (count - 999) / 1000
        return DateTime(
          clockSeconds: second, nanoseconds: (count - second * 1000) * 1_000_000, offset: 0)
      }
    case .pattern(let elements):
      guard let parts = Self.read(elements[...], DateReader(text), DateParts()) else { return nil }
      return parts.date(zone: zone)
    }
  }

  private static func count(_ text: String) -> Int? {
    guard text.utf8.count <= 15 else { return nil }
    return Int(text)
  }

  /// Reads all elements up to the end of the text; optional parts are tried first as present, then as absent.
  private static func read(
    _ elements: ArraySlice<DateFormatElement>, _ reader: DateReader, _ parts: DateParts
  ) -> DateParts? {
    var (reader, parts, rest) = (reader, parts, elements)
    while let element = rest.first {
      rest = rest.dropFirst()
      if case .optional(let inner) = element {
        return read(inner + rest, reader, parts) ?? read(rest, reader, parts)
      }
      guard parts.read(element, from: &reader) else { return nil }
    }
    return reader.isAtEnd ? parts : nil
  }
}

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

/// Parses the letters of a date format.
struct DateFormatParser {
  private let characters: [Character]
  private var place = 0
  private var hasYear = false

  init(_ format: String) {
    characters = Array(format)
  }

  /// The elements of the whole format.
  mutating func elements() throws(DateFormatError) -> [DateFormatElement] {
    let elements = try elements(depth: 0)
    guard hasYear else { throw refusal("has no year, so that no text is a date") }
    return elements
  }

  private mutating func elements(depth: Int) throws(DateFormatError) -> [DateFormatElement] {
    var elements: [DateFormatElement] = []
    while place < characters.count {
      let character = characters[place]
      switch character {
      case "'": elements.append(.literal(try quoted()))
      case "[":
        guard depth < 8 else { throw refusal("nests optional parts too deep") }
        place += 1
        elements.append(.optional(try self.elements(depth: depth + 1)))
      case "]":
        guard depth > 0 else { throw refusal("closes a bracket that is not open") }
        place += 1
        return elements
      case _ where character.isASCII && character.isLetter:
        elements.append(try field(character))
      default:
        elements.append(.literal(String(character)))
        place += 1
      }
    }
    guard depth == 0 else { throw refusal("does not close a bracket") }
    return elements
  }

  /// Quoted text; two quotes are an escaped quote.
  private mutating func quoted() throws(DateFormatError) -> String {
    var text = ""
    place += 1
    while place < characters.count {
      let character = characters[place]
      place += 1
      guard character == "'" else {
        text.append(character)
        continue
      }
      guard place < characters.count, characters[place] == "'" else {
        return text.isEmpty ? "'" : text
      }
      text.append("'")
      place += 1
    }
    throw refusal("does not close a quote")
  }

  private mutating func field(_ letter: Character) throws(DateFormatError) -> DateFormatElement {
    let start = place
    while place < characters.count, characters[place] == letter { place += 1 }
    let count = place - start
    let width = count == 1 ? 1...2 : count...count
    switch letter {
    case "y", "u":
      hasYear = true
      if count == 2 { return .number(.twoDigitYear, 2...2) }
      let isFollowedByDigits = place < characters.count && "MLdHkhKmsSn".contains(characters[place])
      return .number(.year, count == 1 ? 1...9 : isFollowedByDigits ? count...count : count...9)
    case "M" where count > 2, "L" where count > 2: return .month(isShort: count == 3)
    case "M", "L": return .number(.month, width)
    case "d": return .number(.day, width)
    case "H": return .number(.hour, width)
    case "k": return .number(.hourFrom1, width)
    case "K": return .number(.halfDayHour, width)
    case "h": return .number(.halfDayHourFrom1, width)
    case "m": return .number(.minute, width)
    case "s": return .number(.second, width)
    case "n": return .number(.nanosecond, 1...9)
    case "S" where count <= 9: return .fraction(count)
    case "E": return .weekday(isShort: count <= 3)
    case "a": return .halfDay
    case "X", "x", "Z", "O", "z", "V": return .zone
    default:
      throw refusal(
        "holds \"\(String(repeating: letter, count: count))\"; the letters are "
          + "y M d H h k K a m s S n E and X x Z z V; put others in quotes")
    }
  }

  private func refusal(_ problem: String) -> DateFormatError { DateFormatError(problem: problem) }
}

/// Reports why a text is not a date format.
package struct DateFormatError: Error {
  /// The end of a sentence that begins with the format: `does not close a quote`.
  package let problem: String
}

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
