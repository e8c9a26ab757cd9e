/// An expression of another tool for path and query, which it matches as a whole, as a pattern of stubs.
///
/// A server gets paths without an origin where no stub names a host, so a pattern of the whole URL takes an origin or none.
/// The expression itself never sees the origin.
struct TargetExpression {
  /// A pattern of the path that matches the same requests.
  struct Path {
    /// The expression for the whole path; nil if any path matches.
    var expression: String?
    /// Whether there is no query.
    var refusesQuery: Bool
  }

  /// The origin of an absolute URL, or nothing; it gives no character back to what follows.
  static let origin = "(?:[a-z]+://[^/?]*+)?+"
  /// The place between the origin and the path.
  private static let start = #"(?<=^(?:[a-z]{1,20}://[^/?]{1,300})?)"#
  /// Ends of an expression that represent any query, or none.
  private static let freeQueries = [#"($|\?.*)"#, #"(\?.*)?"#, #"(\?.*|$)"#, #"(?:\?.*)?"#]

  private let text: String

  /// - Throws: ``Untranslatable`` for a text that is no expression.
  init(_ text: String) throws {
    _ = try ForeignExpression(text, .same)
    self.text = text
  }

  /// The expression for the whole URL.
  var url: String { "\(Self.origin)(?:\(AnchoredExpression.moved(text, to: Self.start)))" }

  /// The pattern of the path that matches the same requests; nil if none is known to.
  var path: Path? {
    let isChoice = AnchoredExpression.isChoice(text)
    let text = isChoice ? self.text : AnchoredExpression.withoutEnds(self.text)
    if [".*", "/.*"].contains(text) { return Path(expression: nil, refusesQuery: false) }
    if !isChoice, let tail = Self.freeQueries.first(where: text.hasSuffix) {
      let path = String(text.dropLast(tail.count))
      let isEqual = PathExpression.staysInPath(path, isWhole: false)
      return isEqual ? Path(expression: path, refusesQuery: false) : nil
    }
    if !isChoice, text.hasSuffix(".*"), !text.hasSuffix("\\.*"),
      PathExpression.staysInPath(String(text.dropLast(2)), isWhole: false)
    {
      return Path(expression: text, refusesQuery: false)
    }
    guard PathExpression.staysInPath(text, isWhole: true) else { return nil }
    return Path(expression: text, refusesQuery: true)
  }
}

/// Expressions that match within the path only.
private enum PathExpression {
  /// Whether an expression cannot match a question mark, nor depend on what follows it unless it is matched as a whole.
  static func staysInPath(_ text: String, isWhole: Bool) -> Bool {
    let tokens = ExpressionToken.tokens(of: text)
    return tokens.indices.allSatisfy { place in
      switch tokens[place] {
      case .plain("."): false
      case .plain("$"), .plain("^"): isWhole
      case .plain("("): isWhole || !looksAround(tokens[(place + 1)...])
      case .plain: true
      case .escaped(let text): staysInPath(escape: text, isWhole: isWhole)
      case .set(let text): staysInPath(set: text)
      }
    }
  }

  private static func looksAround(_ tokens: ArraySlice<ExpressionToken>) -> Bool {
    let kind = tokens.prefix(3).map(\.text).joined()
    return ["?=", "?!", "?<=", "?<!"].contains(where: kind.hasPrefix)
  }

  private static func staysInPath(escape: String, isWhole: Bool) -> Bool {
    guard escape.count == 2, let letter = escape.last else { return false }
    if "dws".contains(letter) { return true }
    if "bBAzZ".contains(letter) { return isWhole }
    return letter != "?" && !(letter.isASCII && (letter.isLetter || letter.isNumber))
  }

  /// Whether a set has no question mark: by itself, in a range, or because another set leaves it out.
  private static func staysInPath(set: String) -> Bool {
    let inner = set.dropFirst().dropLast()
    guard !inner.contains("["), !inner.contains("&&") else { return false }
    guard inner.first != "^" else { return inner.contains("?") && !inner.contains("\\") }
    let tokens = ExpressionToken.tokens(of: String(inner))
    return tokens.indices.allSatisfy { place in
      switch tokens[place] {
      case .escaped(let text): return staysInPath(escape: text, isWhole: false)
      case .plain("?"): return false
      case .plain("-") where place > 0 && place + 1 < tokens.count:
        guard case .plain(let low) = tokens[place - 1], case .plain(let high) = tokens[place + 1]
        else { return false }
        return low > "?" || high < "?"
      default: return true
      }
    }
  }
}
