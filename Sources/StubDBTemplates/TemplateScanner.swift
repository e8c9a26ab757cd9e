/// Splits a template into text and tags.
struct TemplateScanner {
  enum Part {
    case text(String)
    case tag(TemplateTag)
  }

  private static let open = UInt8(ascii: "{")
  private static let backslash = UInt8(ascii: "\\")
  private static let tilde = UInt8(ascii: "~")

  let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  func error(_ message: String, at offset: Int) -> TemplateError {
    TemplateError(message: message, place: TemplatePlace(offset, in: bytes))
  }

  /// Returns the text up to the next tag, or the tag that comes next; nil at the end.
  ///
  /// A comment is a tag without content.
  mutating func next() throws(TemplateError) -> Part? {
    guard position < bytes.count else { return nil }
    if isTag(at: position) { return try tag() }
    var text: [UInt8] = []
    while position < bytes.count, !isTag(at: position) {
      if bytes[position] == Self.backslash, isTag(at: position + 1) {
        // `\{{` represents two literal braces.
        text += [Self.open, Self.open]
        position += 3
      } else if bytes[position] == Self.backslash, position + 1 < bytes.count,
        bytes[position + 1] == Self.backslash, isTag(at: position + 2)
      {
        // `\\{{` is a literal backslash followed by a tag.
        text.append(Self.backslash)
        position += 2
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  private func isTag(at offset: Int) -> Bool { has("{{", at: offset) }

  private func has(_ text: String, at offset: Int) -> Bool {
    offset >= 0 && bytes[min(offset, bytes.count)...].starts(with: text.utf8)
  }

  private mutating func tag() throws(TemplateError) -> Part {
    let start = position
    let isTriple = has("{{{", at: start)
    position += isTriple ? 3 : 2
    let trimsBefore = has("~", at: position)
    if trimsBefore { position += 1 }
    if has("!", at: position) { return try comment(from: start, trimsBefore) }
    let content = position
    let closing = isTriple ? "}}}" : "}}"
    while position < bytes.count, !has(closing, at: position) {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        try skipString(byte)
      } else if byte == UInt8(ascii: "[") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "]") { position += 1 }
        position = min(position + 1, bytes.count)
      } else if has("{{", at: position) {
        throw error("\"{{\" inside a tag; is \"\(closing)\" of the tag before missing?", at: start)
      } else {
        position += 1
      }
    }
    guard position < bytes.count else {
      throw error(
        "\"{{\" is not closed; write \"\(closing)\" after it, or \"\\{{\" for two braces",
        at: start)
    }
    let trimsAfter = position > content && bytes[position - 1] == Self.tilde
    let end = trimsAfter ? position - 1 : position
    position += closing.utf8.count
    return .tag(
      TemplateTag(offset: start, content: content..<end, trims: (trimsBefore, trimsAfter)))
  }

  private mutating func skipString(_ quote: UInt8) throws(TemplateError) {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != quote {
      position += bytes[position] == Self.backslash ? 2 : 1
    }
    guard position < bytes.count else {
      throw error(
        "the text that begins with \(Character(Unicode.Scalar(quote))) has no end", at: start)
    }
    position += 1
  }

  /// Skips `{{! … }}`, or `{{!-- … --}}`, which may contain braces.
  private mutating func comment(
    from start: Int, _ trimsBefore: Bool
  ) throws(TemplateError) -> Part {
    let closing = has("!--", at: position) ? "--}}" : "}}"
    while position < bytes.count, !has(closing, at: position) { position += 1 }
    guard position < bytes.count else {
      throw error("the comment is not closed; write \"\(closing)\" after it", at: start)
    }
    position += closing.utf8.count
    return .tag(
      TemplateTag(offset: start, content: position..<position, trims: (trimsBefore, false)))
  }
}
