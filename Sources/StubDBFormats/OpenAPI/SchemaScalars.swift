internal import Foundation
internal import StubDBJSON
internal import StubDBSupport

/// Makes numbers within the bounds of a schema.
enum SchemaNumber {
  static func value(_ schema: SourceValue, isInteger: Bool) -> JSONValue {
    let step = schema["multipleOf"]?.number ?? (isInteger ? 1 : 0)
    var value = 0.0
    if let least = schema["minimum"]?.number {
      value = least
      if schema["exclusiveMinimum"]?.bool == true { value += step > 0 ? step : 0.5 }
    } else if let least = schema["exclusiveMinimum"]?.number {
      value = least + (step > 0 ? step : 0.5)
    } else if let most = schema["maximum"]?.number, most < 0 {
      value = most
    } else if let most = schema["exclusiveMaximum"]?.number, most <= 0 {
      value = most - (step > 0 ? step : 0.5)
    }
    if step > 0 { value = (value / step).rounded(.up) * step }
    if let whole = Int(exactly: value) { return .number(JSONNumber(whole)) }
    return JSONNumber(value).map(JSONValue.number) ?? 0
  }
}

/// Makes texts that a schema allows.
enum SchemaText {
  private static let formats = [
    "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z",
    "duration": "P1D", "email": "user@example.com", "idn-email": "user@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000", "uri": "https://example.com",
    "url": "https://example.com", "iri": "https://example.com", "uri-reference": "/",
    "iri-reference": "/", "hostname": "example.com", "idn-hostname": "example.com",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "c3RyaW5n", "binary": "",
    "password": "string", "regex": ".*", "json-pointer": "/a",
  ]

  static func value(_ schema: SourceValue) -> String {
    if let format = schema["format"]?.text, let text = formats[format] { return text }
    var text = "string"
    if let pattern = schema["pattern"]?.text, let made = PatternText(pattern)?.text { text = made }
    if let most = schema["maxLength"]?.integer, most >= 0, text.count > most {
      text = String(text.prefix(most))
    }
    if let least = schema["minLength"]?.integer, (0...10_000).contains(least), !text.isEmpty {
      while text.count < least { text += text.prefix(least - text.count) }
    }
    return text
  }
}

/// A text that a simple regular expression matches: the first alternative, and each repetition as seldom as it may be.
struct PatternText {
  private(set) var text = ""
  private var rest: Substring

  /// Nil for an expression with more than literals, classes, groups and repetitions, or one that the text does not match.
  init?(_ pattern: String) {
    rest = pattern[...]
    guard let made = alternatives(), rest.isEmpty,
      let regex = try? NSRegularExpression(pattern: pattern),
      regex.firstMatch(in: made, range: NSRange(made.startIndex..., in: made)) != nil
    else { return nil }
    text = made
  }

  private mutating func alternatives() -> String? {
    guard let first = sequence() else { return nil }
    while rest.first == "|" {
      rest.removeFirst()
      guard sequence() != nil else { return nil }
    }
    return first
  }

  private mutating func sequence() -> String? {
    var text = ""
    while let character = rest.first, character != "|", character != ")" {
      guard let atom = atom(), let count = repetition(), text.count + atom.count * count < 10_000
      else {
        return nil
      }
      text += String(repeating: atom, count: count)
    }
    return text
  }

  private mutating func atom() -> String? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "^", "$": return ""
    case ".": return "a"
    case "(":
      if rest.hasPrefix("?:") { rest.removeFirst(2) } else if rest.first == "?" { return nil }
      guard let group = alternatives(), rest.popFirst() == ")" else { return nil }
      return group
    case "[": return characterClass()
    case "\\": return escape()
    case "*", "+", "?", "{": return nil
    default: return String(character)
    }
  }

  private mutating func escape() -> String? {
    switch rest.popFirst() {
    case "d": return "0"
    case "w": return "a"
    case "s": return " "
    case "D", "S": return "a"
    case "b": return ""
    case let character? where !character.isLetter && !character.isNumber: return String(character)
    default: return nil
    }
  }

  private mutating func characterClass() -> String? {
    let isNegated = rest.first == "^"
    if isNegated { rest.removeFirst() }
    var first: Character?
    var all: Set<Character> = []
    while let character = rest.popFirst(), character != "]" || first == nil {
      var member = character
      if character == "\\" {
        guard let text = escape()?.first else { return nil }
        member = text
      }
      first = first ?? member
      all.insert(member)
      if rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        guard let end = rest.popFirst(), member <= end else { return nil }
      }
    }
    guard isNegated else { return first.map(String.init) }
    return ["a", "0", "_", " "].first { !all.contains($0) }.map { String($0) }
  }

  private mutating func repetition() -> Int? {
    switch rest.first {
    case "?", "*":
      rest.removeFirst()
      skipModifier()
      return 0
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
      return counts.first.flatMap { Int($0) }.flatMap { (0...1_000).contains($0) ? $0 : nil }
    default: return 1
    }
  }

  private mutating func skipModifier() {
    if rest.first == "?" || rest.first == "+" { rest.removeFirst() }
  }
}
