package import Foundation

/// A regular expression of ICU with a limit on its steps.
///
/// Without a limit, an expression such as `(a+)+b` can take practically for ever.
package struct BoundedRegex: Sendable {
  package typealias Options = NSRegularExpression.Options

  private let expression: NSRegularExpression

  /// Compiles the expression; nil if it is not valid.
  package init?(_ pattern: String, _ options: Options = []) {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
      return nil
    }
    self.expression = expression
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
    self.expression = expression
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

  /// The expression in ICU's dialect.
  package var pattern: String { expression.pattern }

  /// Identifies the compiled expression; copies have the same identity.
  package var identity: ObjectIdentifier { ObjectIdentifier(expression) }

  /// Whether the expression matches somewhere in the text, nil if the limit was exceeded, and the number of steps.
  ///
  /// A step is one progress callback, after some ten thousand moves of ICU's engine: about a tenth of a millisecond.
  /// ICU itself gives up on an expression such as `(a|b)*` that needs more than its stack on a long text.
  package func isFound(in text: String, steps limit: Int) -> (verdict: Bool?, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (verdict, steps): (Bool?, Int) = (false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if match != nil {
        verdict = true
      } else if flags.contains(.internalError) {
        verdict = nil
      } else if flags.contains(.progress) {
        steps += 1
        if steps > limit { verdict = nil }
      }
      if verdict != false { stop.pointee = true }
    }
    return (verdict, steps)
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
    let range = NSRange(location: 0, length: text.utf16.count)
    var values: [Substring] = []
    var (isGivenUp, steps) = (false, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if let match {
        let groups = (0..<match.numberOfRanges).dropFirst().map { match.range(at: $0) }
          .filter { $0.location != NSNotFound }
        let selected = groups.first { $0.length > 0 } ?? groups.first ?? match.range
        if let range = Range(selected, in: text) { values.append(text[range]) }
      } else if flags.contains(.internalError) {
        isGivenUp = true
      } else if flags.contains(.progress) {
        steps += 1
        if steps > limit { isGivenUp = true }
      }
      if isGivenUp { stop.pointee = true }
    }
    return (isGivenUp ? nil : values, steps)
  }

  /// The first match and its groups, and the number of steps.
  private func groups(in text: String, steps limit: Int) -> (match: FirstMatch, steps: Int) {
    let range = NSRange(location: 0, length: text.utf16.count)
    var (result, steps): (FirstMatch, Int) = (.notFound, 0)
    expression.enumerateMatches(
      in: text, options: [.reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if let match {
        result = .found(
          (0..<match.numberOfRanges).map { group in
            Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
          })
      } else if flags.contains(.internalError) {
        result = .givenUp
      } else if flags.contains(.progress) {
        steps += 1
        if steps > limit { result = .givenUp }
      }
      if result != .notFound { stop.pointee = true }
    }
    return (result, steps)
  }
}
