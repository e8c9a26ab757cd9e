internal import Foundation

/// Replaces secrets in a text, in any encoding.
///
/// A byte of a secret may stand for itself or be encoded in one of the ways of ``EncodedByte``. Runs of base64, which
/// may be encoded themselves, are decoded at every alignment, and encoded again.
struct SecretReplacement {
  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The number of layers of base64 that are decoded.
  private static let depth = 2
  /// The most bytes that encode one byte of a secret: 12 as `&#x00002B;` or after a quotation, in two layers of base64.
  static let longestSpelling = 12 * 16 / 9 + 3

  private let secrets: SortedSecrets
  /// The bytes with which an encoded secret may begin.
  private var starts = [Bool](repeating: false, count: 256)
  /// The shortest run of base64 that can contain one of the secrets.
  private let shortestBase64: Int
  private let isEmpty: Bool

  init(_ secrets: [String], _ redaction: Redaction) {
    let secrets = secrets.filter { !$0.isEmpty && redaction.placeholder(for: $0) != nil }
    self.secrets = SortedSecrets(secrets) { redaction.placeholder(for: $0) ?? "" }
    isEmpty = secrets.isEmpty
    shortestBase64 = max(6, (secrets.map(\.utf8.count).min() ?? 0) * 4 / 3)
    for secret in secrets {
      if let first = secret.utf8.first { starts[Int(first)] = true }
    }
    for byte in 0..<UInt8(0x80) where EncodedByte.marks.contains(byte) { starts[Int(byte)] = true }
  }

  /// The text without the secrets; nil if it contains none.
  func replaced(_ text: String) -> String? {
    if isEmpty { return nil }
    var text = text
    return text.withUTF8 { replaced($0, depth: Self.depth) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The bytes without the secrets; nil if they contain none.
  func replaced(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    isEmpty ? nil : replaced(bytes, depth: Self.depth)
  }

  /// Whether a text contains a secret.
  func isFound(in text: String) -> Bool { replaced(text) != nil }

  /// Whether the bytes contain a secret.
  func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !isEmpty && replaced(bytes, depth: Self.depth) != nil
  }

  private func replaced(_ bytes: Bytes, depth: Int) -> [UInt8]? {
    let plain = replacedDirectly(bytes)
    guard depth > 0 else { return plain }
    if let plain {
      return plain.withUnsafeBufferPointer { replacedInBase64($0, depth: depth) } ?? plain
    }
    return replacedInBase64(bytes, depth: depth)
  }

  private func replacedDirectly(_ bytes: Bytes) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place < bytes.count {
      if starts[Int(bytes[place])], let (end, placeholder) = match(bytes, at: place) {
        result += bytes[copied..<place]
        result += placeholder
        copied = end
        place = end
      } else {
        place += 1
      }
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  /// The longest secret that begins at the place.
  private func match(_ bytes: Bytes, at place: Int) -> (end: Int, placeholder: [UInt8])? {
    // A quotation mark of a regular expression stays in place.
    if EncodedByte.quotationMark(bytes, at: place) != nil { return nil }
    guard let (secret, end) = secrets.longest(in: bytes, at: place) else { return nil }
    let marks =
      secrets.bytes(of: secret).contains(UInt8(ascii: "\\"))
      ? [] : Self.openQuotation(UnsafeBufferPointer(rebasing: bytes[place..<end]))
    return (end, secrets.placeholder(of: secret) + marks)
  }

  /// The quotation mark that the replaced text leaves unbalanced: `\E` for `a\E-\Qb\E` that began inside a quotation.
  private static func openQuotation(_ bytes: Bytes) -> [UInt8] {
    let marks = bytes.indices.filter { EncodedByte.quotationMark(bytes, at: $0) != nil }
    guard let first = marks.first, let last = marks.last, bytes[first + 1] == bytes[last + 1] else {
      return []
    }
    return Array(bytes[last..<last + 2])
  }
}

// Base64.
extension SecretReplacement {
  /// A run of base64, with the encoding of each of its characters.
  private struct Run {
    var characters: [UInt8] = []
    var ends: [Int] = []
    /// The encodings of `+`, `/` and `=` in the run.
    var spellings: [UInt8: [UInt8]] = [:]
  }

  /// Replaces secrets in the content of base64 runs.
  private func replacedInBase64(_ bytes: Bytes, depth: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place < bytes.count {
      let run = Self.run(in: bytes, at: place, shortestBase64)
      if run.characters.count >= shortestBase64,
        let (start, text, end) = replaced(run, in: bytes, at: place, depth)
      {
        result += bytes[copied..<start]
        result += text
        copied = end
      }
      place = max(place + 1, run.ends.last ?? 0)
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  /// The run that begins at the offset; empty if it is too short.
  private static func run(in bytes: Bytes, at place: Int, _ shortest: Int) -> Run {
    var run = Run()
    var quick = place
    while quick < bytes.count, ByteSet.base64.contains(bytes[quick]) { quick += 1 }
    let isPlain =
      quick == bytes.count || !EncodedByte.marks.contains(bytes[quick]) || quick == place
    if isPlain, quick - place < shortest {
      run.ends = [quick]
      return run
    }
    var next = place
    while next < bytes.count, let (character, end) = character(in: bytes, at: next) {
      run.characters.append(character)
      run.ends.append(end)
      if end - next > 1 { run.spellings[character] = Array(bytes[next..<end]) }
      next = end
    }
    return run
  }

  private static func character(in bytes: Bytes, at place: Int) -> (UInt8, Int)? {
    let byte = bytes[place]
    if ByteSet.base64.contains(byte) || byte == UInt8(ascii: "=") { return (byte, place + 1) }
    guard EncodedByte.marks.contains(byte) else { return nil }
    for (value, end) in EncodedByte.readings(bytes, at: place) {
      guard value.count == 1, ByteSet("+/=-_").contains(value[0]) else { continue }
      return (value[0], end)
    }
    return nil
  }

  /// The first alignment at which a run contains a secret: its start, the decoded content, and its end.
  private func replaced(
    _ run: Run, in bytes: Bytes, at place: Int, _ depth: Int
  ) -> (start: Int, text: [UInt8], end: Int)? {
    var length = run.characters.count
    while length > 0, run.characters[length - 1] == UInt8(ascii: "=") { length -= 1 }
    for shift in 0..<4 where length - shift >= shortestBase64 {
      let tail = (length - shift) % 4 == 1 ? 1 : 0
      let characters = run.characters[shift..<(length - tail)]
      guard let decoded = Base64.decoded(characters),
        let changed = decoded.withUnsafeBytes({
          replaced($0.bindMemory(to: UInt8.self), depth: depth - 1)
        })
      else { continue }
      let isPadded = length < run.characters.count || (length - shift) % 4 == 0
      let encoded = Self.encoded(changed, like: characters, isPadded, run.spellings)
      let start = shift == 0 ? place : run.ends[shift - 1]
      let end = tail == 0 ? run.ends.last ?? place : run.ends[length - 2]
      return (start, encoded, end)
    }
    return nil
  }

  /// Encodes in the alphabet and the spelling of the original, with padding if that had some or needed none.
  private static func encoded(
    _ bytes: [UInt8], like original: ArraySlice<UInt8>, _ isPadded: Bool,
    _ spellings: [UInt8: [UInt8]]
  ) -> [UInt8] {
    let isURLSafe = original.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let percent = spellings.values.first { $0.first == UInt8(ascii: "%") }
    var result: [UInt8] = []
    for byte in Data(bytes).base64EncodedData() {
      switch byte {
      case UInt8(ascii: "=") where !isPadded: continue
      case UInt8(ascii: "+") where isURLSafe: result.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/") where isURLSafe: result.append(UInt8(ascii: "_"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
        if let spelling = spellings[byte] {
          result += spelling
        } else if let percent {
          let mark = percent.count > 3 ? "%25" : "%"
          result += Array((mark + String(byte, radix: 16, uppercase: true)).utf8)
        } else {
          result.append(byte)
        }
      default: result.append(byte)
      }
    }
    return result
  }
}
