internal import Foundation

/// A text that a regular expression matches: of each choice one alternative, and each repetition as seldom as may be.
struct PatternText {
  private static let maximumCount = 10_000
  private static let maximumDepth = 64

  private(set) var text = ""
  private var rest: Substring
  private let fillsOptional: Bool
  private let choice: Int
  private var depth = 0

  /// Nil for an expression with more than literals, classes, groups and repetitions, or one that the text does not match.
  ///
  /// With `fillsOptional`, what may be missing is there once. `choice` is the alternative that is taken, or the last one
  /// where there are fewer. What looks ahead or behind is passed over.
  init?(_ pattern: String, fillsOptional: Bool = false, choice: Int = 0) {
    rest = pattern[...]
    (self.fillsOptional, self.choice) = (fillsOptional, choice)
    guard let made = alternatives(), rest.isEmpty,
      let regex = try? NSRegularExpression(pattern: pattern),
      regex.firstMatch(in: made, range: NSRange(made.startIndex..., in: made)) != nil
    else { return nil }
    text = made
  }

  private mutating func alternatives() -> String? {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth, var taken = sequence() else { return nil }
    var number = 0
    while rest.first == "|" {
      rest.removeFirst()
      guard let next = sequence() else { return nil }
      number += 1
      if number <= choice { taken = next }
    }
    return taken
  }

  private mutating func sequence() -> String? {
    var text = ""
    while let character = rest.first, character != "|", character != ")" {
      guard let atom = atom(), let count = repetition(),
        text.count + atom.count * count < Self.maximumCount
      else { return nil }
      text += String(repeating: atom, count: count)
    }
    return text
  }

  private mutating func atom() -> String? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "^", "$": return ""
    case ".": return "a"
    case "(": return group()
    case "[":
      rest = rest.base[rest.base.index(before: rest.startIndex)...]
      return characterClass()
    case "\\": return escape()
    case "*", "+", "?", "{": return nil
    default: return String(character)
    }
  }

  private mutating func group() -> String? {
    var isPassedOver = false
    if rest.first == "?" {
      // Flags for the rest of the group, or for a group of their own.
      let start =
        /\?(?:[a-zA-Z]*(?:-[a-zA-Z]+)?(?<end>[:)])|>|<[A-Za-z][A-Za-z0-9]*>|<?(?<around>[=!]))/
      guard let match = rest.prefixMatch(of: start) else { return nil }
      rest = rest[match.range.upperBound...]
      if match.output.end == ")" { return "" }
      isPassedOver = match.output.around != nil
    }
    guard let group = alternatives(), rest.popFirst() == ")" else { return nil }
    return isPassedOver ? "" : group
  }

  private mutating func escape() -> String? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "b", "B", "A", "z", "Z", "G": return ""
    case "Q":
      let end = rest.range(of: "\\E")
      let literal = rest[..<(end?.lowerBound ?? rest.endIndex)]
      rest = rest[(end?.upperBound ?? rest.endIndex)...]
      return String(literal)
    case "E": return ""
    case "d": return "0"
    case "w", "D", "S": return "a"
    case "s": return " "
    case "W", "p", "P", "h", "H", "x", "u", "t", "n", "r", "R", "f", "e":
      return member(of: "\\\(character)" + argument(of: character))
    default:
      return character.isLetter || character.isNumber ? nil : String(character)
    }
  }

  /// What belongs to an escape after its letter: `{Lu}`, `41`.
  private mutating func argument(of escape: Character) -> String {
    let pattern: Regex<Substring>
    switch escape {
    case "p", "P": pattern = /\{[^}]*\}|[A-Z]/
    case "x": pattern = /\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2}/
    case "u": pattern = /[0-9A-Fa-f]{4}/
    default: return ""
    }
    guard let match = rest.prefixMatch(of: pattern) else { return "" }
    rest = rest[match.range.upperBound...]
    return String(match.output)
  }

  /// Takes a class, with those inside of it.
  private mutating func characterClass() -> String? {
    var open = 0
    var end = rest.startIndex
    var isFirst = false
    while end < rest.endIndex {
      let character = rest[end]
      switch character {
      case "\\":
        end = rest.index(after: end)
        guard end < rest.endIndex else { return nil }
        isFirst = false
      case "[":
        open += 1
        isFirst = true
      case "]" where !isFirst: open -= 1
      case "^" where isFirst: break
      default: isFirst = false
      }
      end = rest.index(after: end)
      if open == 0 { break }
    }
    guard open == 0 else { return nil }
    let text = String(rest[..<end])
    rest = rest[end...]
    return member(of: text)
  }

  /// A character that an expression for one character matches: one that it names, or else a usual one.
  private func member(of expression: String) -> String? {
    guard let regex = try? NSRegularExpression(pattern: "\\A(?:\(expression))\\z") else {
      return nil
    }
    // The letter of an escape is no text.
    let named = expression.replacing(/\\[A-Za-z]/, with: "").prefix(64)
      .filter { !"\\[]^&-".contains($0) }
    let letters = named.filter { $0.isLetter || $0.isNumber } + "a0A"
    let others = "_-. /:@,;=+!#%&()*?~'\"<>{}|[]^\\$é\t\n\r"
    return (letters + named + others).lazy.map(String.init).first { text in
      regex.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
  }

  private mutating func repetition() -> Int? {
    let optional = fillsOptional ? 1 : 0
    switch rest.first {
    case "?", "*":
      rest.removeFirst()
      skipModifier()
      return optional
    case "+":
      rest.removeFirst()
      skipModifier()
      return 1
    case "{":
      guard let end = rest.firstIndex(of: "}") else { return nil }
      let counts = rest[rest.index(after: rest.startIndex)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      rest = rest[rest.index(after: end)...]
      skipModifier()
      guard let least = counts.first.flatMap({ Int($0) }), (0...1_000).contains(least) else {
        return nil
      }
      let most = counts.count == 1 ? least : Int(counts[1]) ?? 1_000
      return max(least, min(optional, most))
    default: return 1
    }
  }

  private mutating func skipModifier() {
    if rest.first == "?" || rest.first == "+" { rest.removeFirst() }
  }
}
