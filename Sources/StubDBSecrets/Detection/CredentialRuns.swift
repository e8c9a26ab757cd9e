internal import StubDBModel

/// The runs of bytes that tokens are made of, and what is known of web tokens and of texts in base64.
///
/// Each is looked at once, however many secrets may begin in it. For one text, which is searched from left to right.
struct CredentialRuns {
  var tokens = TokenRuns()
  /// The number of bytes that were looked at besides those of tokens.
  private var others = 0
  /// Where the first of three parts was, and the ends of all of them; nil if there are fewer.
  private var first = 0..<0
  private var ends: [Int]?
  /// The ends of the headers that are not those of a web token, by what their beginnings leave when divided by four.
  private var dismissed = SIMD4<Int>(repeating: -1)

  /// The number of bytes in all that were looked at to find where something ends, or what it encodes.
  var examined: Int { tokens.examined + others }

  /// The ends of three parts of letters, digits, `-` and `_` that periods separate; nil if there are fewer.
  mutating func endsOfThreeParts(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> [Int]? {
    if first.contains(place) { return ends }
    var found: [Int] = []
    var end = place
    while end < bytes.count, found.count < 3 {
      while end < bytes.count, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
      found.append(end)
      guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { break }
      end += 1
    }
    others += end - place
    first = place..<(found.first ?? place)
    ends = found.count == 3 ? found : nil
    return ends
  }

  /// Whether the text in base64 between two places was dismissed together with one that begins before it.
  ///
  /// Each fourth byte begins a text that the same bytes end.
  func isDismissed(_ header: Range<Int>) -> Bool {
    dismissed[header.lowerBound & 3] == header.upperBound
  }

  /// Notes that a text in base64 lacks what a header needs.
  mutating func dismiss(_ header: Range<Int>) {
    others += header.count
    dismissed[header.lowerBound & 3] = header.upperBound
  }

  /// Counts what else was looked at.
  mutating func examine(_ count: Int) { others += count }
}
