internal import StubDBModel

/// Finds the contents of XML elements whose names mark them as secret.
///
/// The name may be that of the element, an attribute of it, or the content of the element before it. Every search stops
/// at the next `<` or `>`, so that a text costs linear time.
enum ElementMatcher {
  private static let longestName = 60
  /// The longest CDATA section that is looked at.
  private static let longestSection = 4_096
  private static let sectionStart = Array("<![CDATA[".utf8)
  private static let sectionEnd = Array("]]>".utf8)
  /// Elements whose content is the name of the next element's, as in XML-RPC and property lists.
  private static let namesOfNext = [Array("name".utf8), Array("key".utf8)]
  /// Elements around a value that say nothing about it.
  private static let wrappers = ["value", "string", "attributevalue"].map { Array($0.utf8) }
  /// HTML elements whose content is a text for people, whatever their attribute `name` is.
  private static let texts = ["a", "button", "label"].map { Array($0.utf8) }

  /// The content of the element whose tag ends with the `>` at the offset, or of the one that it names.
  static func match(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard let tag = Tag(in: bytes, endingAt: place) else { return nil }
    if tag.isClosing { return contentOfNext(in: bytes, after: tag) }
    let hint = SensitiveName(UnsafeBufferPointer(rebasing: bytes[tag.localName]))
    if hint.mayBeSecret {
      let inner = wrapped(in: bytes, tag) ?? tag
      return hint.match(in: bytes, content(in: bytes, from: inner.end))
    }
    guard let hint = hintOfAttribute(in: bytes, tag), !tag.isNamed(texts, in: bytes) else {
      return nil
    }
    let inner = wrapped(in: bytes, tag) ?? tag
    let value = content(in: bytes, from: inner.end)
    return inner.isClosed(in: bytes, after: value) ? hint.match(in: bytes, value) : nil
  }

  /// The value after `<name>…</name>`, in one or two elements such as `<value><string>`.
  private static func contentOfNext(
    in bytes: UnsafeBufferPointer<UInt8>, after tag: Tag
  ) -> SecretMatch? {
    guard tag.isNamed(namesOfNext, in: bytes) else { return nil }
    var end = tag.start
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    var start = end
    while start > 0, end - start <= longestName, bytes[start - 1] != UInt8(ascii: ">") {
      start -= 1
    }
    guard start > 0, bytes[start - 1] == UInt8(ascii: ">") else { return nil }
    let hint = SensitiveName(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    guard hint.mayBeSecret, let inner = wrapped(in: bytes, tag) else { return nil }
    let value = content(in: bytes, from: inner.end)
    return inner.isClosed(in: bytes, after: value) ? hint.match(in: bytes, value) : nil
  }

  /// What the attribute `name` or `key` of a tag says, as in `<param name="password">`.
  private static func hintOfAttribute(
    in bytes: UnsafeBufferPointer<UInt8>, _ tag: Tag
  ) -> SensitiveName? {
    for place in tag.attributes where bytes[place] == UInt8(ascii: "=") {
      guard let name = ControlMatcher.nameAttribute(in: bytes, at: place),
        name.upperBound <= tag.attributes.upperBound
      else { continue }
      let hint = SensitiveName(UnsafeBufferPointer(rebasing: bytes[name]))
      return hint.mayBeSecret ? hint : nil
    }
    return nil
  }

  /// The innermost of at most two elements that wrap the value after a tag; nil if none does.
  private static func wrapped(in bytes: UnsafeBufferPointer<UInt8>, _ tag: Tag) -> Tag? {
    var inner: Tag?
    for _ in 0..<2 {
      var start = inner?.end ?? tag.end
      while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
      guard start < bytes.count, bytes[start] == UInt8(ascii: "<") else { break }
      var end = start + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<") {
        end += 1
      }
      guard end < bytes.count, let next = Tag(in: bytes, endingAt: end), next.start == start,
        !next.isClosing, next.isNamed(wrappers, in: bytes)
      else { break }
      inner = next
    }
    return inner
  }

  /// The text from the offset to the next tag without the white space around it, or the CDATA section there.
  private static func content(
    in bytes: UnsafeBufferPointer<UInt8>, from place: Int
  ) -> Range<Int> {
    var start = place
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    if let section = characterData(in: bytes, from: start) { return section }
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "<") { end += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }

  private static func characterData(
    in bytes: UnsafeBufferPointer<UInt8>, from place: Int
  ) -> Range<Int>? {
    guard bytes[place...].starts(with: sectionStart) else { return nil }
    let start = place + sectionStart.count
    var end = start
    while end < bytes.count, end - start <= longestSection {
      if bytes[end] == sectionEnd[0], bytes[end...].starts(with: sectionEnd) { return start..<end }
      end += 1
    }
    return nil
  }
}

/// The tag of an element that may have content, such as `<wsse:Password Type="…">` or `</value>`.
private struct Tag {
  /// The offset of `<`.
  let start: Int
  /// The offset after `>`.
  let end: Int
  let isClosing: Bool
  /// The name with its prefix, as its closing tag repeats it.
  let name: Range<Int>
  let localName: Range<Int>
  let attributes: Range<Int>

  /// The tag that ends with the `>` at the offset; nil if there is no tag, or an empty element.
  init?(in bytes: UnsafeBufferPointer<UInt8>, endingAt place: Int) {
    var start = place
    while start > 0, bytes[start - 1] != UInt8(ascii: "<"), bytes[start - 1] != UInt8(ascii: ">") {
      start -= 1
    }
    guard start > 0, start < place, bytes[start - 1] == UInt8(ascii: "<") else { return nil }
    isClosing = bytes[start] == UInt8(ascii: "/")
    let nameStart = isClosing ? start + 1 : start
    var (nameEnd, localStart) = (nameStart, nameStart)
    while nameEnd < place {
      if bytes[nameEnd] == UInt8(ascii: ":") {
        localStart = nameEnd + 1
      } else if !ByteSet.names.contains(bytes[nameEnd]) {
        break
      }
      nameEnd += 1
    }
    var last = place
    while last > nameEnd, bytes[last - 1] <= 0x20 { last -= 1 }
    // Attributes end with a quote: a comparison such as `a<token && b>c` is no tag.
    guard localStart < nameEnd,
      last == nameEnd
        || bytes[nameEnd] <= 0x20
          && (bytes[last - 1] == UInt8(ascii: "\"") || bytes[last - 1] == UInt8(ascii: "'"))
    else { return nil }
    (self.start, end) = (start - 1, place + 1)
    name = nameStart..<nameEnd
    localName = localStart..<nameEnd
    attributes = nameEnd..<last
  }

  /// Whether the name without its prefix is one of those, which are of small letters.
  func isNamed(_ names: [[UInt8]], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    names.contains { name in
      name.count == localName.count
        && zip(bytes[localName], name).allSatisfy { $0 == $1 || $0 ^ 0x20 == $1 }
    }
  }

  /// Whether the closing tag of the element follows a text.
  func isClosed(in bytes: UnsafeBufferPointer<UInt8>, after text: Range<Int>) -> Bool {
    var place = text.upperBound
    if bytes[place...].starts(with: "]]>".utf8) { place += 3 }
    while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    return bytes[place...].starts(with: "</".utf8)
      && bytes[(place + 2)...].starts(with: bytes[name])
  }
}
