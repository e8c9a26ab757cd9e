internal import StubDBModel

extension XMLPattern {
  private static let anyText = "${xmlunit.ignore}"
  private static let anyPlaceholder = "${xmlunit."

  /// Whether a text or an attribute may have any value.
  var isFree: Bool { enablePlaceholders && document.contains(Self.anyText) }

  /// The tags without texts and without the values of attributes, which are the same in all that a pattern accepts.
  var tags: String {
    var (tags, isInTag): ([UInt8], Bool) = ([], false)
    var quote: UInt8?
    for byte in document.utf8 {
      if let mark = quote {
        if byte == mark { quote = nil }
        continue
      }
      if byte == UInt8(ascii: "<") { isInTag = true }
      guard isInTag else { continue }
      tags.append(byte)
      if byte == UInt8(ascii: ">") { isInTag = false }
      if byte.isQuote { quote = byte }
    }
    return String(decoding: tags, as: UTF8.self)
  }

  /// Whether the other document is this one with something else where this one has any text.
  func accepts(_ other: XMLPattern) -> Bool {
    // Without an order, the first element that fits may be the wrong one.
    guard isFree, !ignoreOrderOfSameNode, !other.ignoreOrderOfSameNode,
      isPlain, other.isPlain
    else { return false }
    let parts = document.split(separator: Self.anyText, omittingEmptySubsequences: false)
    guard other.enablePlaceholders || !parts.contains(where: { $0.contains(Self.anyPlaceholder) })
    else { return false }
    var own: [UInt8] = []
    var rest = Array(other.document.utf8)[...]
    for (number, part) in parts.enumerated() {
      own += Array(part.utf8)
      guard rest.starts(with: part.utf8) else { return false }
      rest = rest.dropFirst(part.utf8.count)
      guard number < parts.count - 1 else { break }
      guard let end = Self.end(after: own), parts[number + 1].utf8.first == end,
        let place = rest.firstIndex(of: end),
        Self.isValue(rest[..<place], ofAttribute: end.isQuote)
      else { return false }
      rest = rest[place...]
      own += Array(Self.anyText.utf8)
    }
    return rest.isEmpty
  }

  /// Whether nothing but texts and tags follows the declaration: a comment would not end a text.
  private var isPlain: Bool {
    !document.contains("<!") && !document.dropFirst().contains("<?")
  }

  /// What ends the text or the value of an attribute that begins after this much of a document; nil if none begins there.
  private static func end(after bytes: [UInt8]) -> UInt8? {
    guard let last = bytes.last else { return nil }
    let tag = bytes.dropLast().lastIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
    guard let tag, bytes[tag] == UInt8(ascii: "<") else { return nil }
    if last == UInt8(ascii: ">") { return UInt8(ascii: "<") }
    guard last.isQuote else { return nil }
    var name = bytes[tag...].dropLast()
    guard name.popLast() == UInt8(ascii: "=") else { return nil }
    let start = name.lastIndex(where: \.isBlank).map { $0 + 1 } ?? name.startIndex
    // A namespace is a part of the names.
    return name[start...].starts(with: "xmlns".utf8) ? nil : last
  }

  /// Whether a text is not empty as it is compared, or the value of an attribute ends where it seems to.
  private static func isValue(_ bytes: ArraySlice<UInt8>, ofAttribute: Bool) -> Bool {
    guard !bytes.contains(UInt8(ascii: "<")), !bytes.contains(UInt8(ascii: ">")) else {
      return false
    }
    if ofAttribute { return true }
    let isReference = zip(bytes, bytes.dropFirst()).contains {
      $0 == UInt8(ascii: "&") && $1 == UInt8(ascii: "#")
    }
    return !isReference && !bytes.allSatisfy(\.isBlank)
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
