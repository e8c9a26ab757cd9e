internal import Foundation

/// A piece of a regular expression in Java's language.
///
/// The pieces tell anchors and dots from characters that represent themselves.
enum ExpressionToken: Equatable {
  /// A character that is neither escaped nor in a set.
  case plain(Character)
  /// A backslash with what it escapes; `\Q…\E` is one.
  case escaped(String)
  /// A set with its brackets.
  case set(String)

  var text: String {
    switch self {
    case .plain(let character): String(character)
    case .escaped(let text), .set(let text): text
    }
  }

  static func tokens(of expression: String) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    var rest = expression[...]
    while let character = rest.first {
      switch character {
      case "\\": tokens.append(.escaped(escape(&rest)))
      case "[": tokens.append(.set(set(&rest)))
      default:
        tokens.append(.plain(character))
        rest.removeFirst()
      }
    }
    return tokens
  }

  private static func escape(_ rest: inout Substring) -> String {
    var end = rest.index(rest.startIndex, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex
    if rest.hasPrefix("\\Q") { end = rest.range(of: "\\E")?.upperBound ?? rest.endIndex }
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  /// A set; sets in it belong to it, and a bracket that closes it right away is one of its characters.
  private static func set(_ rest: inout Substring) -> String {
    var text = ""
    var depth = 0
    var isFirst = false
    while let character = rest.first {
      if character == "\\" {
        text += escape(&rest)
        isFirst = false
        continue
      }
      rest.removeFirst()
      text.append(character)
      switch character {
      case "[":
        depth += 1
        isFirst = true
        if rest.first == "^" { text.append(rest.removeFirst()) }
        continue
      case "]" where !isFirst: depth -= 1
      default: break
      }
      if depth == 0 { break }
      isFirst = false
    }
    return text
  }
}
