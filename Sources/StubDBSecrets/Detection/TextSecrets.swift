internal import StubDBModel

/// A secret in a text, with the value that it has after all encodings are removed.
struct TextSecret: Hashable {
  let kind: SecretKind
  let text: String
}

/// Finds the secrets of a text, also under one or two layers of encoding.
enum TextSecrets {
  /// The number of layers that are removed.
  private static let depth = 2

  /// The secrets in a text; the text itself if its name marks it and no part of it is a secret.
  static func find(
    in bytes: UnsafeBufferPointer<UInt8>, named name: SensitiveName = .none,
    isPattern: Bool = false
  ) -> [TextSecret] {
    guard bytes.count >= 8 else { return [] }
    guard isPattern else { return find(in: bytes, named: name, depth: depth) }
    let pattern = withoutAnchors(bytes)
    var found = find(in: pattern, named: name, depth: depth)
    if !found.isEmpty { found = widened(found, in: pattern) }
    guard let plain = withoutGroups(pattern) else { return found }
    // What a group interrupts, such as `(HEAD)\.(PAYLOAD)\.(SIGNATURE)`.
    return plain.withUnsafeBufferPointer { plain in
      for secret in find(in: plain, named: name, depth: depth)
      where !found.contains(where: { $0.text.contains(secret.text) }) {
        found.removeAll { secret.text.contains($0.text) }
        found.append(secret)
      }
      return found
    }
  }

  /// The secrets of a content that may be binary; of that, runs of printable text are examined.
  static func find(inContent bytes: UnsafeBufferPointer<UInt8>) -> [TextSecret] {
    var found: [TextSecret] = []
    PrintableRuns.forEach(in: bytes) { run in
      found += find(in: run).filter { !found.contains($0) }
    }
    return found
  }

  /// A regular expression without the parentheses of its groups; nil if it has none.
  private static func withoutGroups(_ pattern: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var place = 0
    while place < pattern.count {
      switch pattern[place] {
      case UInt8(ascii: "\\") where place + 1 < pattern.count:
        result += [pattern[place], pattern[place + 1]]
        place += 1
      case UInt8(ascii: "("):
        let rest = pattern[(place + 1)...]
        if rest.starts(with: "?:".utf8) { place += 2 }
      case UInt8(ascii: ")"): break
      default: result.append(pattern[place])
      }
      place += 1
    }
    return result.count == pattern.count ? nil : result
  }

  /// The secrets of a regular expression; if an operator interrupts one, the whole word is taken.
  ///
  /// In `HEAD\.{1}PAYLOAD` only the head has the form of a token, but taking out the head alone would leave the rest.
  private static func widened(
    _ found: [TextSecret], in pattern: UnsafeBufferPointer<UInt8>
  ) -> [TextSecret] {
    var secrets = found
    for word in pattern.split(separator: UInt8(ascii: " ")) {
      let readings =
        [Array(word)] + word.withContiguousBytes { TextReading.readings(of: $0).map(\.bytes) }
      for reading in readings {
        let parts = found.filter { reading.holds(Array($0.text.utf8)) }
        guard let first = parts.first else { continue }
        let rest = parts.reduce(reading) { $0.without(Array($1.text.utf8)) }
        guard rest.longestTokenRun >= shortestRest else { continue }
        secrets.removeAll(where: parts.contains)
        let whole = TextSecret(kind: first.kind, text: String(decoding: word, as: UTF8.self))
        if !secrets.contains(whole) { secrets.append(whole) }
        break
      }
    }
    return secrets
  }

  /// The length from which letters, digits, `-` and `_` beside a secret count as part of it.
  private static let shortestRest = 16

  /// Whether a text may contain a secret, or a name that makes a value secret; errs on the side of true.
  static func mayHold(
    _ bytes: UnsafeBufferPointer<UInt8>, _ names: inout SensitiveNames, isContent: Bool = false
  ) -> Bool {
    if SecretDetector.isSuspicious(bytes, &names) { return true }
    var seen: Set<[UInt8]> = []
    var texts = distinctReadings(of: bytes, &seen)
    // JSON content is itself a layer around its texts.
    for _ in 1..<(depth + (isContent ? 1 : 0)) where !texts.isEmpty {
      if texts.contains(where: { isSuspicious($0, &names) }) { return true }
      texts = texts.flatMap { $0.withUnsafeBufferPointer { distinctReadings(of: $0, &seen) } }
    }
    return texts.contains { isSuspicious($0, &names) }
  }

  private static func isSuspicious(_ text: [UInt8], _ names: inout SensitiveNames) -> Bool {
    text.withUnsafeBufferPointer { SecretDetector.isSuspicious($0, &names) }
  }

  /// The text with one layer removed in each possible way, as far as it has not been seen: layers can mostly be removed
  /// in any order.
  private static func distinctReadings(
    of bytes: UnsafeBufferPointer<UInt8>, _ seen: inout Set<[UInt8]>
  ) -> [[UInt8]] {
    TextReading.readings(of: bytes).map(\.bytes).filter { seen.insert($0).inserted }
  }

  /// The same for a content that may be binary.
  static func mayHold(
    content bytes: UnsafeBufferPointer<UInt8>, _ names: inout SensitiveNames, isJSON: Bool
  ) -> Bool {
    var isFound = false
    PrintableRuns.forEach(in: bytes) { run in
      if !isFound { isFound = mayHold(run, &names, isContent: isJSON) }
    }
    return isFound
  }

  private static func find(
    in bytes: UnsafeBufferPointer<UInt8>, named name: SensitiveName, depth: Int
  ) -> [TextSecret] {
    var found = SecretDetector.matches(in: bytes).map { match in
      let bytes = UnsafeBufferPointer(rebasing: bytes[match.range])
      return TextSecret(kind: match.kind, text: String(decoding: bytes, as: UTF8.self))
    }
    if found.isEmpty, name != .none, let kind = name.kind(of: bytes) {
      found = [TextSecret(kind: kind, text: String(decoding: bytes, as: UTF8.self))]
    }
    guard depth > 0 else { return found }
    for reading in TextReading.readings(of: bytes) {
      let inner = reading.bytes.withUnsafeBufferPointer {
        find(in: $0, named: reading.layer == .base64 ? .none : name, depth: depth - 1)
      }
      merge(inner, reading, into: &found)
    }
    return found
  }

  /// Adds the secrets of a reading, in place of equal secrets or parts of them.
  private static func merge(
    _ inner: [TextSecret], _ reading: TextReading, into found: inout [TextSecret]
  ) {
    for secret in inner where !found.contains(secret) {
      let text = Array(secret.text.utf8)
      if reading.layer == .base64 {
        // Credentials in base64 are one secret, which includes the password.
        if found.contains(where: { Array($0.text.utf8).holds(reading.source) }) { continue }
      } else {
        found.removeAll { text.holds(reading.decodedLikewise($0.text)) }
        if found.contains(where: { reading.decodedLikewise($0.text).holds(text) }) { continue }
      }
      found.append(secret)
    }
  }

  /// A regular expression without `^` and `$`, which are not part of the value.
  private static func withoutAnchors(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    let start = bytes.first == UInt8(ascii: "^") ? 1 : 0
    var end = bytes.count
    if bytes.last == UInt8(ascii: "$"), bytes[end - 2] != UInt8(ascii: "\\") { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  fileprivate func withContiguousBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    body(UnsafeBufferPointer(rebasing: self))
  }
}

extension [UInt8] {
  /// The bytes, with every occurrence of others replaced by a space.
  fileprivate func without(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first else { return self }
    var result: [UInt8] = []
    var place = 0
    while place < count {
      if self[place] == first, place + bytes.count <= count,
        self[place..<place + bytes.count].elementsEqual(bytes)
      {
        result.append(UInt8(ascii: " "))
        place += bytes.count
      } else {
        result.append(self[place])
        place += 1
      }
    }
    return result
  }

  /// The length of the longest run of letters, digits, `-` and `_`.
  fileprivate var longestTokenRun: Int {
    var (longest, run) = (0, 0)
    for byte in self {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        run += 1
      default: run = 0
      }
      longest = Swift.max(longest, run)
    }
    return longest
  }

  /// Whether these bytes contain others.
  fileprivate func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, count >= bytes.count else { return bytes.isEmpty }
    for start in 0...(count - bytes.count)
    where self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes) {
      return true
    }
    return false
  }
}
