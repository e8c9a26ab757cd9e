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
    return (isOneLine ? "(?-s:" : "(?:") + (dialect == .singleLine ? withExactEnds(text) : text)
      + ")"
  }

  private static func endsWithDollar(_ text: String) -> Bool {
    text.hasSuffix("$") && text.dropLast().reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }

  private static func hasDot(_ text: String) -> Bool {
    var hasDot = false
    _ = mapPlain(text) { character in
      if character == "." { hasDot = true }
      return String(character)
    }
    return hasDot
  }

  /// With `\z` for `$`, which in Java also matches before the last line end.
  private static func withExactEnds(_ text: String) -> String {
    mapPlain(text) { $0 == "$" ? "\\z" : String($0) }
  }

  /// Replaces characters that are neither escaped nor in a set.
  private static func mapPlain(_ text: String, _ replace: (Character) -> String) -> String {
    var result = ""
    var (isEscaped, depth) = (false, 0)
    for character in text {
      if isEscaped {
        isEscaped = false
      } else {
        switch character {
        case "\\": isEscaped = true
        case "[": depth += 1
        case "]": depth = max(0, depth - 1)
        case _ where depth == 0:
          result += replace(character)
          continue
        default: break
        }
      }
      result.append(character)
    }
    return result
  }
}
