/// Shell text split into commands and words, as bash splits it.
///
/// Nothing is executed or expanded: variables stay as written, and command substitution is refused.
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
package struct ShellWords: Sendable {
  /// The words of each command; no command is empty.
  package private(set) var commands: [[String]] = []
  /// The variables that were not expanded, each once, with their `$`.
  package private(set) var variables: [String] = []

  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The line of the next scalar.
  private var line = 1
  private var seenVariables: Set<String> = []
  // Scalars, because appending to a string would look for grapheme clusters.
  private var word: String.UnicodeScalarView?
  private var words: [String] = []

  /// Splits a text.
  ///
  /// - Throws: ``CurlError`` for an unbalanced quotation mark, for command substitution, and for the text of other
  /// shells.
  package init(parsing text: String) throws(CurlError) {
    // Scalars: a carriage return and a line feed are one character.
    scalars = Array(text.unicodeScalars.filter { $0 != "\r" })
    while let scalar = next() { try read(scalar) }
    try endCommand()
  }

  private var otherShell: CurlError {
    CurlError("this is text for a shell of Windows; copy it as cURL (bash) instead")
  }

  private mutating func read(_ scalar: Unicode.Scalar) throws(CurlError) {
    switch scalar {
    case " ", "\t": try endWord()
    case "\n", ";", "&", "|": try endCommand()
    case "#" where word == nil: skipLine()
    // Quoting and line continuation of the Windows command prompt.
    case "^" where word == nil && (peek == "\"" || peek == "\n"): throw otherShell
    case "'": append(try until("'"))
    case "\"": try readDoubleQuoted()
    case "\\":
      guard let escaped = next() else { return append("\\") }
      if escaped != "\n" { append(escaped) }
    case "$" where peek == "'":
      position += 1
      append(try ANSIQuoting.text(of: try escapedUntilQuote(), line: line))
    case "$": try readVariable()
    case "`": throw substitution
    case "<", ">":
      throw CurlError("redirection with \(scalar) is not read; leave it out", line: line)
    default: append(scalar)
    }
  }

  private mutating func readDoubleQuoted() throws(CurlError) {
    let start = line
    append("")
    while let scalar = next() {
      switch scalar {
      case "\"": return
      case "\\":
        guard let escaped = next() else { break }
        if escaped == "\n" { continue }
        if !"\\\"$`".unicodeScalars.contains(escaped) { append("\\") }
        append(escaped)
      case "$": try readVariable()
      case "`": throw substitution
      default: append(scalar)
      }
    }
    throw CurlError("the quotation mark \" is not closed", line: start)
  }

  /// A `$` that begins a variable, or stands for itself.
  private mutating func readVariable() throws(CurlError) {
    if peek == "(" { throw substitution }
    var name = ""
    let hasBrace = peek == "{"
    if hasBrace { position += 1 }
    while let scalar = peek,
      scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.isDigit)
    {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    if hasBrace {
      guard peek == "}" else { throw substitution }
      position += 1
    }
    let text = hasBrace ? "${\(name)}" : "$\(name)"
    if !name.isEmpty, seenVariables.insert(text).inserted { variables.append(text) }
    append(text)
  }

  private var substitution: CurlError {
    CurlError("what a shell would compute here is not computed; write the value", line: line)
  }

  /// The text up to the quotation mark, with its escapes resolved.
  private mutating func escapedUntilQuote() throws(CurlError) -> String {
    let start = line
    var text = String.UnicodeScalarView()
    while let scalar = next() {
      if scalar == "'" { return String(text) }
      text.append(scalar)
      if scalar == "\\", let escaped = next() { text.append(escaped) }
    }
    throw CurlError("the quotation mark ' is not closed", line: start)
  }

  private mutating func until(_ end: Unicode.Scalar) throws(CurlError) -> String {
    let start = line
    var text = String.UnicodeScalarView()
    while let scalar = next() {
      if scalar == end { return String(text) }
      text.append(scalar)
    }
    throw CurlError("the quotation mark \(end) is not closed", line: start)
  }

  private var peek: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    position += 1
    if scalar == "\n" { line += 1 }
    return scalar
  }

  private mutating func skipLine() {
    while let scalar = peek, scalar != "\n" {
      _ = scalar
      position += 1
    }
  }

  private mutating func append(_ text: String) {
    if word == nil { word = .init() }
    word?.append(contentsOf: text.unicodeScalars)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if word == nil { word = .init() }
    word?.append(scalar)
  }

  private mutating func endWord() throws(CurlError) {
    guard let word = word.map({ String($0) }) else { return }
    self.word = nil
    if words.isEmpty, word == "Invoke-WebRequest" { throw otherShell }
    words.append(word)
  }

  private mutating func endCommand() throws(CurlError) {
    try endWord()
    if !words.isEmpty { commands.append(words) }
    words = []
  }
}

/// The escapes of `$'…'`.
private enum ANSIQuoting {
  private static let simple: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "E": "\u{1B}",
    "f": "\u{C}", "v": "\u{B}", "\\": "\\", "'": "'", "\"": "\"", "?": "?",
  ]

  static func text(of quoted: String, line: Int) throws(CurlError) -> String {
    // Bytes: \xC3\xBC is one letter.
    var bytes: [UInt8] = []
    var rest = quoted.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let escape = rest
      guard scalar == "\\", let kind = rest.popFirst() else {
        bytes += Array(String(scalar).utf8)
        continue
      }
      switch kind {
      case "x": bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 16, digits: 2) ?? 0))
      case "u", "U":
        var value = number(&rest, radix: 16, digits: kind == "u" ? 4 : 8) ?? 0
        // Browsers write scalars beyond the first plane as surrogate pairs.
        if (0xD800..<0xDC00).contains(value), rest.starts(with: "\\u".unicodeScalars) {
          rest.removeFirst(2)
          let low = number(&rest, radix: 16, digits: 4) ?? 0
          value = 0x10000 + (value - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else {
          throw CurlError("\\u\(String(value, radix: 16)) is half of a character", line: line)
        }
        bytes += Array(String(scalar).utf8)
      case "0"..."7":
        rest = escape
        bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 8, digits: 3) ?? 0))
      default:
        if let plain = simple[kind] {
          bytes += Array(String(plain).utf8)
        } else {
          bytes += Array("\\\(kind)".utf8)
        }
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CurlError(
        "the bytes of $'…' are not UTF-8; put them into a file and write --data-binary @PATH",
        line: line)
    }
    return text
  }

  private static func number(
    _ rest: inout Substring.UnicodeScalarView, radix: Int, digits: Int
  ) -> UInt32? {
    var text = ""
    while text.utf8.count < digits, let scalar = rest.first,
      Character(scalar).hexDigitValue.map({ $0 < radix }) == true
    {
      text.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    return UInt32(text, radix: radix)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
