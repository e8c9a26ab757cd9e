internal import Foundation

/// Shell text split into commands and words, as bash splits it.
///
/// Nothing is executed or expanded. By default variables stay as written, and command substitution and redirection are
/// refused; text of scripts can be read with ``Expansion/marked``.
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
package struct ShellWords: Sendable {
  /// What becomes of the parts that a shell would compute.
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

  /// How deep `$(…)` in another one is looked at.
  private static let maximumDepth = 4

  /// The commands in order; no command is empty.
  package private(set) var parsed: [Command] = []
  /// The variables that were not expanded, each once, with their `$`.
  package private(set) var variables: [String] = []

  /// The words of each command.
  package var commands: [[String]] { parsed.map(\.words) }

  private let expansion: Expansion
  private let depth: Int
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The line of the next scalar.
  private var line: Int
  private var seenVariables: Set<String> = []
  // Scalars, because appending to a string would look for grapheme clusters.
  private var word: String.UnicodeScalarView?
  private var command = Command()
  /// What the next word is: an argument, or something that belongs to a redirection.
  private var role = WordRole.argument
  /// The texts that begin after this line, with the commands that get them.
  private var pendingTexts: [(end: String, command: Int, isIndented: Bool, isLiteral: Bool)] = []
  /// Whether a part of the word is in quotes.
  private var isQuoted = false

  private enum WordRole {
    case argument, target, text, hereText, indentedHereText
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
    try self.init(parsing: text, expansion: expansion, depth: 0, line: 1)
  }

  private init(
    parsing text: String, expansion: Expansion, depth: Int, line: Int
  ) throws(CurlError) {
    self.expansion = expansion
    self.depth = depth
    self.line = line
    // Scalars: a carriage return and a line feed are one character.
    scalars = Array(text.unicodeScalars.filter { $0 != "\r" })
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
    case "#" where word == nil: skipLine()
    // Quoting and line continuation of the Windows command prompt.
    case "^" where word == nil && (peek == "\"" || peek == "\n"): throw Self.commandPrompt
    case "'":
      append(try until("'"))
      isQuoted = true
    case "\"": try readDoubleQuoted()
    case "\\":
      guard let escaped = next() else { return append("\\") }
      if escaped != "\n" { append(escaped) }
    case "$" where peek == "'":
      position += 1
      append(try ANSIQuoting.text(of: try escapedUntilQuote(), line: line))
      isQuoted = true
    case "$": try readVariable()
    case "`": try readSubstitution(until: "`")
    case "<", ">": try readRedirection(scalar)
    case "(",
      ")" where word == nil && expansion == .marked:
      try endCommand()
    default: append(scalar)
    }
  }

  private mutating func readDoubleQuoted() throws(CurlError) {
    let start = line
    append("")
    isQuoted = true
    while let scalar = next() {
      switch scalar {
      case "\"": return
      case "\\":
        guard let escaped = next() else { break }
        if escaped == "\n" { continue }
        if !"\\\"$`".unicodeScalars.contains(escaped) { append("\\") }
        append(escaped)
      case "$": try readVariable()
      case "`": try readSubstitution(until: "`")
      default: append(scalar)
      }
    }
    throw CurlError("the quotation mark \" is not closed", line: start)
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
    defer {
      role = .argument
      isQuoted = false
    }
    switch role {
    case .argument:
      if command.words.isEmpty {
        if PowerShell.commands.contains(word.lowercased()) { throw Self.powerShell }
        // A line feed that ends the word is already counted.
        let isCounted = position > 0 && scalars[position - 1] == "\n"
        command.line = isCounted ? line - 1 : line
      }
      command.words.append(word)
    case .target: break
    case .text: command.input = word + "\n"
    case .hereText, .indentedHereText:
      pendingTexts.append((word, parsed.count, role == .indentedHereText, isQuoted))
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

// MARK: - What a shell would compute

extension ShellWords {
  /// A `$` that begins a variable, or stands for itself.
  private mutating func readVariable() throws(CurlError) {
    if peek == "(" {
      position += 1
      return try readSubstitution(until: ")")
    }
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
      guard peek == "}" else {
        // `${A:-b}` is the value; `${A%b}` and others are made of it.
        let isValue = peek == "-" || peek == "?" || peek == ":" && isDefault(at: position + 1)
        return try readSubstitution(until: "}", name: isValue || name.isEmpty ? name : name + "…")
      }
      position += 1
    }
    addVariable(name, text: hasBrace ? "${\(name)}" : "$\(name)")
  }

  private func isDefault(at place: Int) -> Bool {
    scalars.indices.contains(place) && "-?".unicodeScalars.contains(scalars[place])
  }

  private mutating func addVariable(_ name: String, text: String) {
    if !name.isEmpty, seenVariables.insert(text).inserted { variables.append(text) }
    append(expansion == .marked && !name.isEmpty ? OpenVariable.marked(name) : text)
  }

  /// Skips `$(…)`, `${…}` or a part between backticks, which nobody runs.
  private mutating func readSubstitution(
    until end: Unicode.Scalar, name: String = ""
  ) throws(CurlError) {
    let start = line
    let first = position
    guard expansion == .marked else {
      throw CurlError(
        "what a shell would compute here is not computed; write the value", line: start)
    }
    let open: Unicode.Scalar? = end == ")" ? "(" : end == "}" ? "{" : nil
    var depth = 1
    while let scalar = next() {
      switch scalar {
      case end:
        depth -= 1
        guard depth == 0 else { continue }
        if end != "}" { readCommands(in: scalars[first..<position - 1], line: start) }
        let label = name.isEmpty ? "command" : name
        if seenVariables.insert("$(\(label))").inserted { variables.append("$(…)") }
        return append(OpenVariable.marked(label))
      case open: depth += 1
      case "\\": _ = next()
      case "'": _ = try until("'")
      default: break
      }
    }
    throw CurlError("what begins with $ is not closed", line: start)
  }

  /// Reads the commands of a `$(…)`; what is no text of a shell has none.
  private mutating func readCommands(in text: ArraySlice<Unicode.Scalar>, line: Int) {
    guard depth < Self.maximumDepth else { return }
    var inner = String.UnicodeScalarView()
    inner.append(contentsOf: text)
    let read = String(inner)
    guard read.contains("curl") else { return }
    let words = try? ShellWords(
      parsing: read, expansion: expansion, depth: depth + 1, line: line)
    command.substituted += words?.parsed ?? []
  }

  /// `<`, `>`, `<<END` and `<<<word`, also after a number.
  private mutating func readRedirection(_ scalar: Unicode.Scalar) throws(CurlError) {
    guard expansion == .marked else {
      throw CurlError("redirection with \(scalar) is not read; leave it out", line: line)
    }
    // The number of what is redirected, as in 2>.
    if let text = word, !text.isEmpty, text.allSatisfy(\.isDigit) { word = nil }
    try endWord()
    role = .target
    if scalar == "<", peek == "<" {
      position += 1
      role = .hereText
      if peek == "<" {
        position += 1
        role = .text
      } else if peek == "-" {
        position += 1
        role = .indentedHereText
      }
    } else if scalar == "<" {
      command.input = OpenVariable.marked("input")
    } else {
      while peek == ">" || peek == "&" || peek == "|" { position += 1 }
    }
    while peek == " " || peek == "\t" { position += 1 }
  }

  /// Reads the texts after a line with `<<`.
  private mutating func readTexts() {
    for text in pendingTexts {
      var content = String.UnicodeScalarView()
      while position < scalars.count {
        let end = scalars[position...].firstIndex(of: "\n") ?? scalars.count
        var start = position
        if text.isIndented { while start < end, scalars[start] == "\t" { start += 1 } }
        position = min(end + 1, scalars.count)
        line += 1
        if scalars[start..<end].elementsEqual(text.end.unicodeScalars) { break }
        content.append(contentsOf: scalars[start..<end])
        content.append("\n")
      }
      guard parsed.indices.contains(text.command) else { continue }
      parsed[text.command].input =
        text.isLiteral ? String(content) : OpenVariable.marked(allIn: String(content))
    }
    pendingTexts = []
  }

  /// The text up to the quotation mark, with its escapes.
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
}

/// Commands of PowerShell, which browsers also copy.
enum PowerShell {
  static let commands: Set<String> = [
    "invoke-webrequest", "invoke-restmethod", "iwr", "irm", "new-object",
  ]

  /// Whether a text begins with one of them, or with the session that browsers make first.
  static func recognizes(_ text: String) -> Bool {
    let line = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
    let first = line.split(separator: " ").first?.lowercased() ?? ""
    return commands.contains(first)
      || line.hasPrefix("$")
        && line.range(
          of: #"^\$\w+ *= *(New-Object|Invoke-|\[)"#,
          options: .regularExpression) != nil
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
