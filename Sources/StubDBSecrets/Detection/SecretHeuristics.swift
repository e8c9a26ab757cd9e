internal import StubDBModel

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
enum SecretHeuristics {
  private static let shortestRandom = 16
  private static let shortestPassword = 8
  /// Longer values are no secrets.
  static let longest = 4_096

  /// Whether it looks random: 16 bytes or more, letters and digits, at least 3 bits of entropy per byte, and not a
  /// UUID, a date, a named digest or a placeholder.
  static func isRandom(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (shortestRandom...longest).contains(value.count), value.isMixed, !isUUID(value),
      !value.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "{") })
    else { return false }
    return entropy(value) >= 3 && !isHashWithName(value) && !isDate(value)
      && !Placeholders.isPlaceholder(value)
  }

  /// Whether it looks like a password and not like a placeholder: 8 bytes or more of at least two classes of
  /// characters, without spaces.
  static func isPassword(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (shortestPassword...longest).contains(value.count), classes(value) >= 2,
      !value.contains(where: { $0 <= 0x20 }), !isUUID(value)
    else { return false }
    return entropy(value) >= 2.25 && !Placeholders.isPlaceholderPassword(value)
  }

  /// Shannon entropy in bits per byte.
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

  /// How many of four classes occur: lower case, upper case, digits, other characters.
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

  /// Whether it is a UUID such as `123e4567-e89b-12d3-a456-426614174000`, which identifies and is not secret.
  private static func isUUID(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard value.count == 36 else { return false }
    for (index, byte) in value.enumerated() {
      let isDash = [8, 13, 18, 23].contains(index)
      guard isDash ? byte == UInt8(ascii: "-") : isHex(byte) else { return false }
    }
    return true
  }

  /// Whether it is a named digest, such as `sha256-…` or `md5:…`.
  private static func isHashWithName(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    ["sha", "md5", "crc"].contains { name in value.starts(with: Array(name.utf8)) }
  }

  /// Whether it begins with a date and time, such as `2026-11-21T`.
  private static func isDate(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    value.count <= 40 && value[4] == UInt8(ascii: "-") && value[7] == UInt8(ascii: "-")
      && value.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}

/// Placeholders: values that replace a secret.
enum Placeholders {
  /// Words that do not occur in real secrets.
  private static let words = byFirstByte([
    "redacted", "example", "xxxx", "placeholder", "changeme", "change-me", "change_me", "dummy",
    "fake", "sample", "your-", "your_", "insert", "test", "mock", "stub", "foobar", "lorem",
    "deadbeef", "{{", "${", "***", "...", "<", ".*", ".+",
  ])

  /// Words that occur in placeholders for passwords, but also in real passwords.
  private static let weakWords = [
    "passw0rd", "password", "secret", "letmein", "hunter2", "admin", "qwerty", "123456", "abcdef",
  ].map { Array($0.utf8) }

  /// Published example keys without their prefixes: Stripe's test key, and the signature of the token on jwt.io.
  private static let published = [
    "4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "26PHem9AhJZvU623DfE1x4sd",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
  ].map { Array($0.utf8) }

  /// Whether the value contains one of the words, or has at most four different characters.
  static func isPlaceholder(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if hasFewCharacters(value) || isPublished(value) { return true }
    return holdsWord(value) || weakWords.contains { !places(of: $0, in: value).isEmpty }
  }

  private static func byFirstByte(_ words: [String]) -> [[[UInt8]]] {
    var table = [[[UInt8]]](repeating: [], count: 256)
    for word in words { table[Int(word.utf8.first ?? 0)].append(Array(word.utf8)) }
    return table
  }

  /// Whether the value contains one of the words that do not occur in real secrets.
  private static func holdsWord(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    let words = words
    return value.indices.contains { start in
      words[Int(lowercase(value[start]))].contains { word in
        value.count - start >= word.count
          && zip(value[start...], word).allSatisfy { lowercase($0) == $1 }
      }
    }
  }

  /// The same for a password; the weaker words count, each once, only if they make up more than half of the value.
  static func isPlaceholderPassword(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if hasFewCharacters(value) || isPublished(value) { return true }
    if holdsWord(value) { return true }
    var covered = Set<Int>()
    for word in weakWords {
      if let place = places(of: word, in: value).first {
        covered.formUnion(place..<place + word.count)
      }
    }
    return covered.count * 2 > value.count
  }

  /// Whether the bytes end in a published example key.
  static func isPublished(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    published.contains { value.count >= $0.count && value.suffix($0.count).elementsEqual($0) }
  }

  /// Whether it has at most four different characters, such as `xxxxxxxx` or `0000-0000`.
  private static func hasFewCharacters(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in value {
      if byte & 64 == 0 { low |= 1 << UInt64(byte & 63) } else { high |= 1 << UInt64(byte & 63) }
    }
    return low.nonzeroBitCount + high.nonzeroBitCount <= 4
  }

  /// The offset of the word in the value, compared case-insensitively.
  private static func places(of word: [UInt8], in value: UnsafeBufferPointer<UInt8>) -> [Int] {
    guard value.count >= word.count else { return [] }
    var places: [Int] = []
    for start in 0...(value.count - word.count) {
      var index = 0
      while index < word.count, lowercase(value[start + index]) == word[index] { index += 1 }
      if index == word.count { places.append(start) }
    }
    return places
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
