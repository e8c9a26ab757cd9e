import StubDBModel

/// Finds secrets in text of unknown structure: bodies, URLs, patterns, messages.
///
/// It finds values after sensitive names (`password=…`, `"token": "…"`, `<secret>…`), values after `Bearer` and
/// `Basic`, user information in URLs, JSON Web Tokens, and tokens with the prefix of a known service.
struct SecretSearch {
  /// A range of bytes that is secret.
  struct Place: Equatable {
    var range: Range<Int>
    /// Whether it is a number in JSON, whose replacement needs quotes.
    var needsQuotes = false
  }

  private let bytes: [UInt8]
  private var places: [Place] = []

  /// The text without its secrets.
  static func hidden(_ text: String, as replacement: SecretDisplay.Replacement = .length) -> String
  {
    let places = places(in: Array(text.utf8))
    return places.isEmpty ? text : replaced(text[...], places, as: replacement)
  }

  /// The secrets in a UTF-8 text, in order and without overlaps.
  static func places(in bytes: [UInt8]) -> [Place] {
    var scan = SecretSearch(bytes: bytes)
    scan.run()
    return scan.places
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

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() {
    var index = 0
    while index < bytes.count {
      let found: [Place?] =
        switch bytes[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"): assignment(at: index)
        case UInt8(ascii: ">"): [element(at: index)]
        case UInt8(ascii: "/"): [userInformation(at: index)]
        case UInt8(ascii: "B"), UInt8(ascii: "b"): [scheme(at: index)]
        case UInt8(ascii: "e"): [webToken(at: index)]
        default: [serviceToken(at: index)]
        }
      index += 1
      for place in found.compactMap({ $0 }) where !place.range.isEmpty {
        let text = String(decoding: bytes[place.range], as: UTF8.self)
        guard !SecretDisplay.isPlaceholder(text) else { continue }
        places.append(place)
        index = place.range.upperBound
      }
    }
  }

  // MARK: Names and values

  private func assignment(at sign: Int) -> [Place] {
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
    let value = value(behind: sign, isField: !isQuoted && bytes[sign] == UInt8(ascii: ":"))
    let text = String(decoding: bytes[value.range], as: UTF8.self)
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
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
  private func elements(from bracket: Int) -> [Place] {
    var found: [Place] = []
    var (index, depth) = (bracket, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return found }
      case UInt8(ascii: "\""), Self.backslash, UInt8(ascii: "-"), 0x30...0x39:
        let value = value(behind: index - 1, isField: false)
        let next = bytes[value.range.upperBound...].first { byte in
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
    return found
  }

  /// The value after a separator: in quotes, or to the end of the line for a header field, or to the next separator.
  private func value(behind sign: Int, isField: Bool) -> (range: Range<Int>, isText: Bool) {
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
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if isField
        ? byte == 0x0A || byte == 0x0D || Self.isQuote(byte) : Self.separators.contains(byte)
      {
        break
      }
      end += 1
    }
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
  private func scheme(at place: Int) -> Place? {
    guard place == 0 || !Self.isName(bytes[place - 1]) else { return nil }
    for scheme in ["bearer ", "basic "] {
      let word = bytes[place...].prefix(scheme.utf8.count).map { $0.isASCIILetter ? $0 | 0x20 : $0 }
      guard word.elementsEqual(scheme.utf8) else { continue }
      let token = bytes[(place + word.count)...].prefix { byte in
        byte.isASCIILetter || byte.isASCIIDigit || "-._~+/=".utf8.contains(byte)
      }
      let looksRandom =
        token.contains(where: \.isASCIIDigit) || token.last == UInt8(ascii: "=")
        || token.dropFirst().contains { (0x41...0x5A).contains($0) }
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

  /// A token with a prefix that its service publishes, such as `ghp_`.
  private func serviceToken(at place: Int) -> Place? {
    guard "Aghnrsx".utf8.contains(bytes[place]),
      place == 0 || !(bytes[place - 1].isASCIILetter || bytes[place - 1].isASCIIDigit)
    else { return nil }
    for (start, shortest) in Self.tokenBeginnings
    where bytes[place...].starts(with: start.utf8) {
      let token = bytes[place...].prefix(while: Self.isName)
      return token.count >= start.utf8.count + shortest ? Place(range: token.indices) : nil
    }
    return nil
  }

  /// The prefixes of services' tokens, each with the least number of bytes after it.
  private static let tokenBeginnings: [(start: String, shortest: Int)] =
    ["AKIA", "ASIA"].map { ($0, 12) } + [("AIza", 20)]
    + [
      "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk_live_", "sk_test_",
      "rk_live_", "rk_test_", "sk-proj-", "sk-ant-", "xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-",
      "npm_", "hf_", "shpat_",
    ].map { ($0, 8) }

  private static let backslash = UInt8(ascii: "\\")
  private static let separators = Set("&;,)}] \t\r\n\"'<>#".utf8)

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
  private static func isName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
