#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Whether the bytes of a value look like a secret.
enum ValueLook {
  private static let shortestRandom = 16
  private static let shortestPassword = 8
  private static let longest = 4_096

  /// A value that no person made up: long, mixed, and each byte as likely as the others.
  static func isRandom(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (shortestRandom...longest).contains(value.count), isMixed(value), !isUUID(value),
      !value.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "{") })
    else { return false }
    return entropy(value) >= 3 && !isHashWithName(value) && !isDate(value)
      && !Placeholders.isPlaceholder(value)
  }

  /// A value that is meant for a password and is no word for one.
  static func isPassword(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (shortestPassword...longest).contains(value.count), classes(value) >= 2,
      !value.contains(where: { $0 <= 0x20 }), !isUUID(value)
    else { return false }
    return entropy(value) >= 2.25 && !Placeholders.isPlaceholder(value)
  }

  /// Whether there are letters and digits.
  static func isMixed(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var (hasLetter, hasDigit) = (false, false)
    for byte in value {
      if (0x30...0x39).contains(byte) { hasDigit = true }
      if (0x41...0x5A).contains(byte & 0xDF) { hasLetter = true }
    }
    return hasLetter && hasDigit
  }

  /// Bits a byte, by Shannon.
  static func entropy(_ value: UnsafeBufferPointer<UInt8>) -> Double {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      for byte in value { counts[Int(byte)] += 1 }
      var entropy = 0.0
      for count in counts where count > 0 {
        let share = Double(count) / Double(value.count)
        entropy -= share * log2(share)
      }
      return entropy
    }
  }

  /// How many of small letters, capitals, digits and other characters there are.
  private static func classes(_ value: UnsafeBufferPointer<UInt8>) -> Int {
    var seen = 0
    for byte in value {
      switch byte {
      case 0x61...0x7A: seen |= 1
      case 0x41...0x5A: seen |= 2
      case 0x30...0x39: seen |= 4
      default: seen |= 8
      }
    }
    return seen.nonzeroBitCount
  }

  /// `123e4567-e89b-12d3-a456-426614174000`: an identifier, secret to nobody.
  private static func isUUID(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard value.count == 36 else { return false }
    for (index, byte) in value.enumerated() {
      let isDash = [8, 13, 18, 23].contains(index)
      guard isDash ? byte == UInt8(ascii: "-") : isHex(byte) else { return false }
    }
    return true
  }

  /// `sha256-…`, `md5:…`: a digest that says so.
  private static func isHashWithName(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    ["sha", "md5", "crc"].contains { name in value.starts(with: Array(name.utf8)) }
  }

  /// A date with a time begins as `2026-11-21T`.
  private static func isDate(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    value.count <= 40 && value[4] == UInt8(ascii: "-") && value[7] == UInt8(ascii: "-")
      && value.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
