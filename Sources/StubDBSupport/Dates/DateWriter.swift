package import Foundation

extension DateTime {
  /// The date in ISO 8601 and UTC, with milliseconds unless they are zero.
  package var isoText: String {
    text(nanoseconds == 0 ? "yyyy-MM-dd'T'HH:mm:ssXXXXX" : "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX")
  }

  /// The date in a format, in UTC by default.
  ///
  /// The format has the letters of Java's `SimpleDateFormat`, of which `u` is the number of the weekday (1 is Monday),
  /// or it is `epoch` for milliseconds or `unix` for seconds since 1970.
  package func text(_ format: String, in zone: TimeZone = DateTime.utc) -> String {
    switch format {
    case "unix": return String(instant)
    case "epoch": return String(instant * 1000 + nanoseconds / 1_000_000)
    default: break
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = zone
    formatter.dateFormat = format.contains("u") ? withWeekdays(format, zone) : format
    return formatter.string(
      from: Date(timeIntervalSince1970: Double(instant) + Double(nanoseconds) / 1e9))
  }

  package static let utc = TimeZone(secondsFromGMT: 0) ?? .current

  /// The same local time in a zone, unless the date has one.
  package func local(in zone: TimeZone) -> DateTime {
    guard offset == nil else { return self }
    let offset = DateReader.Zone.named(zone).offset(atClock: clockSeconds)
    return DateTime(clockSeconds: clockSeconds, nanoseconds: nanoseconds, offset: offset)
  }

  /// Replaces the letter `u`, which Foundation reads as a year.
  private func withWeekdays(_ format: String, _ zone: TimeZone) -> String {
    let seconds = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    let weekday = String(DateTime(clockSeconds: instant + seconds, offset: nil).weekday + 1)
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
}
