internal import StubDBModel

/// Replaces secrets in a text, in any encoding.
///
/// A byte of a secret may be literal or encoded in one of the ways of ``EncodedByte``. Runs of base64, which
/// may be encoded themselves, are decoded at every alignment, and encoded again.
struct SecretReplacement {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The number of layers of base64 that are decoded.
  private static let depth = 2
  /// The most bytes that encode one byte of a secret: 12 as `&#x00002B;` or after a quotation, in two layers of base64.
  static let longestSpelling = 12 * 16 / 9 + 3

  private let secrets: SortedSecrets
  /// The bytes with which an encoded secret may begin.
  private var starts = [Bool](repeating: false, count: 256)
  /// The first two bytes of the secrets.
  private var pairs = BytePairs()
  /// The shortest run of base64 that can contain one of the secrets.
  let shortestBase64: Int
  private let isEmpty: Bool

  init(_ secrets: [String], _ redaction: Redaction) {
    let secrets = secrets.filter { !$0.isEmpty && redaction.placeholder(for: $0) != nil }
    self.secrets = SortedSecrets(secrets) { redaction.placeholder(for: $0) ?? "" }
    isEmpty = secrets.isEmpty
    shortestBase64 = max(6, (secrets.map(\.utf8.count).min() ?? 0) * 4 / 3)
    for secret in secrets {
      let start = Array(secret.utf8.prefix(2))
      starts[Int(start[0])] = true
      // A secret of one byte can be before any other.
      for byte in start.count > 1 ? start[1]...start[1] : 0...255 { pairs.insert(start[0], byte) }
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

  func replaced(_ bytes: Bytes, depth: Int) -> [UInt8]? {
    var result = replacedDirectly(bytes)
    guard depth > 0 else { return result }
    // A run may hold several secrets, at different alignments.
    for _ in 0..<4 {
      guard
        let next = Self.applied(to: result, or: bytes, { replacedInBase64($0, depth: depth) })
      else { break }
      result = next
    }
    return Self.applied(to: result, or: bytes, replacedBehindLayers) ?? result
  }

  private static func applied(
    to result: [UInt8]?, or bytes: Bytes, _ step: (Bytes) -> [UInt8]?
  ) -> [UInt8]? {
    guard let result else { return step(bytes) }
    return result.withUnsafeBufferPointer(step)
  }

  private func replacedDirectly(_ bytes: Bytes) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    for (range, placeholder) in matches(in: bytes) {
      result += bytes[copied..<range.lowerBound]
      result += placeholder
      copied = range.upperBound
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  /// The secrets in a text, each byte of which may be encoded once.
  private func matches(in bytes: Bytes) -> [(range: Range<Int>, placeholder: [UInt8])] {
    var found: [(range: Range<Int>, placeholder: [UInt8])] = []
    let marks = EncodedByte.marks
    var place = 0
    starts.withUnsafeBufferPointer { starts in
      while place < bytes.count {
        let byte = bytes[place]
        guard starts[Int(byte)], mayBegin(byte, bytes, place, marks),
          let (end, placeholder) = match(bytes, at: place)
        else {
          place += 1
          continue
        }
        found.append((place..<end, placeholder))
        place = end
      }
    }
    return found
  }

  /// Whether the first two bytes of a secret may be at the offset.
  @inline(__always)
  private func mayBegin(_ byte: UInt8, _ bytes: Bytes, _ place: Int, _ marks: ByteSet) -> Bool {
    if marks.contains(byte) || place + 1 == bytes.count { return true }
    return pairs.hold(byte, bytes[place + 1]) || marks.contains(bytes[place + 1])
  }

  /// Replaces secrets whose bytes are encoded twice, such as an escape of JSON in a URL.
  private func replacedBehindLayers(_ bytes: Bytes) -> [UInt8]? {
    var result: [UInt8]?
    for layer in [DecodedText.Layer.percent, .escapes, .references] {
      let next = Self.applied(to: result, or: bytes) { replaced($0, behind: layer) }
      if let next { result = next }
    }
    return result
  }

  private func replaced(_ bytes: Bytes, behind layer: DecodedText.Layer) -> [UInt8]? {
    guard bytes.contains(where: layer.marks.contains),
      let decoded = DecodedText(bytes, without: layer),
      // What is encoded once was found without this.
      decoded.bytes.contains(where: Self.layerMarks.contains)
    else { return nil }
    var result: [UInt8] = []
    var copied = 0
    for (range, placeholder) in decoded.bytes.withUnsafeBufferPointer({ matches(in: $0) }) {
      let source = decoded.source(of: range)
      result += bytes[copied..<source.lowerBound]
      result += placeholder
      copied = source.upperBound
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  private static let layerMarks = ByteSet("%\\&[")

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
