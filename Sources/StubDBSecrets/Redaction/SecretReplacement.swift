internal import Foundation

/// Replaces secrets in a text, however they are written there.
///
/// A byte of a secret may stand for itself, be percent-encoded (once or twice), or be escaped as in
/// JSON or in a regular expression; a text in base64 is decoded, and encoded again.
struct SecretReplacement {
  private struct Candidate {
    let bytes: [UInt8]
    let placeholder: [UInt8]
  }

  /// The secrets by their first byte, the longest first.
  private var candidates = [[Candidate]](repeating: [], count: 256)
  /// The bytes with which a secret may begin, however it is written.
  private var starts = [Bool](repeating: false, count: 256)
  /// No shorter run of base64 can hold one of the secrets.
  private let shortestBase64: Int

  init(_ secrets: [String], _ redaction: Redaction) {
    shortestBase64 = max(8, (secrets.map(\.utf8.count).min() ?? 0) * 4 / 3)
    for secret in secrets {
      guard let placeholder = redaction.placeholder(for: secret), let first = secret.utf8.first
      else { continue }
      candidates[Int(first)].append(
        Candidate(bytes: Array(secret.utf8), placeholder: Array(placeholder.utf8)))
      starts[Int(first)] = true
    }
    for byte in candidates.indices {
      candidates[byte].sort { $0.bytes.count > $1.bytes.count }
    }
    for byte in "%\\+&".utf8 { starts[Int(byte)] = true }
  }

  /// The text without the secrets; nil where it has none.
  func replaced(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let plain = replaced(bytes)
    let all = replacedInBase64(plain ?? bytes) ?? plain
    return all.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the bytes hold a secret.
  func isFound(in bytes: [UInt8]) -> Bool {
    replaced(bytes) != nil || replacedInBase64(bytes) != nil
  }

  private func replaced(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place < bytes.count {
      if starts[Int(bytes[place])], let (end, placeholder) = match(bytes, at: place) {
        result += bytes[copied..<place] + placeholder
        copied = end
        place = end
      } else {
        place += 1
      }
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  private func match(_ bytes: [UInt8], at place: Int) -> (end: Int, placeholder: [UInt8])? {
    for (first, end) in WrittenByte.readings(bytes, at: place) {
      for candidate in candidates[Int(first)] {
        if let end = Self.end(of: candidate.bytes[1...], in: bytes, at: end) {
          return (end, candidate.placeholder)
        }
      }
    }
    return nil
  }

  /// Where the rest of a secret ends that begins at the place; nil where something else is there.
  private static func end(of rest: ArraySlice<UInt8>, in bytes: [UInt8], at place: Int) -> Int? {
    var (rest, place) = (rest, place)
    while let byte = rest.first {
      guard place < bytes.count else { return nil }
      guard WrittenByte.marks.contains(bytes[place]) else {
        if bytes[place] != byte { return nil }
        rest = rest.dropFirst()
        place += 1
        continue
      }
      for (value, end) in WrittenByte.readings(bytes, at: place) where value == byte {
        if let end = Self.end(of: rest.dropFirst(), in: bytes, at: end) { return end }
      }
      return nil
    }
    return place
  }

  /// Replaces in what runs of base64 decode to.
  private func replacedInBase64(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place < bytes.count {
      var end = place
      while end < bytes.count, Self.isBase64(bytes[end]) { end += 1 }
      if end - place >= shortestBase64, let decoded = Base64.decoded(bytes[place..<end]),
        let changed = replaced(Array(decoded))
      {
        result += bytes[copied..<place] + Self.encoded(changed, like: bytes[place..<end])
        copied = end
      }
      place = end + 1
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    ByteSet.urlSafe.contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "=")
  }

  /// Base64 in the alphabet of the original, with padding where that had some or needed none.
  private static func encoded(_ bytes: [UInt8], like original: ArraySlice<UInt8>) -> [UInt8] {
    let isPadded = original.count % 4 == 0
    let isURLSafe = original.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return Data(bytes).base64EncodedData().compactMap { byte in
      switch byte {
      case UInt8(ascii: "=") where !isPadded: nil
      case UInt8(ascii: "+") where isURLSafe: UInt8(ascii: "-")
      case UInt8(ascii: "/") where isURLSafe: UInt8(ascii: "_")
      default: byte
      }
    }
  }
}
