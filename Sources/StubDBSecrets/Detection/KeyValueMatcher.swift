internal import StubDBModel

/// Finds values whose names mark them as secret: in JSON, forms, queries and cookies.
enum KeyValueMatcher {
  private static let longestName = 60

  /// The value after `name=` or `"name":`.
  static func value(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    guard let name = name(in: bytes, endingAt: place) else { return nil }
    let hint = SensitiveName(UnsafeBufferPointer(rebasing: name))
    guard hint.mayBeSecret else { return nil }
    var start = place + 1
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    // A quote may be escaped, in JSON inside JSON.
    while start < bytes.count, bytes[start] == UInt8(ascii: "\\") { start += 1 }
    var quote: UInt8?
    if start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'")
    {
      quote = bytes[start]
      start += 1
    }
    var end = start
    // One byte more, so that nothing takes the beginning of a longer value for the value.
    while end < bytes.count, end - start <= SecretHeuristics.longest {
      if let quote {
        if bytes[end] == quote || bytes[end] == UInt8(ascii: "\\") { break }
      } else if bytes[end] < 0x20 || ByteSet.valueEnds.contains(bytes[end]) {
        break
      }
      end += 1
    }
    runs.examine(end - start)
    return hint.match(in: bytes, start..<end)
  }

  /// Whether the text before `=` or `:` is a name that makes its value a secret.
  static func hasHint(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ names: inout SensitiveNames
  ) -> Bool {
    guard let name = name(in: bytes, endingAt: place) else { return false }
    return names.meaning(of: UnsafeBufferPointer(rebasing: name)).mayBeSecret
  }

  /// The password of `scheme://user:password@host`.
  static func urlCredentials(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard place + 2 < bytes.count, bytes[place] == UInt8(ascii: ":"),
      bytes[place + 1] == UInt8(ascii: "/"), bytes[place + 2] == UInt8(ascii: "/")
    else { return nil }
    var end = place + 3
    var (colon, at): (Int?, Int?) = (nil, nil)
    while end < bytes.count, !ByteSet.urlEnds.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: ":"), colon == nil { colon = end }
      if bytes[end] == UInt8(ascii: "@") { at = end }
      end += 1
    }
    guard let colon, let at, colon < at else { return nil }
    let range = (colon + 1)..<at
    return SecretHeuristics.isPassword(UnsafeBufferPointer(rebasing: bytes[range]))
      ? SecretMatch(kind: .urlCredentials, range: range) : nil
  }

  /// The name before the offset, without its quotes.
  private static func name(
    in bytes: UnsafeBufferPointer<UInt8>, endingAt place: Int
  ) -> Slice<UnsafeBufferPointer<UInt8>>? {
    var end = place
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    var quote: UInt8?
    if end > 0, bytes[end - 1] == UInt8(ascii: "\"") || bytes[end - 1] == UInt8(ascii: "'") {
      quote = bytes[end - 1]
      end -= 1
      while end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    }
    var start = end
    // A quoted name may contain any characters, such as a space.
    while start > 0, end - start < longestName,
      quote.map({ bytes[start - 1] != $0 }) ?? ByteSet.names.contains(bytes[start - 1])
    {
      start -= 1
    }
    return end - start < 3 ? nil : bytes[start..<end]
  }
}
