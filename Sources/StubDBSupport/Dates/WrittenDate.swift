/// A date as it was written, which can be moved without changing its form or its length.
///
/// The forms are RFC 3339 and its variants, those of HTTP and of cookies, and seconds or milliseconds since 1970 under a
/// name that says so. What is before 1900, after 2199 or in the first minute of 1970 mostly means "never".
package struct WrittenDate: Hashable, Sendable {
  package static let lengths = 10...48
  private static let weekdays = Array("MonTueWedThuFriSatSun".utf8)
  private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

  package let text: [UInt8]
  /// The moment, in the zone of the text.
  package let date: DateTime

  /// Reads a whole text under a name, which may be empty; nil if it is not certain to be a date.
  package init?(_ text: [UInt8], named name: [UInt8]) {
    guard Self.lengths.contains(text.count), let date = Self.date(text), Self.isUsual(date) else {
      return nil
    }
    (self.text, self.date) = (text, date)
    let words = Self.words(of: String(decoding: name, as: UTF8.self))
    let isMoment =
      Self.count(text) == nil
      ? Self.written(date, over: text) == text
      : words.isDisjoint(with: Self.others) && !words.isDisjoint(with: Self.moments)
    guard isMoment, words.isDisjoint(with: Self.versions) else { return nil }
  }

  /// The date so many seconds later, in the same form; nil if that is longer, or not in the usual years.
  ///
  /// A date without a time of day moves by whole days, one without seconds by whole minutes.
  package func moved(by seconds: Int) -> [UInt8]? {
    if let (count, unit) = Self.count(text) {
      let digits = Array(String(count + Int64(seconds) * unit).utf8)
      let date = date.moved(by: seconds, .seconds)
      return Self.isUsual(date) && digits.count == (unit == 1 ? 10 : 13)
        ? digits + text[digits.count...] : nil
    }
    let unit = text.count == 10 ? 86_400 : Self.hasSeconds(text) ? 1 : 60
    let rounded = Int((Double(seconds) / Double(unit)).rounded()) * unit
    let date = date.moved(by: rounded, .seconds)
    return Self.isUsual(date) ? Self.written(date, over: text) : nil
  }

  private static func isUsual(_ date: DateTime) -> Bool {
    (1900..<2200).contains(date.fields.year) && !(0..<60).contains(date.instant)
  }

  /// Seconds or milliseconds, perhaps with a fraction, and how many of them are a second.
  private static func count(_ text: [UInt8]) -> (count: Int64, unit: Int64)? {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let digits = text.prefix(while: isDigit)
    let fraction = text[digits.count...]
    guard digits.count == 10 || digits.count == 13, digits.first != 0x30,
      fraction.isEmpty || fraction.count > 1 && fraction.first == UInt8(ascii: "."),
      fraction.dropFirst().allSatisfy(isDigit)
    else { return nil }
    return (digits.reduce(0) { $0 * 10 + Int64($1) - 0x30 }, digits.count == 10 ? 1 : 1000)
  }

  private static func isNamed(_ text: [UInt8]) -> Bool { text[3] == UInt8(ascii: ",") }
  private static func hasSeconds(_ text: [UInt8]) -> Bool {
    isNamed(text) || text.count > 18 && text[16] == UInt8(ascii: ":")
  }

  private static func date(_ text: [UInt8]) -> DateTime? {
    if let (count, unit) = count(text) {
      return Int(exactly: count / unit).map { DateTime(clockSeconds: $0, offset: 0) }
    }
    var plain = text
    if isNamed(text), text.count > 25 {
      // Cookies have hyphens in place of spaces.
      if text[7] == UInt8(ascii: "-"), text[11] == text[7] { (plain[7], plain[11]) = (0x20, 0x20) }
    } else if text[4] == UInt8(ascii: "-"), !text.contains(UInt8(ascii: "[")) {
      // Databases write a space in place of the T.
      if text.count > 15, text[10] == 0x20 { plain[10] = UInt8(ascii: "T") }
    } else {
      return nil
    }
    return String(validating: plain, as: UTF8.self).flatMap { DateText.date($0) }
  }

  /// The date in place of the one in a text.
  private static func written(_ date: DateTime, over text: [UInt8]) -> [UInt8] {
    var text = text
    func put(_ number: Int, _ place: Int, _ count: Int = 2) {
      guard place + count <= text.count else { return }
      var rest = number
      for place in (place..<place + count).reversed() {
        text[place] = UInt8(0x30 + rest % 10)
        rest /= 10
      }
    }
    let (fields, isNamed) = (date.fields, isNamed(text))
    put(fields.year, isNamed ? 12 : 0, 4)
    put(fields.day, isNamed ? 5 : 8)
    if isNamed {
      text.replaceSubrange(0..<3, with: weekdays[date.weekday * 3..<date.weekday * 3 + 3])
      text.replaceSubrange(8..<11, with: months[fields.month * 3 - 3..<fields.month * 3])
    } else {
      put(fields.month, 5)
    }
    put(fields.hour, isNamed ? 17 : 11)
    put(fields.minute, isNamed ? 20 : 14)
    if hasSeconds(text) { put(fields.second, isNamed ? 23 : 17) }
    return text
  }
}

extension WrittenDate {
  /// Words in the names of moments, of other numbers, and of versions.
  private static let moments = words(
    of: """
      at time times timestamp timestamps datetime date dates ts epoch exp iat nbf expires expiry expire expiration \
      created updated modified deleted published until since reset due start end starts ends
      """)
  private static let others = words(
    of: "id ids key hash count size bytes length offset ttl in age number phone page")
  private static let versions = words(of: "version versions ver v")

  /// The words of a name such as `expires_at`, `expiresAt` or `X-RateLimit-Reset`.
  private static func words(of name: String) -> Set<String> {
    var (text, wasSmall) = ("", false)
    for character in name.unicodeScalars {
      if wasSmall, ("A"..."Z").contains(character) { text += " " }
      text.unicodeScalars.append(character)
      wasSmall = ("a"..."z").contains(character)
    }
    return Set(text.lowercased().split { !$0.isLetter }.map(String.init))
  }
}
