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

  let bytes: [UInt8]
  /// Whether values are found by their names.
  private let hasNames: Bool
  private(set) var places: [Place] = []
  var runs = TokenRuns()
  /// What was looked at last, so that nothing is looked at for each name in it: the values of a header field and of
  /// others, JSON of a secret member, a token after its scheme, the header fields of a part.
  var (field, other, json, token, head) = (0..<0, 0..<0, 0..<0, 0..<0, 0..<0)
  /// The number of bytes in all that was looked at beyond the byte where it begins.
  var examined = 0

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
    var view = DecodedText(bytes)
    for layer in 0...layers {
      found += plainPlaces(in: view.bytes, names: names).map { place in
        // Within an encoding, a quote would not be one.
        Place(range: view.source(of: place.range), needsQuotes: place.needsQuotes && layer == 0)
      }
      for (text, range) in view.bytes.withUnsafeBufferPointer(Base64.texts)
      where !places(in: text, names: names, layers: max(0, layers - layer - 1)).isEmpty {
        found.append(Place(range: view.source(of: range)))
      }
      guard layer < layers, let inner = view.flattened(marks: marks) else { break }
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
  /// The bytes that begin what is encoded: in percent-encoding, and by the escapes of JSON.
  private static let marks = ByteSet("%\\")

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

  init(bytes: [UInt8], hasNames: Bool) { (self.bytes, self.hasNames) = (bytes, hasNames) }

  /// Finds all places.
  mutating func run() {
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
        guard !SecretDisplay.isPlaceholder(beginning(of: place.range)) else { continue }
        places.append(place)
        index = place.range.upperBound
      }
    }
  }

  /// How many bytes of a value say whether it is a placeholder, and which scheme it has.
  static let beginning = 64
  static let backslash = UInt8(ascii: "\\")

  /// The first bytes of what was found.
  func beginning(of range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(Self.beginning), as: UTF8.self)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
  static func isName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
