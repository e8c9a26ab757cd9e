package import Foundation

/// A regular expression of ICU with a limit on its steps.
///
/// Without a limit, an expression such as `(a+)+b` can take practically for ever.
package struct BoundedRegex: Sendable {
  package typealias Options = NSRegularExpression.Options

  /// The expression in ICU's dialect.
  package let pattern: String

  private let expression: NSRegularExpression
  /// The number of groups of ``expression`` before those of the pattern: 0, or 1 for a ``search(for:_:)``.
  private let offset: Int

  /// Compiles the expression; nil if it is not valid.
  package init?(_ pattern: String, _ options: Options = []) {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
      return nil
    }
    self.init(pattern, expression, options)
  }

  /// An expression that matches the text and no other.
  ///
  /// Unicode scalars are looked at: an operator with a combining mark after it is a character of its own.
  package static func quoted(_ text: some StringProtocol) -> String {
    text.unicodeScalars.reduce(into: "") { quoted, scalar in
      if "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
  }

  private init(_ pattern: String, _ expression: NSRegularExpression, _ options: Options = []) {
    let search = Self.search(for: pattern, options)
    self.pattern = pattern
    self.expression = search ?? expression
    offset = search == nil ? 0 : 1
  }

  /// An expression that skips text up to a match of the pattern, which is its first group; without a match it skips all.
  ///
  /// ICU reports progress at each place where it tries a pattern, so that the length of a text alone would use up any
  /// limit. This expression is tried in one place, and only its moves count. Nil for patterns of which it would change
  /// the meaning: with numbers of groups, or with an end that needs a line of its own. Whole texts need no search.
  private static func search(for pattern: String, _ options: Options) -> NSRegularExpression? {
    if pattern.hasPrefix("\\A(?:") && pattern.hasSuffix(")\\z") { return nil }
    if pattern.contains(#/\\[0-9]/#) { return nil }
    return try? NSRegularExpression(pattern: "(?s:.*?)(?:(\(pattern))|\\z)", options: options)
  }

  /// Compiles an expression of another dialect, to match anywhere or whole texts only.
  ///
  /// - Throws: A ``RegexSyntaxError`` with the reason, and with the place unless only ICU rejects it.
  package init(
    _ pattern: String, dialect: RegexTranslator.Dialect, isWhole: Bool
  ) throws(RegexSyntaxError) {
    let translated = try RegexTranslator.translate(pattern, from: dialect)
    guard
      let expression = try? NSRegularExpression(
        pattern: isWhole ? "\\A(?:\(translated))\\z" : translated)
    else {
      throw RegexSyntaxError(message: "ICU, which runs it, refuses it", offset: nil)
    }
    self.init(expression.pattern, expression)
  }

  /// Compiles an interoperable expression; nil if it is not one.
  ///
  /// Its dot is anything but a line feed and a carriage return; the rest means the same to ICU.
  /// https://www.rfc-editor.org/rfc/rfc9485#section-5.3
  package init?(interoperable pattern: String, isWhole: Bool) {
    var translated = ""
    var (isEscaped, isInClass) = (false, false)
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "[": isInClass = true
      case "]": isInClass = false
      case "." where !isInClass:
        translated += "[^\\n\\r]"
        continue
      default: break
      }
      translated.unicodeScalars.append(scalar)
    }
    self.init(isWhole ? "\\A(?:\(translated))\\z" : translated)
  }

  /// Identifies the compiled expression; copies have the same identity.
  package var identity: ObjectIdentifier { ObjectIdentifier(expression) }

  /// Whether the expression matches somewhere in the text, nil if the limit was exceeded, and the number of steps.
  ///
  /// A step is one progress callback, after some ten thousand moves of ICU's engine: about a tenth of a millisecond.
  /// ICU itself gives up on an expression such as `(a|b)*` that needs more than its stack on a long text.
  package func isFound(in text: String, steps limit: Int) -> (verdict: Bool?, steps: Int) {
    var isFound = false
    let (isGivenUp, steps) = visitMatches(in: text, steps: limit) { _ in
      isFound = true
      return false
    }
    return (isGivenUp ? nil : isFound, steps)
  }

  /// What one step costs in the unit of a limit that is shared with other work: as much as visiting this many values.
  package static let stepCost = 200
  /// The most that one text may cost in that unit: some tenths of a second.
  package static let maximumCost = 2_000 * stepCost

  /// Whether the expression matches somewhere in the text; nil if that costs more than the limit.
  ///
  /// The cost is taken off the limit.
  package func isFound(in text: String, visiting limit: inout Int) -> Bool? {
    let (verdict, steps) = isFound(in: text, steps: Self.steps(within: limit))
    limit -= steps * Self.stepCost
    return verdict
  }

  /// The first match of an expression in a text.
  package enum FirstMatch: Hashable, Sendable {
    /// The match and its groups; a group that took no part is empty.
    case found([String])
    case notFound
    /// The search costs more than its limit.
    case givenUp
  }

  /// The first match and its groups.
  ///
  /// The cost is taken off the limit.
  package func groups(in text: String, visiting limit: inout Int) -> FirstMatch {
    let (match, steps) = groups(in: text, steps: Self.steps(within: limit))
    limit -= steps * Self.stepCost
    return match
  }

  private static func steps(within limit: Int) -> Int {
    min(max(0, limit), maximumCost) / stepCost
  }

  /// The matches of the expression in the text, and the number of steps.
  ///
  /// Each match is given by the first group that took part and is not empty, or as a whole if no group took part. The
  /// matches are nil if the limit was exceeded.
  package func values(in text: String, steps limit: Int) -> (values: [Substring]?, steps: Int) {
    var values: [Substring] = []
    let (isGivenUp, steps) = visitMatches(in: text, steps: limit) { ranges in
      let groups = ranges.dropFirst().filter { $0.location != NSNotFound }
      let selected = groups.first { $0.length > 0 } ?? groups.first ?? ranges[0]
      if let range = Range(selected, in: text) { values.append(text[range]) }
      return true
    }
    return (isGivenUp ? nil : values, steps)
  }

  /// The first match and its groups, and the number of steps.
  private func groups(in text: String, steps limit: Int) -> (match: FirstMatch, steps: Int) {
    var match = FirstMatch.notFound
    let (isGivenUp, steps) = visitMatches(in: text, steps: limit) { ranges in
      match = .found(ranges.map { range in Range(range, in: text).map { String(text[$0]) } ?? "" })
      return false
    }
    return (isGivenUp ? .givenUp : match, steps)
  }

  /// Calls `visit` with the ranges of each match and its groups until it returns false; counts the steps.
  private func visitMatches(
    in text: String, steps limit: Int, _ visit: @escaping ([NSRange]) -> Bool
  ) -> (isGivenUp: Bool, steps: Int) {
    var (isGivenUp, isDone, steps) = (false, false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion],
      range: NSRange(location: 0, length: text.utf16.count)
    ) { match, flags, stop in
      if let match {
        let ranges = (offset..<match.numberOfRanges).map { match.range(at: $0) }
        // Without its first group a search has skipped all.
        isDone = ranges[0].location == NSNotFound || !visit(ranges)
      } else if flags.contains(.internalError) {
        isGivenUp = true
      } else if flags.contains(.progress) {
        steps += 1
        isGivenUp = steps > limit
      }
      if isDone || isGivenUp { stop.pointee = true }
    }
    return (isGivenUp, steps)
  }
}
