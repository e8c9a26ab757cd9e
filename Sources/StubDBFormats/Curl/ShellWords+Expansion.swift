internal import Foundation

/// What a shell would compute: variables, substitutions, redirections.
extension ShellWords {
  /// How deep `$(…)` in another one is looked at.
  private static let maximumDepth = 4

  /// A `$` that begins a variable, or is literal.
  mutating func readVariable() throws(CurlError) {
    if peek == "(" {
      position += 1
      return try readSubstitution(until: ")")
    }
    let hasBrace = peek == "{"
    if hasBrace { position += 1 }
    let first = position
    while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
    let name = String(decoding: bytes[first..<position], as: UTF8.self)
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

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    default: false
    }
  }

  private func isDefault(at place: Int) -> Bool {
    bytes.indices.contains(place) && "-?".utf8.contains(bytes[place])
  }

  private mutating func addVariable(_ name: String, text: String) {
    if !name.isEmpty, seenVariables.insert(text).inserted { variables.append(text) }
    append(expansion == .marked && !name.isEmpty ? OpenVariable.marked(name) : text)
  }

  private mutating func append(_ text: String) {
    append(Array(text.utf8)[...])
  }

  /// Skips `$(…)`, `${…}` or a part between backticks, which is not run.
  mutating func readSubstitution(
    until end: Unicode.Scalar, name: String = ""
  ) throws(CurlError) {
    let start = line
    let first = position
    guard expansion == .marked else {
      throw CurlError(
        "what a shell would compute here is not computed; write the value", line: start)
    }
    let open: Unicode.Scalar? = end == ")" ? "(" : end == "}" ? "{" : nil
    var nesting = 1
    while let scalar = next() {
      switch scalar {
      case end:
        nesting -= 1
        guard nesting == 0 else { continue }
        if end != "}" { readCommands(in: bytes[first..<position - 1], line: start) }
        let label = name.isEmpty ? "command" : name
        if seenVariables.insert("$(\(label))").inserted { variables.append("$(…)") }
        return append(OpenVariable.marked(label))
      case open: nesting += 1
      case "\\": _ = next()
      case "'": _ = try takeQuoted()
      default: break
      }
    }
    throw CurlError("what begins with $ is not closed", line: start)
  }

  /// Reads the commands of a `$(…)`; what is no text of a shell has none.
  private mutating func readCommands(in text: ArraySlice<UInt8>, line: Int) {
    guard depth < Self.maximumDepth else { return }
    guard String(decoding: text, as: UTF8.self).contains("curl") else { return }
    let words = try? ShellWords(Array(text), expansion: expansion, depth: depth + 1, line: line)
    command.substituted += words?.parsed ?? []
  }

  /// `<`, `>`, `<<END` and `<<<word`, also after a number.
  mutating func readRedirection(_ scalar: Unicode.Scalar) throws(CurlError) {
    guard expansion == .marked else {
      throw CurlError("redirection with \(scalar) is not read; leave it out", line: line)
    }
    if isPrompt(scalar) { return }
    dropNumber()
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

  /// Whether a `>` is a prompt that was copied along with a command.
  private func isPrompt(_ scalar: Unicode.Scalar) -> Bool {
    scalar == ">" && !hasWord && command.words.isEmpty && role == .argument
      && bytes[position...].starts(with: " curl".utf8)
  }

  /// Reads the texts after a line with `<<`.
  mutating func readTexts() {
    for text in pendingTexts {
      var content: [UInt8] = []
      while position < bytes.count {
        var row = take(upTo: Self.lineEnds)
        _ = next()
        if text.isIndented { row = row.drop { $0 == UInt8(ascii: "\t") } }
        if row.elementsEqual(text.end.utf8) { break }
        content += row
        content.append(0x0A)
      }
      guard parsed.indices.contains(text.command) else { continue }
      let read = String(decoding: content, as: UTF8.self)
      parsed[text.command].input = text.isLiteral ? read : OpenVariable.marked(allIn: read)
    }
    pendingTexts = []
  }
}

/// Commands of PowerShell, which browsers also copy.
enum PowerShell {
  static let commands: Set<String> = [
    "invoke-webrequest", "invoke-restmethod", "iwr", "irm", "new-object",
  ]

  /// Whether a text begins with one of them, or with the session that browsers make first.
  static func recognizes(_ text: String) -> Bool {
    let line = text.firstLines.first { !$0.hasPrefix("#") } ?? ""
    let first = line.split(separator: " ").first?.lowercased() ?? ""
    return commands.contains(first)
      || line.hasPrefix("$")
        && line.range(
          of: #"^\$\w+ *= *(New-Object|Invoke-|\[)"#,
          options: .regularExpression) != nil
  }
}
