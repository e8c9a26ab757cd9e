internal import StubDBModel

/// Finds values whose names are beside them: in the parts of a multipart body and in the attributes of a tag.
enum ControlMatcher {
  private static let longestValue = 4_096
  private static let longestName = 100
  /// How many spaces may be beside the `=` of an attribute.
  private static let mostSpaces = 16
  /// How far the other attributes of a tag and the other header fields of a part are looked at, in bytes.
  private static let reach = 500
  private static let name = Array("name".utf8)
  private static let key = Array("key".utf8)
  private static let value = Array("value".utf8)
  private static let formData = Array("form-data".utf8)

  /// The value of the part or the control to which an attribute `name` or `value` belongs, at its `=`.
  static func match(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard bytes[place] == UInt8(ascii: "=") else { return nil }
    if isWord(name, in: bytes, endingAt: place) { return part(in: bytes, at: place) }
    if isWord(value, in: bytes, endingAt: place) { return control(in: bytes, at: place) }
    return nil
  }

  /// The content of a part after `Content-Disposition: form-data; name="…"`.
  /// https://www.rfc-editor.org/rfc/rfc7578#section-4.2
  private static func part(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard let name = attribute(in: bytes, after: place, longest: longestName) else { return nil }
    let hint = SensitiveName(UnsafeBufferPointer(rebasing: bytes[name]))
    guard hint.mayBeSecret, isDisposition(bytes, before: place),
      let start = endOfHeader(in: bytes, from: name.upperBound)
    else { return nil }
    var end = start
    while end < bytes.count, end - start <= longestValue, bytes[end] > 0x20 { end += 1 }
    // With anything but a line end after it, it is not the whole content.
    guard end == bytes.count || bytes[end] == 0x0D || bytes[end] == 0x0A else { return nil }
    return hint.match(in: bytes, start..<end)
  }

  /// Whether the line contains `form-data` before the offset.
  private static func isDisposition(
    _ bytes: UnsafeBufferPointer<UInt8>, before place: Int
  ) -> Bool {
    var start = place
    while start > 0, place - start < reach, bytes[start - 1] != 0x0A {
      start -= 1
      if isWord(formData, in: bytes, endingAt: start) { return true }
    }
    return false
  }

  /// The offset after the next empty line.
  private static func endOfHeader(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var place = start
    while place < bytes.count, place - start < reach {
      if bytes[place] == 0x0A {
        var next = place + 1
        if next < bytes.count, bytes[next] == 0x0D { next += 1 }
        if next < bytes.count, bytes[next] == 0x0A { return next + 1 }
      }
      place += 1
    }
    return nil
  }

  /// The attribute `value` of a tag with an attribute `name` or `key`, such as `<input name="…" value="…">`.
  private static func control(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> SecretMatch? {
    var start = place
    while start > 0, place - start < reach, bytes[start - 1] != UInt8(ascii: "<") {
      start -= 1
      if bytes[start] == UInt8(ascii: ">") { return nil }
    }
    guard start > 0, bytes[start - 1] == UInt8(ascii: "<"),
      let value = attribute(in: bytes, after: place)
    else { return nil }
    var end = value.upperBound
    while end < bytes.count, end - value.upperBound < reach, bytes[end] != UInt8(ascii: ">") {
      end += 1
    }
    for place in [start..<place, value.upperBound..<end].joined()
    where bytes[place] == UInt8(ascii: "=") {
      guard let name = nameAttribute(in: bytes, at: place) else { continue }
      let hint = SensitiveName(UnsafeBufferPointer(rebasing: bytes[name]))
      if hint.mayBeSecret { return hint.match(in: bytes, value) }
    }
    return nil
  }

  /// The text of an attribute `name` or `key` at its `=`; nil for other attributes.
  static func nameAttribute(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Range<Int>? {
    guard
      isWord(name, in: bytes, endingAt: place) || isWord(key, in: bytes, endingAt: place)
    else { return nil }
    return attribute(in: bytes, after: place, longest: longestName)
  }

  /// The text after `=`, without its quotes; nil for a text whose quotes are not closed.
  private static func attribute(
    in bytes: UnsafeBufferPointer<UInt8>, after place: Int, longest: Int = longestValue
  ) -> Range<Int>? {
    var start = place + 1
    while start < bytes.count, start - place <= mostSpaces, bytes[start] == 0x20 { start += 1 }
    // A quote may be escaped, in JSON.
    while start < bytes.count, bytes[start] == UInt8(ascii: "\\") { start += 1 }
    guard start < bytes.count else { return nil }
    let quote = bytes[start]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { start += 1 }
    var end = start
    while end < bytes.count, end - start <= longest {
      let byte = bytes[end]
      let isEnd =
        isQuoted
        ? byte == quote || byte == UInt8(ascii: "\\")
        : byte < 0x20 || ByteSet.valueEnds.contains(byte)
      if isEnd { return start..<end }
      end += 1
    }
    return isQuoted || end < bytes.count ? nil : start..<end
  }

  /// Whether a word of small letters is before the offset, in either case and not as a part of a longer word.
  private static func isWord(
    _ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, endingAt place: Int
  ) -> Bool {
    var end = place
    while end > 0, place - end < mostSpaces, bytes[end - 1] == 0x20 { end -= 1 }
    let start = end - word.count
    guard start >= 0, start == 0 || !ByteSet.names.contains(bytes[start - 1]) else { return false }
    return zip(bytes[start..<end], word).allSatisfy { byte, letter in
      byte == letter || byte ^ 0x20 == letter && letter >= UInt8(ascii: "a")
    }
  }
}
