internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the matching rules of texts: of a path, a query parameter, a header field.
struct PactRulePatterns {
  /// Where the rules are; the report says of it what they become.
  let source: SourceValue

  /// The pattern of a value that follows the rules; nil without rules.
  func pattern(_ group: PactRules.Group, example: String) throws -> ValuePattern? {
    guard !group.isEmpty else { return nil }
    let patterns = try group.rules.map { try pattern($0, example: example) }
    return group.isAny && patterns.count > 1 ? .or(patterns) : .all(patterns)
  }

  private func pattern(_ rule: PactRules.Rule, example: String) throws -> ValuePattern {
    switch rule.kind {
    case .regex:
      guard case .string(let expression) = rule.arguments["regex"] else { break }
      return .matches(PactExpression.unanchored(expression))
    case .type, .notEmpty: return .matches(".+")
    case .equality: return .equalTo(example)
    case .include:
      guard case .string(let text) = rule.arguments["value"] else { break }
      return .contains(text)
    case .integer: return .matches("-?[0-9]+")
    case .number: return .matches(#"-?[0-9]+(\.[0-9]+)?"#)
    case .decimal: return .matches(#"-?[0-9]+\.[0-9]+"#)
    case .boolean: return .matches("true|false")
    case .semver: return .matches(Self.version)
    case .date, .time, .timestamp, .datetime: return .matches(try date(rule, example: example))
    case .min, .max, .minmax, .minMax, .null, .other: break
    }
    throw Untranslatable("the matching rule \(rule.name)")
  }

  /// The expression of a semantic version.
  static let version =
    #"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"#

  /// The expression of the form that a date or a time has, which the report says.
  ///
  /// - Throws: ``Untranslatable`` for a form that is not known, and one that the example does not have.
  func date(_ rule: PactRules.Rule, example: String) throws -> String {
    let usual = ["date": "yyyy-MM-dd", "time": "HH:mm:ss"]
    let given = rule.arguments["format"] ?? rule.arguments[rule.name]
    let format =
      if case .string(let text) = given, !text.isEmpty { text } else {
        usual[rule.name] ?? "yyyy-MM-dd'T'HH:mm:ss"
      }
    guard let expression = DateForm(format)?.expression,
      let regex = try? NSRegularExpression(pattern: PactExpression.anchored(expression)),
      regex.firstMatch(in: example, range: NSRange(example.startIndex..., in: example)) != nil
    else { throw Untranslatable("the matching rule \(rule.name)", "of the form \(format)") }
    source.note(
      .changed, .matcher, "Dates are compared by their form, \(format): February 30 has it, too")
    return expression
  }
}

/// A form of dates and times in the letters of Java, as a regular expression.
///
/// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
private struct DateForm {
  private(set) var expression = ""

  /// Nil for a form with a letter that is not known.
  init?(_ format: String) {
    var rest = format[...]
    while let character = rest.popFirst() {
      if character == "'" {
        guard let end = rest.firstIndex(of: "'") else { return nil }
        // Two of them represent one.
        let literal = rest[..<end].isEmpty ? "'" : String(rest[..<end])
        expression += NSRegularExpression.escapedPattern(for: literal)
        rest = rest[rest.index(after: end)...]
      } else if character == "[" {
        expression += "(?:"
      } else if character == "]" {
        expression += ")?"
      } else if character.isLetter {
        var count = 1
        while rest.first == character {
          rest.removeFirst()
          count += 1
        }
        guard let part = Self.part(character, count) else { return nil }
        expression += part
      } else {
        expression += NSRegularExpression.escapedPattern(for: String(character))
      }
    }
  }

  private static func part(_ letter: Character, _ count: Int) -> String? {
    switch letter {
    case "y", "u": return count == 2 || count == 4 ? "[0-9]{\(count)}" : "[0-9]+"
    case "M", "L":
      if count > 2 { return count == 3 ? "[A-Za-z]{3}" : "[A-Za-z]+" }
      return number(count, below10: "[1-9]", others: "1[0-2]")
    case "d": return number(count, below10: "[1-9]", others: "[12][0-9]|3[01]")
    case "H": return number(count, below10: "[0-9]", others: "1[0-9]|2[0-3]")
    case "k": return number(count, below10: "[1-9]", others: "1[0-9]|2[0-4]")
    case "h": return number(count, below10: "[1-9]", others: "1[0-2]")
    case "K": return number(count, below10: "[0-9]", others: "1[01]")
    case "m", "s": return number(count, below10: "[0-9]", others: "[1-5][0-9]")
    case "S": return "[0-9]{\(count)}"
    case "a": return "(?:AM|PM|am|pm)"
    case "E": return count < 4 ? "[A-Za-z]{3}" : "[A-Za-z]+"
    case "Z": return count < 4 ? "[+-][0-9]{4}" : nil
    case "X", "x":
      let zero = letter == "X" ? "Z|" : ""
      switch count {
      case 1: return "(?:\(zero)[+-][0-9]{2}(?:[0-9]{2})?)"
      case 2: return "(?:\(zero)[+-][0-9]{4})"
      case 3: return "(?:\(zero)[+-][0-9]{2}:[0-9]{2})"
      default: return nil
      }
    case "z", "V": return "[A-Za-z][A-Za-z0-9+:/_-]*"
    default: return nil
    }
  }

  /// A number of two digits, or of one and two.
  private static func number(_ count: Int, below10: String, others: String) -> String? {
    guard count < 3 else { return nil }
    return "(?:0\(count == 1 ? "?" : "")\(below10)|\(others))"
  }
}
