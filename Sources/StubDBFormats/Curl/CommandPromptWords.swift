/// Text of the Windows command prompt split into commands and words.
///
/// The prompt removes its carets first, then the program cuts its line into arguments, with rules of its own for
/// quotation marks and backslashes. Nothing is executed or expanded.
/// https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
struct CommandPromptWords {
  /// The commands in order; no command is empty.
  private(set) var parsed: [ShellWords.Command] = []
  private(set) var variables: [String] = []
  private var seenVariables: Set<String> = []

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  /// The line of the program, as the prompt hands it over.
  private var text: [Unicode.Scalar] = []
  private var firstLine = 1

  init(parsing text: String) throws(CurlError) {
    let lines = ShellWords.withLineFeeds(Array(text.utf8))
    scalars = Array(String(decoding: lines, as: UTF8.self).unicodeScalars)
    var isQuoted = false
    while let scalar = next() {
      switch scalar {
      case "^" where !isQuoted: readCaret()
      case "\n":
        isQuoted = false
        try endCommand(isPiped: false)
      case "&" where !isQuoted: try endCommand(isPiped: false)
      case "|" where !isQuoted: try endCommand(isPiped: true)
      case "%": readPercent()
      case "\"":
        isQuoted.toggle()
        append(scalar)
      default: append(scalar)
      }
    }
    try endCommand(isPiped: false)
  }

  private mutating func next() -> Unicode.Scalar? {
    guard position < scalars.count else { return nil }
    defer { position += 1 }
    if scalars[position] == "\n" { line += 1 }
    return scalars[position]
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if text.isEmpty { firstLine = line }
    text.append(scalar)
  }

  /// A caret takes the next character as it is; at the end of a line it joins the next line, whose first character is
  /// taken as it is.
  private mutating func readCaret() {
    guard let escaped = next() else { return }
    guard escaped == "\n" else { return append(escaped) }
    if let first = next() { append(first) }
  }

  /// `%NAME%` is a variable; other percent signs represent themselves.
  private mutating func readPercent() {
    let rest = scalars[position...].prefix(64)
    guard let end = rest.firstIndex(of: "%"), end > position,
      rest[..<end].allSatisfy({ $0 == "_" || $0.isASCII && $0.properties.isAlphabetic })
    else { return append("%") }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: rest[..<end])
    position = end + 1
    let written = "%\(String(name))%"
    if seenVariables.insert(written).inserted { variables.append(written) }
    for scalar in OpenVariable.marked(String(name)).unicodeScalars { append(scalar) }
  }

  private mutating func endCommand(isPiped: Bool) throws(CurlError) {
    let words = try Self.arguments(of: text, line: firstLine)
    text = []
    guard !words.isEmpty, words[0] != "REM", words[0] != "rem" else { return }
    parsed.append(
      ShellWords.Command(words: words, line: firstLine, input: nil, isPiped: isPiped))
  }

  /// The arguments of a line: backslashes count only before a quotation mark, and two marks inside of quotes are one.
  private static func arguments(
    of text: [Unicode.Scalar], line: Int
  ) throws(CurlError) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var isQuoted = false
    var place = 0
    while place < text.count {
      let scalar = text[place]
      place += 1
      switch scalar {
      case "\\":
        word = word ?? .init()
        word?.append(contentsOf: Self.backslashes(in: text, &place))
      case "\"":
        word = word ?? .init()
        if isQuoted, place < text.count, text[place] == "\"" {
          word?.append("\"")
          place += 1
        } else {
          isQuoted.toggle()
        }
      case " " where !isQuoted, "\t" where !isQuoted, "\n" where !isQuoted:
        if let word { words.append(String(word)) }
        word = nil
      default:
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    if isQuoted { throw CurlError("the quotation mark \" is not closed", line: line) }
    if let word { words.append(String(word)) }
    return words
  }

  /// What backslashes represent, the first of which was read; before a mark every second one, and the mark after an odd one.
  private static func backslashes(
    in text: [Unicode.Scalar], _ place: inout Int
  ) -> [Unicode.Scalar] {
    var count = 1
    while place < text.count, text[place] == "\\" {
      count += 1
      place += 1
    }
    guard place < text.count, text[place] == "\"" else {
      return Array(repeating: "\\", count: count)
    }
    let kept: [Unicode.Scalar] = Array(repeating: "\\", count: count / 2)
    guard !count.isMultiple(of: 2) else { return kept }
    place += 1
    return kept + ["\""]
  }
}
