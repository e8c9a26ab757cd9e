/// A set of ASCII bytes, stored as bits.
struct ByteSet {
  private var low: UInt64
  private var high: UInt64

  init(_ text: StaticString) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    text.withUTF8Buffer { bytes in
      for byte in bytes {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
      }
    }
    (self.low, self.high) = (low, high)
  }

  mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 64
      ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte & 63) & 1 == 1
  }

  static let alphanumerics = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  static let words = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
  static let urlSafe = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
  /// The characters of credentials. https://www.rfc-editor.org/rfc/rfc9110#section-11.2
  static let token68 = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=")
  static let names = tokenNames
  static let hexadecimals = ByteSet("0123456789abcdefABCDEF")
  static let digits = ByteSet("0123456789")
  static let capitals = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  /// The characters of both base64 alphabets, without the padding.
  static let base64 = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
  static let tokenNames = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
  static let base32Capitals = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
  /// The characters that end an unquoted value.
  static let valueEnds = ByteSet(" \t\r\n\"'`,;&<>(){}[]|\\")
  static let urlEnds = ByteSet(" \t\r\n\"'`<>/\\?#")
}

/// A set of pairs of bytes, stored as 65,536 bits.
struct BytePairs {
  private var bits = [UInt64](repeating: 0, count: 1_024)

  mutating func insert(_ first: UInt8, _ second: UInt8) {
    bits[Int(first) << 2 | Int(second >> 6)] |= 1 << UInt64(second & 63)
  }

  func hold(_ first: UInt8, _ second: UInt8) -> Bool {
    bits[Int(first) << 2 | Int(second >> 6)] >> UInt64(second & 63) & 1 == 1
  }
}
