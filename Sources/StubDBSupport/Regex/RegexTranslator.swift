/// An error in text that is not a regular expression, with its place.
package struct RegexSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong.
  package let message: String
  /// The offset in Unicode scalars, from 0; nil if ICU reports no place.
  package let offset: Int?

  /// The message with its place.
  package var description: String {
    offset.map { "\(message) at character \($0 + 1)" } ?? message
  }
}

/// Translates a regular expression of another dialect into ICU's, which Foundation uses.
///
/// The dialects look alike but differ in their classes: `\d`, `\w`, `\s`, `\b` and the POSIX classes mean ASCII in Java
/// and ECMAScript and Unicode in ICU, `[[:alpha:]]` and `[a-z--[b]]` are sets with other meanings, and `(?i)` ignores
/// the case of ASCII letters only. Every class and every letter is therefore written out.
/// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html,
/// https://262.ecma-international.org/15.0/#sec-patterns
package struct RegexTranslator {
  /// The dialect of an expression.
  package enum Dialect: Sendable {
    /// `java.util.regex.Pattern` with `DOTALL`, as WireMock compiles it.
    case java
    /// ECMAScript with the flag `u`, as JSON Schema uses it.
    case ecmaScript
  }

  /// The flags at a place.
  struct Flags {
    var ignoresCase = false
    /// Whether `(?i)` applies beyond ASCII.
    var isUnicodeCase = false
    /// Whether `\d`, `\w` and the POSIX classes apply beyond ASCII.
    var isUnicode = false
    var allowsComments = false
    var dotMatchesAll = false
    var hasUnixLines = false
  }

  static let maximumClassDepth = 64
  /// The set of all characters.
  static let anything = "[\\x{0}-\\x{10FFFF}]"

  let dialect: Dialect
  let scalars: [Unicode.Scalar]
  var place = 0
  var output = ""
  var flags = Flags()
  /// The number of groups opened so far.
  var groupCount = 0
  /// The total number of groups; nil while they are being counted.
  var allGroups: Int?
  /// The number of open sets.
  var classDepth = 0
  var groups: [Group] = []
  /// The number of open groups that are look-behinds.
  var openLookBehinds = 0
  /// Whether the preceding element may be repeated.
  var isRepeatable = false

  private init(_ pattern: String, _ dialect: Dialect, groups: Int?) {
    self.dialect = dialect
    scalars = Array(pattern.unicodeScalars)
    flags.dotMatchesAll = dialect == .java
    allGroups = groups
  }

  /// The expression in ICU's dialect.
  ///
  /// - Throws: A ``RegexSyntaxError`` for what the dialect does not allow and what ICU cannot do.
  package static func translate(
    _ pattern: String, from dialect: Dialect
  ) throws(RegexSyntaxError) -> String {
    var counter = RegexTranslator(pattern, dialect, groups: nil)
    try counter.run()
    // Only references need the total number of groups.
    guard counter.refersToGroups else { return counter.output }
    var translator = RegexTranslator(pattern, dialect, groups: counter.groupCount)
    try translator.run()
    return translator.output
  }

  /// Whether a group is referenced by number.
  var refersToGroups = false

  func failure(_ message: String, at offset: Int? = nil) -> RegexSyntaxError {
    RegexSyntaxError(message: message, offset: min(offset ?? place, scalars.count))
  }

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    place + offset < scalars.count ? scalars[place + offset] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    place += 1
    return true
  }

  func isNext(_ text: String) -> Bool {
    scalars[min(place, scalars.count)...].starts(with: text.unicodeScalars)
  }

  private mutating func run() throws(RegexSyntaxError) {
    while let scalar = peek() {
      if flags.allowsComments, skipComment(scalar) { continue }
      try translate(scalar)
    }
    if let open = groups.last { throw failure("a '(' that is not closed", at: open.offset) }
  }

  private mutating func translate(_ scalar: Unicode.Scalar) throws(RegexSyntaxError) {
    let start = place
    place += 1
    switch scalar {
    case "(": try openGroup(at: start)
    case ")": try closeGroup(at: start)
    case "[":
      output += try outerClass(at: start)
      isRepeatable = true
    case "\\":
      isRepeatable = try translateEscape(at: start)
    case "*", "+", "?": try repeatLast(String(scalar), isOpenEnded: scalar != "?", at: start)
    case "{": try translateBraces(at: start)
    case "|":
      output += "|"
      isRepeatable = false
    case "^":
      output += "^"
      isRepeatable = true
    case "$":
      output += dialect == .java ? "$" : "\\z"
      isRepeatable = true
    case ".":
      output += dot
      isRepeatable = true
    default:
      output += literal(scalar)
      isRepeatable = true
    }
  }

  /// The set that a dot matches.
  ///
  /// ICU's own dot takes a carriage return and the line feed after it as one, if it matches line ends.
  private var dot: String {
    if flags.dotMatchesAll { return Self.anything }
    if flags.hasUnixLines { return "[^\\n]" }
    return dialect == .java ? "[^\\n\\r\\x85\\u2028\\u2029]" : "[^\\n\\r\\u2028\\u2029]"
  }

  // MARK: Repetition

  private mutating func repeatLast(
    _ sign: String, isOpenEnded: Bool, at start: Int
  ) throws(RegexSyntaxError) {
    guard isRepeatable else { throw failure("a '\(sign)' that repeats nothing", at: start) }
    if isOpenEnded, openLookBehinds > 0 {
      throw failure(
        "a look-behind that may be endless; give it a bound, such as {0,100},", at: start)
    }
    output += sign
    if take("?") {
      output += "?"
    } else if dialect == .java, take("+") {
      output += "+"
    }
    isRepeatable = false
  }

  /// `{3}`, `{3,}` or `{3,5}`; in Java, any other brace is an error.
  private mutating func translateBraces(at start: Int) throws(RegexSyntaxError) {
    let least = takeDigits()
    let isRange = take(",")
    let most = isRange ? takeDigits() : ""
    guard !least.isEmpty, take("}") else {
      // Outside its strict mode, ECMAScript takes such a brace literally, and schemas rely on it.
      if dialect == .ecmaScript {
        place = start + 1
        output += literal("{")
        isRepeatable = true
        return
      }
      throw failure("a '{' that begins no repetition; write \\{", at: start)
    }
    guard let first = Int(least), let last = most.isEmpty ? first : Int(most), first <= last else {
      throw failure("a repetition whose minimum is above its maximum or too large", at: start)
    }
    let sign = "{\(first)" + (isRange ? "," + (most.isEmpty ? "" : "\(last)") : "") + "}"
    try repeatLast(sign, isOpenEnded: isRange && most.isEmpty, at: start)
  }

  mutating func takeDigits() -> String {
    var digits = ""
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      place += 1
    }
    return digits
  }

  func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// White space and comments, which `(?x)` allows.
  private mutating func skipComment(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "#" {
      while let next = peek(), next != "\n", next != "\r" { place += 1 }
      return true
    }
    guard scalar.isASCII, scalar.properties.isWhitespace else { return false }
    place += 1
    return true
  }

  /// A literal character, in both cases if case is ignored.
  func literal(_ scalar: Unicode.Scalar) -> String {
    let written = Self.escaped(scalar)
    guard flags.ignoresCase else { return written }
    if flags.isUnicodeCase { return scalar.properties.isCased ? "(?i:[\(written)])" : written }
    guard let other = Self.otherCase(scalar) else { return written }
    return "[\(written)\(Self.escaped(other))]"
  }

  /// The ASCII letter in the other case; nil for anything else.
  static func otherCase(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "a"..."z", "A"..."Z": Unicode.Scalar(scalar.value ^ 0x20)
    default: nil
    }
  }

  /// A character escaped for ICU, valid inside and outside sets.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: "\\x{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}
