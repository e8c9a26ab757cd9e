import StubDBModel

extension ByteSet {
  /// The characters that end an unquoted value.
  static let valueEnds = ByteSet(" \t\r\n\"'`,;&<>(){}[]|\\")
  static let urlEnds = ByteSet(" \t\r\n\"'`<>/\\?#")
}

/// A set of pairs of bytes, stored as 65,536 bits.
struct BytePairs: Sendable {
  private var bits = [UInt64](repeating: 0, count: 1_024)

  init() {}

  mutating func insert(_ first: UInt8, _ second: UInt8) {
    bits[Int(first) << 2 | Int(second >> 6)] |= 1 << UInt64(second & 63)
  }

  func hold(_ first: UInt8, _ second: UInt8) -> Bool {
    bits[Int(first) << 2 | Int(second >> 6)] >> UInt64(second & 63) & 1 == 1
  }
}
