/// Values that stand for a secret and are none.
enum Placeholders {
  /// Texts that nobody finds in a real secret but by a chance in millions.
  private static let words = [
    "redacted", "example", "xxxx", "placeholder", "changeme", "change-me", "change_me", "dummy",
    "fake", "sample", "your-", "your_", "insert", "test", "mock", "stub", "foobar", "lorem",
    "deadbeef", "123456", "abcdef", "qwerty", "secret", "password", "passw0rd", "letmein",
    "hunter2", "admin", "{{", "${", "***", "...", "<", ".*", ".+",
  ].map { Array($0.utf8) }

  /// The keys that documentation publishes, without their beginnings: Stripe's test key, and the
  /// signature of the token on jwt.io.
  private static let published = [
    "4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "26PHem9AhJZvU623DfE1x4sd",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
  ].map { Array($0.utf8) }

  static func isPlaceholder(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if hasFewCharacters(value) || isPublished(value) { return true }
    return words.contains { contains($0, in: value) }
  }

  /// Whether the bytes end in a key that documentation publishes.
  static func isPublished(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    published.contains { value.count >= $0.count && value.suffix($0.count).elementsEqual($0) }
  }

  /// `xxxxxxxx`, `0000-0000`.
  private static func hasFewCharacters(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in value {
      if byte & 64 == 0 { low |= 1 << UInt64(byte & 63) } else { high |= 1 << UInt64(byte & 63) }
    }
    return low.nonzeroBitCount + high.nonzeroBitCount <= 4
  }

  /// Whether the value holds a word in small letters, be it in capitals.
  private static func contains(_ word: [UInt8], in value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard value.count >= word.count else { return false }
    for start in 0...(value.count - word.count) {
      var index = 0
      while index < word.count, lowercase(value[start + index]) == word[index] { index += 1 }
      if index == word.count { return true }
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
