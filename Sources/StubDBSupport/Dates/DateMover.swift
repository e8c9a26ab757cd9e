package import Foundation

/// Moves the dates in contents, header fields and URLs by some seconds, each to as many bytes.
///
/// A date is a whole value. Dates inside sentences stay, and so do URLs that have a signature.
package struct DateMover {
  /// A byte as it is meant, and where it is; the place is nil if it is written with an escape.
  private typealias Letter = (byte: UInt8, place: Int?)

  /// The longest text that may be a URL: an image in base64 may begin like one, and a letter takes 24 bytes.
  private static let longestURL = 1 << 14

  private let seconds: Int
  private var bytes: [UInt8]
  private var hasMoved = false
  private var found: [WrittenDate] = []

  private init(_ bytes: [UInt8], _ seconds: Int) { (self.bytes, self.seconds) = (bytes, seconds) }

  /// Moves the dates of JSON, of text with values in quotes or between tags, or of a form; nil if there are none.
  package static func content(_ content: Data, isForm: Bool = false, by seconds: Int) -> Data? {
    var mover = DateMover(Array(content), seconds)
    if isForm { mover.form() } else { mover.scan() }
    return mover.hasMoved ? Data(mover.bytes) : nil
  }

  /// Moves the dates of a header field, or of a URL under an empty name.
  package static func field(_ value: String, named name: String, by seconds: Int) -> String {
    var mover = DateMover(Array(value.utf8), seconds)
    mover.field(name)
    return mover.hasMoved ? String(decoding: mover.bytes, as: UTF8.self) : value
  }

  /// The dates of a value under a name, in order.
  package static func dates(in value: String, named name: String) -> [WrittenDate] {
    var mover = DateMover(Array(value.utf8), 0)
    mover.field(name)
    return mover.found
  }

  private mutating func form() {
    for item in bytes.indices.split(whereSeparator: { bytes[$0] == UInt8(ascii: "&") })
    where item.count < Self.longestURL { query(letters(item)[...]) }
  }

  private mutating func field(_ name: String) {
    guard bytes.count < Self.longestURL else { return }
    let letters = letters(bytes.indices)
    if name.lowercased() == "set-cookie" {
      for part in letters.split(whereSeparator: { $0.byte == UInt8(ascii: ";") }) {
        let text = part.drop { $0.byte == 0x20 }
        if Self.text(text.prefix(8)) == "expires=" { move(text.dropFirst(8), named: []) }
      }
    } else if !move(letters[...], named: Array(name.utf8)) {
      // The targets of a Link field are between brackets.
      for part in letters.split(whereSeparator: { [0x3C, 0x3E].contains($0.byte) }) { url(part) }
    }
  }

  /// Goes through values in quotes and between tags, and numbers; each has the last name before a colon.
  private mutating func scan() {
    var (name, place) = ([UInt8](), 0)
    let whole = bytes.drop { $0 <= 0x20 }
    if WrittenDate.lengths.contains(whole.count) { move(letters(whole.indices)[...], named: []) }
    while place < bytes.count {
      let (byte, before) = (bytes[place], place > 0 ? bytes[place - 1] : 0x20)
      let isNumber =
        (0x30...0x39).contains(byte) && (before <= 0x20 || ":,[".utf8.contains(before))
      guard isNumber || byte == 0x22 || byte == 0x3E else {
        place += 1
        continue
      }
      var end = place + 1
      switch byte {
      case 0x22: while end < bytes.count, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
      case 0x3E: while end < bytes.count, ![0x22, 0x3C, 0x3E].contains(bytes[end]) { end += 1 }
      default: while end < bytes.count, (0x2D...0x39).contains(bytes[end]) { end += 1 }
      }
      let text = (isNumber ? place : place + 1)..<min(end, bytes.count)
      place = byte == 0x22 ? end + 1 : end
      if byte == 0x22, bytes.dropFirst(place).first(where: { $0 > 0x20 }) == UInt8(ascii: ":") {
        name = Array(bytes[text])
      }
      let isInText = isNumber && bytes[text].contains(UInt8(ascii: "-"))
      if text.count >= WrittenDate.lengths.lowerBound, !isInText { value(text, named: name) }
    }
  }

  private mutating func value(_ range: Range<Int>, named name: [UInt8]) {
    if WrittenDate.lengths.contains(range.count), move(letters(range)[...], named: name) { return }
    guard range.count < Self.longestURL else { return }
    if bytes[range].starts(with: "http".utf8) || [0x2F, 0x5C].contains(bytes[range.lowerBound]) {
      url(letters(range)[...])
    }
  }

  /// Moves the segments of the path but the first, which may be a version, and the values of the query.
  private mutating func url(_ letters: ArraySlice<Letter>) {
    let parts = letters.prefix { $0.byte != UInt8(ascii: "#") }
      .split(maxSplits: 1, omittingEmptySubsequences: false) { $0.byte == UInt8(ascii: "?") }
    guard let path = parts.first, parts.count == 1 || !Self.isSigned(parts[1]) else { return }
    let segments = path.split(omittingEmptySubsequences: false) { $0.byte == UInt8(ascii: "/") }
    let isAbsolute = segments.first?.last?.byte == UInt8(ascii: ":")
    for segment in segments.dropFirst(isAbsolute ? 4 : 2) { move(decoded(segment)[...], named: []) }
    if parts.count > 1 { query(parts[1]) }
  }

  private mutating func query(_ letters: ArraySlice<Letter>) {
    for item in letters.split(whereSeparator: { $0.byte == UInt8(ascii: "&") }) {
      let name = item.prefix { $0.byte != UInt8(ascii: "=") }
      move(decoded(item.dropFirst(name.count + 1))[...], named: name.map(\.byte))
    }
  }

  private static func isSigned(_ query: ArraySlice<Letter>) -> Bool {
    text(query).split(separator: "&").contains { item in
      let name = String(item.prefix { $0 != "=" })
      return ["sig", "hmac"].contains(name) || name.hasSuffix("signature")
    }
  }

  /// The letters as text, in lower case.
  private static func text(_ letters: ArraySlice<Letter>) -> String {
    String(decoding: letters.map(\.byte), as: UTF8.self).lowercased()
  }

  /// Whether it is a date, which is moved if all of it that changes is written without escapes.
  @discardableResult
  private mutating func move(_ letters: ArraySlice<Letter>, named name: [UInt8]) -> Bool {
    guard WrittenDate.lengths.contains(letters.count),
      let date = WrittenDate(letters.map(\.byte), named: name)
    else { return false }
    found.append(date)
    let changes = zip(letters, date.moved(by: seconds) ?? []).filter { $0.byte != $1 }
    guard changes.allSatisfy({ $0.0.place != nil }) else { return true }
    for (letter, byte) in changes { (bytes[letter.place ?? 0], hasMoved) = (byte, true) }
    return true
  }

  /// The bytes in a range, without the backslashes that JSON may have before slashes.
  private func letters(_ range: Range<Int>) -> [Letter] {
    range.lazy.filter { bytes[$0] != 0x5C }.map { (bytes[$0], $0) }
  }

  /// The letters without percent-encoding; a plus is a space.
  private func decoded(_ letters: ArraySlice<Letter>) -> [Letter] {
    var (decoded, rest) = ([Letter](), letters)
    while let letter = rest.popFirst() {
      if letter.byte == 0x25, let byte = UInt8(Self.text(rest.prefix(2)), radix: 16) {
        decoded.append((byte, nil))
        rest = rest.dropFirst(2)
      } else {
        decoded.append((letter.byte == 0x2B ? 0x20 : letter.byte, letter.place))
      }
    }
    return decoded
  }
}
