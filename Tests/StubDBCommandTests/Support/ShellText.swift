import Foundation

/// The programs that a shell script names where a command begins.
///
/// It knows as much of the shell's grammar as our scripts use, and does not follow the values of variables.
struct ShellText {
  private static let openers: Set<String> = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "time", "exec", "sudo", "xargs",
  ]
  private static let words: Set<String> = [
    "fi", "done", "}", "for", "case", "esac", "in", "function", "select",
  ]

  private var text: Substring
  private var found: Set<String> = []
  private var functions: Set<String> = []
  private var word: String?
  private var isQuoted = false
  private var startsCommand = true
  private var isPattern = false
  private var isRedirected = false
  /// Whether this reads the elements of a list, which may have several lines.
  private var isList = false
  private var hereDocuments: [String] = []

  /// The names of the commands, without functions of the script itself and without the shell's words.
  static func commands(in text: String) -> Set<String> {
    var script = ShellText(text: text[...])
    script.read(until: nil)
    return script.found.subtracting(script.functions).subtracting(words)
  }

  private init(text: Substring) { self.text = text }

  private mutating func read(until end: Character?) {
    while let next = text.first {
      text.removeFirst()
      if next == end, !isPattern {
        endWord()
        return
      }
      switch next {
      case " ", "\t": endWord()
      case "\\": skipEscape()
      case "\n": endLine()
      case "#" where word == nil: text = text.drop { $0 != "\n" }
      case "'": readSingleQuoted()
      case "\"": readDoubleQuoted()
      case "$" where text.first == "(": readSubstitution()
      case "$" where text.first == "{": readExpansion()
      case "<", ">": readRedirection(next)
      case ";", "|", "&", "(", ")": readOperator(next)
      default: add(String(next))
      }
    }
    endWord()
  }

  private mutating func add(_ part: String) { word = (word ?? "") + part }

  private mutating func skipEscape() {
    guard let next = text.popFirst() else { return }
    if next != "\n" { add(String(next)) }
  }

  private mutating func readSingleQuoted() {
    add(String(text.prefix { $0 != "'" }))
    isQuoted = true
    text = text.drop { $0 != "'" }.dropFirst()
  }

  private mutating func readDoubleQuoted() {
    add("")
    isQuoted = true
    while let next = text.popFirst(), next != "\"" {
      switch next {
      case "\\": skipEscape()
      case "$" where text.first == "(": readSubstitution()
      case "$" where text.first == "{": readExpansion()
      default: add(String(next))
      }
    }
  }

  /// A variable in braces, with its default.
  private mutating func readExpansion() {
    add("$")
    text.removeFirst()
    while let next = text.popFirst(), next != "}" {
      switch next {
      case "\\": skipEscape()
      case "\"": readDoubleQuoted()
      case "$" where text.first == "(": readSubstitution()
      case "$" where text.first == "{": readExpansion()
      default: break
      }
    }
  }

  /// The commands of `$(…)`; what they print becomes a part of the word.
  private mutating func readSubstitution() {
    text.removeFirst()
    if text.first == "(" {
      let end = text.firstRange(of: "))")?.upperBound ?? text.endIndex
      text = text[end...]
    } else {
      var inner = ShellText(text: text)
      inner.read(until: ")")
      text = inner.text
      found.formUnion(inner.found)
    }
    add("$()")
  }

  private mutating func readRedirection(_ sign: Character) {
    // The number before it is a file descriptor.
    if let word, word.allSatisfy(\.isNumber) { self.word = nil }
    endWord()
    if text.first == "(" {
      text.removeFirst()
      var inner = ShellText(text: text)
      inner.read(until: ")")
      text = inner.text
      return found.formUnion(inner.found)
    }
    if sign == "<", text.hasPrefix("<<") {
      text.removeFirst(2)
    } else if sign == "<", text.hasPrefix("<") {
      text = text.dropFirst().drop { "- '\"".contains($0) }
      hereDocuments.append(String(text.prefix { $0.isLetter || $0 == "_" }))
      text = text.drop { !$0.isNewline && $0 != " " && $0 != "|" }
      return
    } else {
      text = text.drop { $0 == ">" || $0 == "&" || $0 == "|" }
    }
    isRedirected = true
  }

  private mutating func readOperator(_ sign: Character) {
    let name = word
    let isAssignment = name?.hasSuffix("=") == true
    endWord()
    if sign == "(", isAssignment {
      // The elements of a list.
      var inner = ShellText(text: text)
      (inner.startsCommand, inner.isList) = (false, true)
      inner.read(until: ")")
      text = inner.text
      found.formUnion(inner.found)
      startsCommand = true
      return
    }
    if sign == "(", text.first == ")", let name {
      text.removeFirst()
      functions.insert(name)
    }
    if sign == ";", text.first == ";" {
      text.removeFirst()
      isPattern = true
    } else if sign == ")", isPattern {
      isPattern = false
    }
    startsCommand = !isPattern
  }

  private mutating func endLine() {
    endWord()
    startsCommand = !isPattern && !isList
    for mark in hereDocuments {
      let end = text.firstRange(of: "\n\(mark)\n")?.upperBound ?? text.endIndex
      text = text[end...]
    }
    hereDocuments = []
  }

  private mutating func endWord() {
    defer { (word, isQuoted) = (nil, false) }
    guard let word else { return }
    if isRedirected {
      isRedirected = false
    } else if isPattern {
      if word == "esac" { (isPattern, startsCommand) = (false, true) }
    } else if word == "in", !startsCommand, isCase {
      (isPattern, isCase) = (true, false)
    } else if startsCommand {
      begin(word)
    }
  }

  private var isCase = false

  private mutating func begin(_ word: String) {
    let isAssignment = word.wholeMatch(of: /[A-Za-z_]\w*(\[.*\])?\+?=(.|\n)*/) != nil
    if isAssignment && !isQuoted || word.hasPrefix("-") || Self.openers.contains(word) {
      if word == "sudo" || word == "xargs" { found.insert(word) }
      return
    }
    if isAssignment { return }
    isCase = word == "case"
    startsCommand = false
    if !word.contains("$"), !word.isEmpty { found.insert(word) }
  }
}
