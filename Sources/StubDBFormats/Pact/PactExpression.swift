internal import Foundation

/// Regular expressions of matching rules, which some of Pact's implementations look for anywhere in a value.
enum PactExpression {
  /// The expression for a value as a whole.
  static func anchored(_ expression: String) -> String { "^(?:\(expression))$" }

  /// The expression inside of the anchors that ``anchored(_:)`` writes; other expressions as they are.
  static func unanchored(_ expression: String) -> String {
    guard expression.hasPrefix("^(?:"), expression.hasSuffix(")$") else { return expression }
    let inner = String(expression.dropFirst(4).dropLast(2))
    return isBalanced(inner) ? inner : expression
  }

  /// The text that an expression represents, if it is one text written as an expression.
  static func literal(_ expression: String) -> String? {
    ForeignExpression.literal(expression, escapedBy: NSRegularExpression.escapedPattern)
  }

  /// Whether an expression has what Pact's core, which is written in Rust, cannot compile: looking around and back.
  static func isTooPowerful(_ expression: String) -> Bool {
    expression.range(of: #"\(\?(?:[=!>]|<[=!])|\\[1-9]|\\k|[*+?}]\+"#, options: .regularExpression)
      != nil
  }

  /// Whether no parenthesis closes one that was opened before the expression.
  private static func isBalanced(_ expression: String) -> Bool {
    var depth = 0
    var isEscaped = false
    var isInClass = false
    for character in expression {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass: depth += 1
      case ")" where !isInClass:
        depth -= 1
        if depth < 0 { return false }
      default: break
      }
    }
    return depth == 0 && !isEscaped && !isInClass
  }
}
