internal import Foundation

/// Shell text split into commands and words, as bash splits it.
///
/// Nothing is executed or expanded. By default variables stay as written, and command substitution and redirection are
/// refused; text of scripts can be read with ``Expansion/marked``.
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
package struct ShellWords: Sendable {
  /// How the parts that a shell would compute are treated.
  package enum Expansion: Sendable {
    /// Variables stay as text; other parts are refused.
    case refused
    /// All of them are marked as ``OpenVariable``, and redirections are read.
    case marked
  }

  /// A simple command.
  package struct Command: Hashable, Sendable {
    package var words: [String] = []
    /// The line of its first word, from 1.
    package var line = 1
    /// What it gets on standard input, from `<<` or `<<<`; nil for none.
    package var input: String?
    /// Whether the command after it gets what it prints.
    package var isPiped = false
    /// The commands in its `$(…)`, which a shell runs before it.
    package var substituted: [Command] = []
  }

  /// The commands in order; no command is empty.
  package internal(set) var parsed: [Command] = []
  /// The variables that were not expanded, each once, with their `$`.
  package internal(set) var variables: [String] = []

  package var commands: [[String]] { parsed.map(\.words) }

  let expansion: Expansion
  /// How many `$(…)` the text is inside of.
  let depth: Int
  /// The text in UTF-8, without carriage returns: all that means something to a shell is ASCII.
  let bytes: [UInt8]
  var position = 0
  /// The line of the next byte.
  var line: Int
  var seenVariables: Set<String> = []
  private var word: [UInt8]?
  var command = Command()
  /// What the next word is: an argument, or something that belongs to a redirection.
  var role = WordRole.argument
  /// The texts that begin after this line, with the commands that get them.
  var pendingTexts: [HereText] = []
  /// Whether a part of the word is in quotes.
  private var isQuoted = false

  enum WordRole {
    case argument, target, text, hereText, indentedHereText
  }

  /// A text after a line with `<<`.
  struct HereText: Sendable {
    /// The line that ends it.
    var end: String
    /// The command that gets it.
    var command: Int
    /// Whether tabs before its lines are left out.
    var isIndented: Bool
    /// Whether its variables represent themselves.
    var isLiteral: Bool
  }

  /// The error for text of the Windows command prompt, which ``CommandPromptWords`` reads.
  static let commandPrompt = CurlError("this is text for the command prompt of Windows")

  /// The error for text of PowerShell.
  static let powerShell = CurlError(
    "this is text for PowerShell; copy it as cURL (bash) or cURL (cmd) instead")

  /// Splits a text.
  ///
  /// - Throws: ``CurlError`` for an unbalanced quotation mark, for command substitution, and for the text of other
  /// shells.
  package init(parsing text: String, expansion: Expansion = .refused) throws(CurlError) {
    try self.init(
      Self.withLineFeeds(Array(text.utf8)), expansion: expansion, depth: 0, line: 1)
  }

  /// The text with line feeds alone at the ends of its lines; other carriage returns belong to what they stand in.
  static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(0x0D) else { return text }
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      var end = place
      while end < text.count, text[end] == 0x0D { end += 1 }
      if end < text.count, text[end] != 0x0A { kept += text[place..<end] }
      if end < text.count { kept.append(text[end]) }
      place = end + 1
    }
    return kept
  }

  init(_ bytes: [UInt8], expansion: Expansion, depth: Int, line: Int) throws(CurlError) {
    self.expansion = expansion
    self.depth = depth
    self.line = line
    self.bytes = bytes
    while let scalar = next() { try read(scalar) }
    try endCommand()
  }

  private mutating func read(_ scalar: Unicode.Scalar) throws(CurlError) {
    switch scalar {
    case " ", "\t": try endWord()
    case "\n":
      try endCommand()
      readTexts()
    case ";", "&": try endCommand()
    case "|": try endCommand(isPiped: peek != "|")
    case "#" where word == nil: _ = take(upTo: Self.lineEnds)
    // Quoting and line continuation of the Windows command prompt.
    case "^" where word == nil && (peek == "\"" || peek == "\n"): throw Self.commandPrompt
    case "'":
      append(try takeQuoted())
      isQuoted = true
    case "\"": try readDoubleQuoted()
    case "\\":
      guard let escaped = next() else { return append(scalar) }
      if escaped != "\n" { append(escaped) }
    case "$" where peek == "'":
      position += 1
      append(try ANSIQuoting.bytes(of: try takeEscaped(), line: line)[...])
      isQuoted = true
    case "$": try readVariable()
    case "`": try readSubstitution(until: "`")
    case "<", ">": try readRedirection(scalar)
    case "(",
      ")" where word == nil && expansion == .marked:
      try endCommand()
    default:
      append(scalar)
      append(take(upTo: Self.special))
    }
  }

  private mutating func readDoubleQuoted() throws(CurlError) {
    let start = line
    append([])
    isQuoted = true
    while true {
      append(take(upTo: Self.specialInQuotes))
      switch next() {
      case "\"": return
      case "\\":
        guard let escaped = next() else { break }
        if escaped == "\n" { continue }
        if !"\\\"$`".unicodeScalars.contains(escaped) { append("\\") }
        append(escaped)
      case "$": try readVariable()
      case "`": try readSubstitution(until: "`")
      default: throw CurlError("the quotation mark \" is not closed", line: start)
      }
    }
  }

  mutating func endWord() throws(CurlError) {
    guard let word = word.map({ String(decoding: $0, as: UTF8.self) }) else { return }
    self.word = nil
    defer {
      role = .argument
      isQuoted = false
    }
    switch role {
    case .argument:
      if command.words.isEmpty {
        if PowerShell.commands.contains(word.lowercased()) { throw Self.powerShell }
        // A line feed that ends the word is already counted.
        let isCounted = position > 0 && bytes[position - 1] == 0x0A
        command.line = isCounted ? line - 1 : line
      }
      command.words.append(word)
    case .target: break
    case .text: command.input = word + "\n"
    case .hereText, .indentedHereText:
      pendingTexts.append(
        HereText(
          end: word, command: parsed.count, isIndented: role == .indentedHereText,
          isLiteral: isQuoted))
    }
  }

  private mutating func endCommand(isPiped: Bool = false) throws(CurlError) {
    try endWord()
    role = .argument
    guard !command.words.isEmpty else {
      command = Command()
      return
    }
    command.isPiped = isPiped
    parsed.append(command)
    command = Command()
  }
}

// MARK: - Bytes

extension ShellWords {
  /// Bytes that end a run of others.
  typealias ByteTable = [Bool]

  private static let special = table(" \t\n;&|#^'\"\\$`<>()")
  private static let specialInQuotes = table("\"\\$`")
  private static let quotes = table("'")
  private static let escapes = table("'\\")
  static let lineEnds = table("\n")

  private static func table(_ ends: String) -> ByteTable {
    var table = ByteTable(repeating: false, count: 256)
    for byte in ends.utf8 { table[Int(byte)] = true }
    return table
  }

  /// The next byte; those beyond ASCII mean nothing to a shell, whatever scalar they look like here.
  var peek: Unicode.Scalar? {
    position < bytes.count ? Unicode.Scalar(bytes[position]) : nil
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    position += 1
    if scalar == "\n" { line += 1 }
    return scalar
  }

  /// Takes the bytes before the next one of a table.
  mutating func take(upTo ends: ByteTable) -> ArraySlice<UInt8> {
    var (place, lines) = (position, 0)
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        while place < bytes.count, !ends[Int(bytes[place])] {
          if bytes[place] == 0x0A { lines += 1 }
          place += 1
        }
      }
    }
    defer { (position, line) = (place, line + lines) }
    return bytes[position..<place]
  }

  /// Takes the text up to the single quotation mark that ends it.
  mutating func takeQuoted() throws(CurlError) -> ArraySlice<UInt8> {
    let start = line
    let text = take(upTo: Self.quotes)
    guard next() != nil else { throw CurlError("the quotation mark ' is not closed", line: start) }
    return text
  }

  /// Takes the same with its escapes, of which `\'` does not end it.
  private mutating func takeEscaped() throws(CurlError) -> ArraySlice<UInt8> {
    let (start, first) = (line, position)
    while true {
      _ = take(upTo: Self.escapes)
      guard let end = next() else { break }
      if end == "'" { return bytes[first..<position - 1] }
      _ = next()
    }
    throw CurlError("the quotation mark ' is not closed", line: start)
  }

  mutating func append(_ text: ArraySlice<UInt8>) {
    word = word ?? []
    word?.append(contentsOf: text)
  }

  /// Appends a byte.
  private mutating func append(_ scalar: Unicode.Scalar) {
    append([UInt8(truncatingIfNeeded: scalar.value)])
  }

  var hasWord: Bool { word != nil }

  /// Drops the digits before a redirection, as in `2>`.
  mutating func dropNumber() {
    if let word, !word.isEmpty, word.allSatisfy({ (0x30...0x39).contains($0) }) { self.word = nil }
  }
}
