internal import Foundation
internal import StubDBModel
internal import StubDBSupport

/// A host, perhaps with a port.
struct HostOrigin: Hashable {
  /// In canonical form, see `URLParts`.
  var host: String
  var port: Int?

  var text: String { port.map { "\(host):\($0)" } ?? host }
}

/// Gives the URLs in texts another host, and finds what else names the old one.
struct HostTextRewriter {
  /// A text after the change.
  struct Result {
    var text: String
    /// Whether the text names the old host where it is not certain that it can be changed.
    var isLeft = false
  }

  /// A byte of a URL as it is meant, and where it is in the text.
  private typealias Letter = (byte: UInt8, range: Range<Int>)

  let old: HostOrigin
  let new: HostOrigin

  /// Whether a text may name the old host; false is certain.
  func mayConcern(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      Self.first(old.host, in: bytes, from: 0) != nil
        || old.host.contains("xn--") && bytes.contains { $0 >= 0x80 }
    }
  }

  /// Whether a text that stays as it is names the old host; a dot of a regular expression may have a backslash.
  func isNamed(in text: String) -> Bool {
    var plain = text
    if text.utf8.contains(UInt8(ascii: "\\")) {
      plain = text.replacing("\\\\.", with: ".").replacing("\\.", with: ".")
    }
    guard mayConcern(plain) else { return false }
    let result = rewritten(plain)
    return result.isLeft || !result.text.hasSameBytes(as: plain)
  }

  /// The text with the new host in each URL that has the old one, also in one that is percent-encoded.
  func rewritten(_ text: String) -> Result {
    guard mayConcern(text) else { return Result(text: text) }
    let bytes = Array(text.utf8)
    var (result, isLeft, done, place) = ([UInt8](), false, 0, 0)
    while place < bytes.count {
      guard let slashes = Self.slashes(bytes, at: place) else {
        place += 1
        continue
      }
      let start = place + slashes
      let authority = Self.authority(bytes, from: start, isEncoded: slashes > 2)
      isLeft = isLeft || isNamed(in: bytes, done..<place)
      let scheme = Self.scheme(bytes, before: place)
      result += bytes[done..<start]
      done = authority.last?.range.upperBound ?? start
      switch replacement(of: authority, scheme: scheme) {
      case .other: result += bytes[start..<done]
      case .uncertain:
        isLeft = true
        result += bytes[start..<done]
      case .origin(let letters, let text):
        result += bytes[start..<letters.lowerBound]
        result += slashes > 2 ? Self.encoded(text) : Array(text.utf8)
        // After a port, a dot would be no part of a URL; at the end of a sentence it stays.
        let isDotted = text != new.host && Self.continuesURL(bytes, at: done)
        result += isDotted ? [] : bytes[letters.upperBound..<done]
      }
      place = max(done, start)
    }
    isLeft = isLeft || isNamed(in: bytes, done..<bytes.count)
    return Result(text: String(decoding: result + bytes[done...], as: UTF8.self), isLeft: isLeft)
  }

  /// The value of a `Host` field.
  func rewritten(hostField text: String, scheme: String?) -> Result {
    let letters = text.utf8.enumerated().map { ($1, $0..<$0 + 1) }
    switch replacement(of: letters, scheme: scheme) {
    case .other: return Result(text: text)
    case .uncertain: return Result(text: text, isLeft: true)
    case .origin(let range, let origin):
      let bytes = Array(text.utf8)
      return Result(
        text: String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + origin
          + String(decoding: bytes[range.upperBound...], as: UTF8.self))
    }
  }

  /// The value of a `Set-Cookie` field; its domain may begin with a dot.
  func rewritten(cookie text: String) -> (result: Result, isOutside: Bool) {
    var isOutside = false
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part -> String in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "domain"
      else { return String(part) }
      let value = pair[1].trimmingCharacters(in: .whitespaces)
      let dot = value.hasPrefix(".") ? "." : ""
      let domain = value.dropFirst(dot.count).lowercased()
      if domain == old.host, old.port == nil { return "\(pair[0])=\(dot)\(new.host)" }
      isOutside = isOutside || old.host.hasSuffix("." + domain) && !new.host.isIn(domain: domain)
      return String(part)
    }
    return (rewritten(parts.joined(separator: ";")), isOutside)
  }

  // MARK: URLs

  private enum Replacement {
    /// Another host or port.
    case other
    /// The old host, perhaps with another port.
    case uncertain
    /// The old one, where it is, and the new one.
    case origin(Range<Int>, String)
  }

  private func replacement(of authority: [Letter], scheme: String?) -> Replacement {
    let start = (authority.lastIndex { $0.byte == UInt8(ascii: "@") } ?? -1) + 1
    var host = authority[start...]
    var digits: ArraySlice<Letter>?
    if let colon = host.lastIndex(where: { $0.byte == UInt8(ascii: ":") }),
      !host[colon...].contains(where: { $0.byte == UInt8(ascii: "]") })
    {
      (host, digits) = (host[..<colon], host[(colon + 1)...])
    }
    // The dot of a whole name, the end of a sentence, or the mark of an emphasis.
    let isMark = { (letter: Letter?) in letter.map { ".!*~".utf8.contains($0.byte) } ?? false }
    while isMark(host.last) { host = host.dropLast() }
    while isMark(digits?.last) { digits = digits?.dropLast() }
    guard let first = host.first, let last = host.last,
      URLParts.canonicalHost(String(decoding: host.map(\.byte), as: UTF8.self)) == old.host
    else { return .other }
    guard let port = old.port else {
      return .origin(first.range.lowerBound..<last.range.upperBound, new.host)
    }
    let written = digits.map { String(decoding: $0.map(\.byte), as: UTF8.self) } ?? ""
    let standard = scheme.flatMap(URLParts.defaultPort)
    if written.isEmpty {
      guard let standard else { return .uncertain }
      if standard != port { return .other }
    } else if Int(written) != port {
      return .other
    }
    let text = new.port == standard ? new.host : new.text
    let end = digits?.last?.range.upperBound ?? last.range.upperBound
    return .origin(first.range.lowerBound..<end, text)
  }

  /// The length of two slashes, which may be percent-encoded; nil if there are none at the place.
  private static func slashes(_ bytes: [UInt8], at place: Int) -> Int? {
    switch bytes[place] {
    case UInt8(ascii: "/"):
      place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/") ? 2 : nil
    case UInt8(ascii: "%"):
      decoded(bytes, place) == 0x2F && decoded(bytes, place + 3) == 0x2F ? 6 : nil
    default: nil
    }
  }

  /// The byte of a percent-encoded octet at a place; nil for anything else.
  private static func decoded(_ bytes: [UInt8], _ place: Int) -> UInt8? {
    guard place + 2 < bytes.count, bytes[place] == UInt8(ascii: "%") else { return nil }
    return UInt8(String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
  }

  /// What is between the slashes of a URL and its path, or what else comes after the URL.
  private static func authority(_ bytes: [UInt8], from start: Int, isEncoded: Bool) -> [Letter] {
    var (letters, place) = ([Letter](), start)
    while place < bytes.count {
      let octet = isEncoded ? decoded(bytes, place) : nil
      let byte = octet ?? bytes[place]
      if byte <= 0x20 || "/?#\\\"'<>^`{|}&,;()=".utf8.contains(byte) { break }
      letters.append((byte, place..<place + (octet == nil ? 1 : 3)))
      place += octet == nil ? 1 : 3
    }
    return letters
  }

  /// Whether a path, a query or a fragment comes after an authority.
  private static func continuesURL(_ bytes: [UInt8], at place: Int) -> Bool {
    place < bytes.count && "/?#".utf8.contains(decoded(bytes, place) ?? bytes[place])
  }

  /// The scheme whose colon is before a place, in lower case; nil if there is none.
  private static func scheme(_ bytes: [UInt8], before place: Int) -> String? {
    var end = place
    if end > 0, bytes[end - 1] == UInt8(ascii: ":") {
      end -= 1
    } else if end > 2, decoded(bytes, end - 3) == UInt8(ascii: ":") {
      end -= 3
    } else {
      return nil
    }
    let letters = bytes[..<end].reversed().prefix(while: \.isASCIILetter).reversed()
    return String(decoding: letters, as: UTF8.self).lowercased()
  }

  private static func encoded(_ text: String) -> [UInt8] {
    let escapes: [UInt8: String] = [0x3A: "%3A", 0x5B: "%5B", 0x5D: "%5D"]
    return text.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }
  }

  // MARK: Names outside of URLs

  /// Whether a part of a text has the old host between other characters than those of hosts and mail addresses.
  private func isNamed(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var place = range.lowerBound
      let part = UnsafeBufferPointer(rebasing: buffer[..<range.upperBound])
      while let found = Self.first(old.host, in: part, from: place) {
        if Self.beginsHost(bytes, at: found), endsHost(bytes, at: found + old.host.utf8.count) {
          return true
        }
        place = found + 1
      }
      return false
    }
  }

  private static func isPartOfHost(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || "-_@".utf8.contains(byte)
  }

  private static func beginsHost(_ bytes: [UInt8], at place: Int) -> Bool {
    var rest = bytes[..<place]
    if rest.last == UInt8(ascii: ".") { rest = rest.dropLast() }
    guard let last = rest.last, isPartOfHost(last) else { return true }
    // An octet that is percent-encoded, perhaps several times, or the escape of a line end.
    let (digits, isHexadecimal) = (rest.suffix(2), last.hexDigit != nil)
    rest = rest.dropLast()
    if "nrt".utf8.contains(last), rest.last == UInt8(ascii: "\\") { return true }
    guard isHexadecimal, digits.count == 2, digits.first?.hexDigit != nil else { return false }
    rest = rest.dropLast()
    while rest.suffix(2).elementsEqual("25".utf8) { rest = rest.dropLast(2) }
    return rest.last == UInt8(ascii: "%")
  }

  /// With a port, another one after the host makes it another origin.
  private func endsHost(_ bytes: [UInt8], at place: Int) -> Bool {
    var rest = bytes[place...]
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
    if let next = rest.first, Self.isPartOfHost(next) { return false }
    guard let port = old.port, rest.first == UInt8(ascii: ":") else { return true }
    let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
    return digits.isEmpty || Int(String(decoding: digits, as: UTF8.self)) == port
  }

  /// Where the host begins in a text, ignoring the case of ASCII letters; nil if it is missing.
  private static func first(
    _ host: String, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    let wanted = Array(host.utf8)
    guard let first = wanted.first else { return nil }
    var place = start
    while place + wanted.count <= bytes.count {
      if lowered(bytes[place]) == first,
        wanted.indices.allSatisfy({ lowered(bytes[place + $0]) == wanted[$0] })
      {
        return place
      }
      place += 1
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte.isASCIIUppercase ? byte | 0x20 : byte
  }
}

extension UInt8 {
  fileprivate var hexDigit: Int? { Character(UnicodeScalar(self)).hexDigitValue }
}

extension String {
  /// Whether a host is a domain or below it.
  fileprivate func isIn(domain: String) -> Bool { self == domain || hasSuffix("." + domain) }
}
