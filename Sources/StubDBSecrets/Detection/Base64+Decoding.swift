import Foundation
import StubDBModel

extension Base64 {
  /// The bytes; nil if the text is not base64.
  static func decoded(_ text: some Sequence<UInt8>) -> Data? {
    let sextets = sextets
    var result: [UInt8] = []
    result.reserveCapacity(text.underestimatedCount * 3 / 4 + 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in text {
      let sextet = sextets[Int(byte)]
      if sextet == padding { continue }
      if sextet == other { return nil }
      bits = bits << 6 | UInt32(sextet)
      count += 1
      if count & 3 != 1 { result.append(self.byte(of: bits, count)) }
    }
    return count & 3 == 1 ? nil : Data(result)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes contain letters and digits.
  var isMixed: Bool {
    var (hasLetter, hasDigit) = (false, false)
    for byte in self {
      if byte.isASCIIDigit { hasDigit = true }
      if byte.isASCIILetter { hasLetter = true }
    }
    return hasLetter && hasDigit
  }
}
