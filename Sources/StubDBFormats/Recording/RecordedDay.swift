internal import Foundation

/// The day on which something was recorded.
enum RecordedDay {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// `2026-11-21` of an ISO 8601 date or of `Sat, 21 Nov 2026 04:49:54 GMT`; nil for other texts.
  static func day(_ text: String) -> String? {
    let words = text.split { " ,T".contains($0) }
    if let first = words.first, first.utf8.count == 10,
      first.split(separator: "-").map(\.count) == [4, 2, 2]
    {
      return String(first)
    }
    guard words.count >= 4, let day = Int(words[1]), let year = Int(words[3]),
      let month = months.firstIndex(of: words[2].prefix(3).lowercased())
    else { return nil }
    return String(format: "%04d-%02d-%02d", year, month + 1, day)
  }

  /// The day of a number of seconds since 1970.
  static func day(_ seconds: Double) -> String? {
    guard (0..<253_402_300_800).contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: seconds)
      .formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
  }
}
