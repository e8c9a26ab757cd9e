internal import Foundation
internal import StubDBModel
package import StubDBSupport

/// A moment for which a catalog is checked: a time from now, such as `+18mo`, `+30d`, `+8w` or `+2y`, or a date as in
/// `recorded.at` and `--today`.
package struct CheckMoment: Hashable, Sendable {
  /// The moment; a day counts from its beginning in UTC.
  package let date: DateTime

  /// Reads a moment; nil for another text, or for more than 100 years from now.
  package init?(argument: String) {
    self.init(argument, now: DateTime(Date.now))
  }

  package init?(_ text: String, now: DateTime) {
    guard text.hasPrefix("+") else {
      guard let moment = Stub.Recording(at: text)?.moment else { return nil }
      date = moment.date
      return
    }
    let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
    let units: [String: (count: Int, unit: DateUnit)] = [
      "d": (1, .days), "w": (7, .days), "mo": (1, .months), "y": (12, .months),
    ]
    guard let count = Int(digits), count <= 36_500,
      let unit = units[String(text.dropFirst(1 + digits.count))]
    else { return nil }
    let date = now.moved(by: count * unit.count, unit.unit)
    guard date.instant - now.instant <= 36_525 * 86_400 else { return nil }
    self.date = date
  }
}

/// An age in days, such as `30d`, `8w` or `90`.
package struct RecordingAge: Hashable, Sendable {
  /// From 0 to 36500.
  package let days: Int

  /// Reads an age; nil for another text.
  package init?(argument: String) {
    let units = ["d": 1, "w": 7]
    let unit = argument.last.flatMap { units[String($0)] }
    guard let count = Int(unit == nil ? argument[...] : argument.dropLast()),
      (0...36_500).contains(count), count * (unit ?? 1) <= 36_500
    else { return nil }
    days = count * (unit ?? 1)
  }

  /// The day, in UTC, that many days ago.
  package var day: String {
    Date(timeIntervalSinceNow: -Double(days) * 86_400).formatted(.iso8601.year().month().day())
  }
}
