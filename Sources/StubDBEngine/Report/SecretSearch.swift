import StubDBModel

/// Finds secrets in text of unknown structure: bodies, URLs, patterns, messages.
///
/// It finds values after sensitive names (`password=…`, `"token": "…"`, `<secret>…`, multipart parts), values after `Bearer` and
/// `Basic`, user information in URLs, and tokens of a known format or shape; also behind two layers of encoding.
struct SecretSearch {
  /// A range of bytes that is secret.
  struct Place: Equatable {
    var range: Range<Int>
    /// Whether it is a number in JSON, whose replacement needs quotes.
    var needsQuotes = false
  }

  private let bytes: [UInt8]
  /// Whether values are found by their names.
  private let hasNames: Bool
  private var places: [Place] = []
  private var runs = TokenRuns()
  /// What was looked at last, so that nothing is looked at for each name in it: the values of a header field and of
  /// others, JSON of a secret member, a token after its scheme.
  private var (field, other, json, token) = (0..<0, 0..<0, 0..<0, 0..<0)

  /// The text without its secrets; with `names` also without values whose names mark them.
  static func hidden(
    _ text: String, as replacement: SecretDisplay.Replacement = .length, names: Bool = true
  ) -> String {
    let places = places(in: Array(text.utf8), names: names)
    return places.isEmpty ? text : replaced(text[...], places, as: replacement)
  }

  /// The secrets in a UTF-8 text, in order and without overlaps.
  static func places(in bytes: [UInt8], names: Bool = true) -> [Place] {
    places(in: bytes, names: names, layers: layers)
  }

  private static func places(in bytes: [UInt8], names: Bool, layers: Int) -> [Place] {
    var found: [Place] = []
    var view = DecodedView(bytes)
    for layer in 0...layers {
      found += plainPlaces(in: view.bytes, names: names).map { place in
        // Within an encoding, a quote would not be one.
        Place(range: view.source(of: place.range), needsQuotes: place.needsQuotes && layer == 0)
      }
      for (text, range) in view.bytes.withUnsafeBufferPointer(Base64.texts)
      where !places(in: text, names: names, layers: max(0, layers - layer - 1)).isEmpty {
        found.append(Place(range: view.source(of: range)))
      }
      guard layer < layers, let inner = view.decoded() else { break }
      view = inner
    }
    return joined(found)
  }

  private static func plainPlaces(in bytes: [UInt8], names: Bool) -> [Place] {
    var scan = SecretSearch(bytes: bytes, hasNames: names)
    scan.run()
    return scan.places
  }

  /// The number of layers of encoding that are removed, as by a scan.
  private static let layers = 2

  /// The places in order, overlapping ones as one.
  private static func joined(_ places: [Place]) -> [Place] {
    var result: [Place] = []
    for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard let last = result.last, place.range.lowerBound < last.range.upperBound else {
        result.append(place)
        continue
      }
      let end = max(last.range.upperBound, place.range.upperBound)
      result[result.count - 1].range = last.range.lowerBound..<end
    }
    return result
  }

  /// The text with replacements, whose ranges are offsets in UTF-8.
  static func replaced(
    _ text: Substring, _ places: [Place], as replacement: SecretDisplay.Replacement = .length
  ) -> String {
    var result = ""
    var index = text.startIndex
    for place in places {
      let start = text.utf8.index(text.startIndex, offsetBy: place.range.lowerBound)
      let quote = place.needsQuotes ? "\"" : ""
      result += text[index..<start] + quote + replacement.text(place.range.count) + quote
      index = text.utf8.index(text.startIndex, offsetBy: place.range.upperBound)
    }
    return result + text[index...]
  }

  private init(bytes: [UInt8], hasNames: Bool) { (self.bytes, self.hasNames) = (bytes, hasNames) }

  private mutating func run() {
    var index = 0
    while index < bytes.count {
      let found: [Place?] =
        switch bytes[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"):
          [botToken(at: index)] + (hasNames ? [part(at: index)] + assignment(at: index) : [])
        case UInt8(ascii: ">"): hasNames ? [element(at: index)] : []
        case UInt8(ascii: "/"): [userInformation(at: index)]
        case UInt8(ascii: "-"): [privateKey(at: index)]
        case UInt8(ascii: "B"), UInt8(ascii: "b"): [scheme(at: index)]
        case UInt8(ascii: "e"): [webToken(at: index)]
        default: [serviceToken(at: index)]
        }
      index += 1
      for place in found.compactMap({ $0 }) where !place.range.isEmpty {
        let text = String(decoding: bytes[place.range].prefix(Self.beginning), as: UTF8.self)
        guard !SecretDisplay.isPlaceholder(text) else { continue }
        places.append(place)
        index = place.range.upperBound
      }
    }
  }

  // MARK: Names and values

  private mutating func assignment(at sign: Int) -> [Place] {
    var end = sign
    while end > 0, Self.isBlank(bytes[end - 1]) { end -= 1 }
    var isQuoted = false
    while end > 0, Self.isQuote(bytes[end - 1]) || bytes[end - 1] == Self.backslash {
      end -= 1
      isQuoted = true
    }
    var start = end
    while start > 0, end - start < 64, Self.isName(bytes[start - 1]) { start -= 1 }
    guard start < end else { return [] }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    let value = value(behind: sign, isField: !isQuoted && bytes[sign] == UInt8(ascii: ":"))
    // What is looked at in a value is at its beginning.
    let text = String(decoding: bytes[value.range].prefix(Self.beginning), as: UTF8.self)
    guard SensitiveName.hides(name, value: text) else { return [] }
    let isLiteral = isQuoted && !value.isText
    if isLiteral {
      if let first = text.utf8.first, "[{".utf8.contains(first) {
        return elements(from: value.range.lowerBound)
      }
      if ["true", "false", "null"].contains(text) { return [] }
    }
    let scheme = text.utf8.count - SecretDisplay.withoutScheme(text).utf8.count
    let range = value.range.lowerBound + scheme..<value.range.upperBound
    // A regular expression such as `.+` contains no secret.
    let isTelling = bytes[range].contains { byte in
      byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80
    }
    return isTelling ? [Place(range: range, needsQuotes: isLiteral)] : []
  }

  /// The texts and numbers in a JSON array or object, without the names of members.
  private mutating func elements(from bracket: Int) -> [Place] {
    if json.contains(bracket) { return [] }
    var found: [Place] = []
    var (index, depth) = (bracket, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 {
          json = bracket..<index
          return found
        }
      case UInt8(ascii: "\""), Self.backslash, UInt8(ascii: "-"), 0x30...0x39:
        let value = value(behind: index - 1, isField: false)
        let next = bytes[value.range.upperBound...].prefix(Self.beginning).first { byte in
          byte > 0x20 && !Self.isQuote(byte) && byte != Self.backslash
        }
        if next != UInt8(ascii: ":") {
          found.append(Place(range: value.range, needsQuotes: !value.isText))
        }
        // After the closing quote; a bracket after a number still counts.
        index = max(index + 1, value.range.upperBound + (value.isText ? 1 : 0))
        continue
      default: break
      }
      index += 1
    }
    json = bracket..<index
    return found
  }

  /// The value after a separator: in quotes, or to the end of the line for a header field, or to the next separator.
  private mutating func value(behind sign: Int, isField: Bool) -> (range: Range<Int>, isText: Bool)
  {
    var start = sign + 1
    while start < bytes.count, Self.isBlank(bytes[start]) { start += 1 }
    let escapes = start < bytes.count && bytes[start] == Self.backslash
    if escapes { start += 1 }
    if start < bytes.count, Self.isQuote(bytes[start]) {
      let quote = bytes[start]
      start += 1
      var end = start
      while end < bytes.count, bytes[end] != quote {
        if bytes[end] == Self.backslash {
          if escapes, end + 1 < bytes.count, bytes[end + 1] == quote { break }
          end += 1
        }
        end += 1
      }
      return (start..<min(end, bytes.count), true)
    }
    let last = isField ? field : other
    var end = last.contains(start) ? last.upperBound : start
    while end < bytes.count {
      let byte = bytes[end]
      if isField
        ? byte == 0x0A || byte == 0x0D || Self.isQuote(byte) : Self.separators.contains(byte)
      {
        break
      }
      end += 1
    }
    if isField { field = start..<end } else { other = start..<end }
    return (start..<end, false)
  }

  // MARK: Other shapes

  /// The text of an XML element with a sensitive name.
  private func element(at bracket: Int) -> Place? {
    var open = bracket
    while open > 0, bracket - open < 200, bytes[open] != UInt8(ascii: "<") { open -= 1 }
    guard bytes[open] == UInt8(ascii: "<"), bracket > open + 1, bytes[bracket - 1] != 0x2F else {
      return nil
    }
    let name = bytes[(open + 1)..<bracket].prefix { !Self.isBlank($0) }
    guard name.first != 0x2F, SensitiveName(String(decoding: name, as: UTF8.self)) != .none else {
      return nil
    }
    let end = bytes[(bracket + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return Place(range: bracket + 1..<end)
  }

  /// The content of a part of multipart content with a sensitive name.
  private func part(at colon: Int) -> Place? {
    MultipartPlace(in: bytes, at: colon).flatMap { part in
      let text = String(decoding: bytes[part.content], as: UTF8.self)
      return SensitiveName.hides(part.name, value: text) ? Place(range: part.content) : nil
    }
  }

  /// The text between `://` and `@`.
  private func userInformation(at slash: Int) -> Place? {
    guard slash >= 2, bytes[slash - 1] == 0x2F, bytes[slash - 2] == UInt8(ascii: ":") else {
      return nil
    }
    let authority = bytes[(slash + 1)...].prefix { byte in
      byte > 0x20 && !"/?#\"'<>\\".utf8.contains(byte)
    }
    guard let sign = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    return Place(range: slash + 1..<sign)
  }

  /// The text after `Bearer ` or `Basic `, if it looks like a token.
  private mutating func scheme(at place: Int) -> Place? {
    guard place == 0 || !Self.isName(bytes[place - 1]) else { return nil }
    for scheme in ["bearer", "basic"] {
      let word = bytes[place...].prefix(scheme.utf8.count).map { $0.isASCIILetter ? $0 | 0x20 : $0 }
      guard word.elementsEqual(scheme.utf8) else { continue }
      let rest = bytes[(place + word.count)...]
      // A form has `+` for a space.
      let spaces = rest.prefix { Self.isBlank($0) || $0 == UInt8(ascii: "+") }
      if spaces.isEmpty { continue }
      // The end of a token that does not look random does not, either.
      if self.token.contains(spaces.endIndex) { return nil }
      let token = rest[spaces.endIndex...].prefix { ByteSet.token68.contains($0) }
      let looksRandom =
        token.contains(where: \.isASCIIDigit) || token.last == UInt8(ascii: "=")
        || token.dropFirst().contains { (0x41...0x5A).contains($0) }
      self.token = token.indices
      return token.count >= 8 && looksRandom ? Place(range: token.indices) : nil
    }
    return nil
  }

  private func webToken(at place: Int) -> Place? {
    guard bytes[place...].starts(with: "eyJ".utf8), place == 0 || !Self.isName(bytes[place - 1])
    else { return nil }
    let token = bytes[place...].prefix { Self.isName($0) || $0 == UInt8(ascii: ".") }
    return token.count >= 20 && token.contains(UInt8(ascii: "."))
      ? Place(range: token.indices) : nil
  }

  /// A token with a prefix that its service publishes, such as `ghp_`, or of a Discord bot.
  private mutating func serviceToken(at place: Int) -> Place? {
    guard place == 0 || !(bytes[place - 1].isASCIILetter || bytes[place - 1].isASCIIDigit) else {
      return nil
    }
    let text = bytes
    return text.withUnsafeBufferPointer { bytes in
      let ends = TokenFormat.byFirstByte[Int(bytes[place])].compactMap { format in
        format.endOfPart(in: bytes, at: place, &runs)
      }
      let end = ends.max() ?? TokenShape.discordToken(in: bytes, at: place)?.end
      return end.map { Place(range: place..<$0) }
    }
  }

  /// The token of a Telegram bot, around a colon.
  private func botToken(at colon: Int) -> Place? {
    bytes.withUnsafeBufferPointer { TokenShape.telegramToken(in: $0, at: colon) }
      .map { Place(range: $0) }
  }

  /// The content of a private key in PEM, also with escaped line ends.
  private func privateKey(at place: Int) -> Place? {
    bytes.withUnsafeBufferPointer { TokenShape.privateKey(in: $0, at: place) }
      .map { Place(range: $0) }
  }

  /// How much of a value tells whether it is a placeholder, and which scheme it has.
  private static let beginning = 64
  private static let backslash = UInt8(ascii: "\\")
  private static let separators = Set("&;,)}] \t\r\n\"'<>#".utf8)

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
  private static func isName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
