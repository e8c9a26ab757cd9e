/// A set of ASCII bytes, stored as bits.
package struct ByteSet: Hashable, Sendable {
  @usableFromInline var low: UInt64
  @usableFromInline var high: UInt64

  package init(_ text: StaticString) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    text.withUTF8Buffer { bytes in
      for byte in bytes {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
      }
    }
    (self.low, self.high) = (low, high)
  }

  package mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
  }

  /// Whether the byte is one of them.
  @inlinable
  @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    byte < 64
      ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte & 63) & 1 == 1
  }

  package static let alphanumerics = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  package static let words = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
  package static let urlSafe = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
  /// The characters of credentials. https://www.rfc-editor.org/rfc/rfc9110#section-11.2
  package static let token68 = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=")
  package static let names = tokenNames
  package static let hexadecimals = ByteSet("0123456789abcdefABCDEF")
  package static let digits = ByteSet("0123456789")
  package static let capitals = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  /// The characters of both base64 alphabets, without the padding.
  package static let base64 = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
  package static let tokenNames = ByteSet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
  package static let base32Capitals = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}
