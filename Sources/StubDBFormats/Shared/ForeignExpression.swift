internal import Foundation
internal import StubDBSupport

/// Regular expressions of other tools as parts of ours, which match whole values and whose dot matches line ends.
struct ForeignExpression {
  /// What differs from expressions of stubs where an expression comes from.
  enum Dialect {
    /// Nothing: Java with `DOTALL`, as WireMock calls it.
    case same
    /// The dot matches no line end: Java.
    case java
    /// The dot matches no line end, and `$` only the end of the text: Go, JavaScript, JSON Schema.
    case singleLine
    /// The same for a value that a query may follow.
    case path
  }

  private let text: String
  private let dialect: Dialect

  /// - Throws: ``Untranslatable`` for a text that is no expression by itself: its parentheses would close the group that it
  /// is put into, and the rest would match anything.
  init(_ text: String, _ dialect: Dialect) throws {
    guard Self.isValid(text) else {
      throw Untranslatable("the expression \(text)", "it is not a regular expression")
    }
    self.text = text
    self.dialect = dialect
  }

  /// An expression for a text and no other; slashes need no escape.
  static func quoted(_ text: some StringProtocol) -> String {
    NSRegularExpression.escapedPattern(for: String(text)).replacingOccurrences(of: "\\/", with: "/")
  }

  /// The text that an expression represents; nil if it is not what an escape of a text gives.
  static func literal(_ expression: String, escapedBy escape: (String) -> String) -> String? {
    var text = ""
    var isEscaped = false
    for character in expression {
      if isEscaped || character != "\\" { text.append(character) }
      isEscaped = !isEscaped && character == "\\"
    }
    return escape(text) == expression ? text : nil
  }

  static func isValid(_ text: String) -> Bool {
    (try? BoundedRegex(text, dialect: .java, isWhole: false)) != nil
  }

  /// The expression for a whole value.
  var whole: String { dialect != .same && Self.hasDot(text) ? "(?-s)\(text)" : text }

  /// The expression in a group of its own.
  var group: String { Self.group(text, dialect) }

  /// The expression for a whole value in which it may be found anywhere.
  func anywhere(ignoresCase: Bool = false) -> String {
    let flags = ignoresCase ? "(?i)" : ""
    // An anchor belongs to one of several alternatives only.
    let isSimple = !text.contains("|")
    let isStart = isSimple && text.hasPrefix("^")
    let isEnd = isSimple && Self.endsWithDollar(text)
    let middle = String(text.dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0))
    guard isStart || isEnd, middle != "", Self.isValid(middle) else {
      return "\(flags).*\(group).*"
    }
    let isWhole = isStart && isEnd && !(dialect != .same && Self.hasDot(middle))
    return flags + (isStart ? "" : ".*") + (isWhole ? middle : Self.group(middle, dialect))
      + (isEnd ? "" : ".*")
  }

  private static func group(_ text: String, _ dialect: Dialect) -> String {
    let isOneLine = dialect != .same && hasDot(text)
    return (isOneLine ? "(?-s:" : "(?:") + withExactEnds(text, dialect)
      + ")"
  }

  private static func endsWithDollar(_ text: String) -> Bool {
    text.hasSuffix("$") && text.dropLast().reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }

  private static func hasDot(_ text: String) -> Bool {
    ExpressionToken.tokens(of: text).contains(.plain("."))
  }

  /// With `\z` for `$`, which in Java also matches before the last line end; before a query, too.
  private static func withExactEnds(_ text: String, _ dialect: Dialect) -> String {
    let end: String
    switch dialect {
    case .same, .java: return text
    case .singleLine: end = "\\z"
    case .path: end = "(?=\\?|\\z)"
    }
    return ExpressionToken.tokens(of: text).map { $0 == .plain("$") ? end : $0.text }.joined()
  }
}
