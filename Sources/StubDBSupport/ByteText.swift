package import Foundation

/// A text that is compared by its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, but on the wire and in a catalog `é` and `e` + accent are different
/// texts.
package struct ByteText: Hashable, Sendable, ExpressibleByStringLiteral {
  package var string: String

  package init(_ string: String) { self.string = string }

  package init(stringLiteral value: String) { string = value }

  package static func == (left: ByteText, right: ByteText) -> Bool {
    isEqual(left.string, right.string)
  }

  package func hash(into hasher: inout Hasher) {
    Self.withBytes(of: string) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ByteText: Comparable, CustomStringConvertible {
  package static func < (left: ByteText, right: ByteText) -> Bool {
    left.string.precedesByBytes(right.string)
  }

  package var description: String { string }
}

extension ByteText {
  package static func isEqual(_ left: String, _ right: String) -> Bool {
    withBytes(of: left) { left in
      withBytes(of: right) { right in isEqual(left, right) }
    }
  }

  private static func isEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }

  package static func isEqual(_ data: Data, _ text: String) -> Bool {
    data.withUnsafeBytes { bytes in
      withBytes(of: text) { isEqual(bytes.bindMemory(to: UInt8.self), $0) }
    }
  }

  /// Whether the texts are equal after both are converted to lower case by Unicode's rules.
  package static func isEqualIgnoringCase(_ left: String, _ right: String) -> Bool {
    isEqual(left, right) || isEqual(left.lowercased(), right.lowercased())
  }

  /// Whether two names are equal, ignoring the case of ASCII letters.
  package static func isSameName(_ left: String, _ right: String) -> Bool {
    withBytes(of: left) { left in
      withBytes(of: right) { right in
        left.count == right.count && zip(left, right).allSatisfy { lowered($0) == lowered($1) }
      }
    }
  }

  /// Whether the text contains the other one; every text contains the empty one.
  package static func contains(_ text: String, _ needle: String) -> Bool {
    withBytes(of: needle) { needle in
      guard let first = needle.first, let start = needle.baseAddress else { return true }
      return withBytes(of: text) { bytes in
        guard var place = bytes.baseAddress, bytes.count >= needle.count else { return false }
        let last = place + (bytes.count - needle.count)
        while place <= last, let found = memchr(place, Int32(first), last - place + 1) {
          let candidate = found.assumingMemoryBound(to: UInt8.self)
          if memcmp(candidate, start, needle.count) == 0 { return true }
          place = UnsafePointer(candidate) + 1
        }
        return false
      }
    }
  }

  /// The length of the common prefix, in bytes.
  package static func commonPrefixLength(_ left: String, _ right: String) -> Int {
    withBytes(of: left) { left in
      withBytes(of: right) { right in
        let end = min(left.count, right.count)
        var length = 0
        while length < end, left[length] == right[length] { length += 1 }
        return length
      }
    }
  }

  package static func withBytes<Result>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(body)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, two for each.
  package var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The bytes as the text of a URL: each that is not kept is `%` and two upper-case digits.
  ///
  /// https://www.rfc-editor.org/rfc/rfc3986#section-2.1
  package func percentEncoded(keeping isKept: (UInt8) -> Bool = { $0.isUnreserved }) -> String {
    map { isKept($0) ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal.uppercased() }.joined()
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII, or one of `-._~`, which no part of a URL encodes.
  ///
  /// https://www.rfc-editor.org/rfc/rfc3986#section-2.3
  package var isUnreserved: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(self)
    }
  }
}
