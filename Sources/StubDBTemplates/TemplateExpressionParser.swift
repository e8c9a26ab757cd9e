/// Parses the content of a tag: expressions, and the words of blocks.
struct TemplateExpressionParser {
  /// How deep calls may nest.
  private static let maximumDepth = 32

  let bytes: [UInt8]
  let end: Int
  let names: TemplateNames
  var position: Int
  private var depth = 0
  /// What the environment has to prepare before rendering.
  private(set) var needs = TemplateNeeds()
  /// The names under which calls keep their values.
  private(set) var assigned: Set<String> = []

  init(_ bytes: [UInt8], _ range: Range<Int>, names: TemplateNames) {
    self.bytes = bytes
    self.names = names
    position = range.lowerBound
    end = range.upperBound
  }

  func error(_ message: String, at offset: Int? = nil) -> TemplateError {
    TemplateError(message: message, place: TemplatePlace(offset ?? position, in: bytes))
  }

  var isAtEnd: Bool { position >= end }

  mutating func skipSpaces() {
    while position < end, bytes[position] <= 0x20 { position += 1 }
  }

  /// Consumes the character if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"), UInt8(ascii: "@"): true
    default: false
    }
  }

  /// Consumes letters, digits, `_`, `-`, `$` and `@`; empty if the next character is another one.
  mutating func takeWord() -> String {
    let start = position
    while position < end, Self.isWord(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Throws if anything follows what was read.
  mutating func expectEnd() throws(TemplateError) {
    skipSpaces()
    guard !isAtEnd else { return }
    throw error("\"\(rest)\" is one too many here; put a call inside another in parentheses")
  }

  var rest: String {
    String(decoding: bytes[position..<min(end, position + 20)], as: UTF8.self)
  }

  /// Parses a value, or a call without parentheses.
  mutating func wholeExpression() throws(TemplateError) -> TemplateExpression {
    skipSpaces()
    let start = position
    let word = takeWord()
    skipSpaces()
    if TemplateHelper.all[word] != nil, !names.isLocal(word), !isFollowedByPath(start, word) {
      return try call(word, from: start, until: nil)
    }
    let isCall = !word.isEmpty && !isAtEnd && bytes[position] != UInt8(ascii: ".")
    if isCall, !isBlockParameters, !isLiteral(word) { throw unknownHelper(word, at: start) }
    position = start
    return try operand()
  }

  private func isLiteral(_ word: String) -> Bool {
    ["true", "false", "null"].contains(word) || (0x30...0x39).contains(word.utf8.first ?? 0)
      || word.hasPrefix("-")
  }

  /// Whether the word begins a path: `captured.name` is a path, `captured "name"` is a call.
  private func isFollowedByPath(_ start: Int, _ word: String) -> Bool {
    let next = start + word.utf8.count
    return next < end && bytes[next] == UInt8(ascii: ".")
  }

  private func unknownHelper(_ word: String, at offset: Int) -> TemplateError {
    if let reason = TemplateNames.leftOut[word] {
      return error("\"\(word)\" is not a function here: \(reason)", at: offset)
    }
    let advice = Self.advice(word, TemplateHelper.all.keys.sorted())
    return error(
      "\"\(word)\" is not a function\(advice.isEmpty ? "; docs/templates.md lists them" : advice)",
      at: offset)
  }

  /// Parses one value: a text, a number, a path, or a call in parentheses.
  mutating func operand() throws(TemplateError) -> TemplateExpression {
    skipSpaces()
    let start = position
    guard position < end else { throw error("a value is missing here") }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return TemplateExpression(kind: .literal(.text(try string())), offset: start)
    case UInt8(ascii: "("):
      return try parenthesised()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return TemplateExpression(kind: .literal(.number(try number())), offset: start)
    default:
      return try path()
    }
  }

  private mutating func parenthesised() throws(TemplateError) -> TemplateExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) calls inside each other")
    }
    position += 1
    skipSpaces()
    let start = position
    let word = takeWord()
    guard TemplateHelper.all[word] != nil else { throw unknownHelper(word, at: start) }
    let expression = try call(word, from: start, until: ")")
    guard take(")") else { throw error("\")\" is missing after the arguments of \"\(word)\"") }
    return expression
  }

  /// Parses a call after its name; in a block, the content is one of its arguments.
  mutating func call(
    _ word: String, from start: Int, until closing: Unicode.Scalar?,
    block: TemplateHelper.Block = .none
  ) throws(TemplateError) -> TemplateExpression {
    guard let helper = TemplateHelper.all[word] else { throw unknownHelper(word, at: start) }
    var arguments: [TemplateExpression] = []
    var options: [String: TemplateExpression] = [:]
    while true {
      skipSpaces()
      if isAtEnd || closing.map({ bytes[position] == UInt8(ascii: $0) }) == true { break }
      if isBlockParameters { break }
      let start = position
      if let name = optionName() {
        options[name] = try option(
          name, at: start, of: helper, isNew: options[name] == nil)
      } else {
        arguments.append(try operand())
      }
    }
    let content = TemplateExpression(kind: .content, offset: start)
    if case .first = block { arguments.insert(content, at: 0) }
    if case .last = block { arguments.append(content) }
    guard helper.arguments.contains(arguments.count) else {
      throw error(
        "\"\(word)\" takes \(helper.argumentCount), not \(arguments.count)", at: start)
    }
    let expression = TemplateExpression(
      kind: .call(helper, arguments, options), offset: start)
    if let (problem, offset) = needs.add(helper, arguments) { throw error(problem, at: offset) }
    try noteAssignment(helper, arguments, options)
    if let problem = LiteralCallCheck(helper, arguments, options).problem {
      throw error("\"\(word)\": \(problem)", at: start)
    }
    return expression
  }

  /// Records the name under which a call keeps its value.
  private mutating func noteAssignment(
    _ helper: TemplateHelper, _ arguments: [TemplateExpression],
    _ options: [String: TemplateExpression]
  ) throws(TemplateError) {
    guard let expression = helper.assignedName(arguments, options) else { return }
    guard case .literal(.text(let name)) = expression.kind, !name.isEmpty,
      name.utf8.allSatisfy(Self.isWord)
    else {
      throw error(
        "the name that \"\(helper.name)\" gives the value must be a text in quotes, of letters and digits",
        at: expression.offset)
    }
    guard !Self.isTaken(name) else {
      throw error("\"\(name)\" already has a meaning; choose another name", at: expression.offset)
    }
    assigned.insert(name)
  }

  /// Consumes `name=` if it comes next.
  private mutating func optionName() -> String? {
    let start = position
    let word = takeWord()
    if !word.isEmpty, take("=") { return word }
    position = start
    return nil
  }

  private mutating func option(
    _ name: String, at start: Int, of helper: TemplateHelper, isNew: Bool
  ) throws(TemplateError) -> TemplateExpression {
    if let known = helper.options, !known.contains(name) {
      let advice =
        known.isEmpty ? "; it takes no arguments with a name" : Self.advice(name, known)
      throw error("\"\(helper.name)\" has no argument \"\(name)\"\(advice)", at: start)
    }
    guard isNew else { throw error("\"\(name)\" is given twice", at: start) }
    return try operand()
  }

  /// Whether `as |` comes next.
  var isBlockParameters: Bool {
    guard bytes[position..<end].starts(with: "as".utf8) else { return false }
    let rest = bytes[(position + 2)..<end].drop { $0 <= 0x20 }
    return rest.first == UInt8(ascii: "|")
  }

  private mutating func string() throws(TemplateError) -> String {
    let (start, quote) = (position, bytes[position])
    position += 1
    var text: [UInt8] = []
    while position < end, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < end {
        position += 1
        switch bytes[position] {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case let byte where byte == UInt8(ascii: "\\") || "\"'".utf8.contains(byte):
          text.append(byte)
        // As in Handlebars, so that '\d+' is the regular expression that it looks like.
        case let byte: text += [UInt8(ascii: "\\"), byte]
        }
      } else {
        text.append(bytes[position])
      }
      position += 1
    }
    guard position < end else {
      throw error(
        "the text that begins with \(Character(Unicode.Scalar(quote))) has no end", at: start)
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func number() throws(TemplateError) -> String {
    let start = position
    while position < end, Self.isWord(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber =
      text.utf8.count - digits.count <= 1 && (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
      && (parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"))
    guard isNumber, text.utf8.count <= 30 else {
      throw error("\"\(text)\" is not a number; write a text in quotes", at: start)
    }
    return text
  }
}
