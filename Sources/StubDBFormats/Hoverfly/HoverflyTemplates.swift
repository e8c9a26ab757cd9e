internal import Foundation

/// Writes the placeholders of templated responses as stubdb does.
struct HoverflyTemplates {
  let literals: [String: String]

  /// The placeholder; nil for a function that has no counterpart.
  func placeholder(_ inside: String) -> String? {
    var rest = inside[...]
    var prefix = ""
    if inside.hasPrefix("/") || inside == "else" || inside == "this" || inside.hasPrefix("@") {
      return "{{\(inside)}}"
    }
    for block in ["#each ", "#if ", "#unless ", "else if "] where inside.hasPrefix(block) {
      prefix = block
      rest = rest.dropFirst(block.count)
    }
    if rest.hasPrefix("Literals.") {
      return literals[String(rest.dropFirst(9))]
    }
    return expression(rest).map { "{{\(prefix)\($0)}}" }
  }

  private func expression(_ text: Substring) -> String? {
    let words = TemplateTranslation.words(text)
    guard let name = words.first else { return nil }
    let arguments = Array(words.dropFirst())
    if name.hasPrefix("Request.") || name.hasPrefix("State.") {
      return value(name, arguments)
    }
    return function(name, arguments)
  }

  private func value(_ name: String, _ arguments: [String]) -> String? {
    let parts = name.split(separator: ".", maxSplits: 2).map(String.init)
    let rest = parts.count > 2 ? ".\(parts[2])" : ""
    let plain = rest.replacing(#/\[(\d+)\]/#) { String($0.1) }
    if parts[0] == "State", parts.count > 1 {
      return "captured 'state/\(name.dropFirst(6))'"
    }
    switch parts.count > 1 ? parts[1] : "" {
    case "QueryParam": return "request.query\(plain)"
    case "Path": return "request.path\(plain)"
    case "Header": return "request.headers\(plain)"
    case "Host", "Scheme", "Method": return "request.\(parts[1].lowercased())"
    case "Body":
      if arguments.isEmpty { return "request.body" }
      guard arguments.count == 2 else { return nil }
      switch arguments[0] {
      case "'jsonpath'": return "jsonPath request.body \(arguments[1])"
      case "'xpath'": return "xPath request.body \(arguments[1])"
      default: return nil
      }
    default: return nil
    }
  }

  private func function(_ name: String, _ arguments: [String]) -> String? {
    switch (name, arguments.count) {
    case ("randomUuid", 0): return "uuid"
    case ("randomBoolean", 0): return "pickRandom 'true' 'false'"
    case ("randomInteger", 0): return "randomInt"
    case ("randomIntegerRange", 2): return "randomInt lower=\(arguments[0]) upper=\(arguments[1])"
    case ("randomFloat", 0): return "randomDecimal"
    case ("randomFloatRange", 2):
      return "randomDecimal lower=\(arguments[0]) upper=\(arguments[1])"
    case ("randomString", 0): return "randomValue length=36"
    case ("randomStringLength", 1): return "randomValue length=\(arguments[0])"
    case ("now", 0): return "now"
    case ("now", 2): return now(arguments[0], arguments[1])
    default: return nil
    }
  }

  /// `now '1d' 'unix'`, with Go's layouts.
  private func now(_ offset: String, _ format: String) -> String? {
    var call = "now"
    let (offset, format) = (offset.dropFirst().dropLast(), format.dropFirst().dropLast())
    if !offset.isEmpty {
      guard let match = offset.wholeMatch(of: #/(-?\d+)([smhdy])/#) else { return nil }
      let units = ["s": "seconds", "m": "minutes", "h": "hours", "d": "days", "y": "years"]
      call += " offset='\(match.1) \(units[String(match.2)] ?? "")'"
    }
    switch format {
    case "": return call
    case "unix": return call + " format='unix'"
    case "epoch": return call + " format='epoch'"
    default: return Self.pattern(ofLayout: String(format)).map { "\(call) format='\($0)'" }
    }
  }

  /// A layout of Go, in which each part is that of a certain moment, in Java's letters.
  private static func pattern(ofLayout layout: String) -> String? {
    let parts = [
      ("2006", "yyyy"), ("January", "MMMM"), ("Jan", "MMM"), ("Monday", "EEEE"), ("Mon", "EEE"),
      ("Z07:00", "XXX"), ("-07:00", "xxx"), ("-0700", "xx"), ("MST", "z"), (".000", ".SSS"),
      ("01", "MM"), ("02", "dd"), ("03", "hh"), ("04", "mm"), ("05", "ss"), ("06", "yy"),
      ("15", "HH"), ("PM", "a"),
    ]
    var result = ""
    var rest = layout[...]
    while let first = rest.first {
      if let part = parts.first(where: { rest.hasPrefix($0.0) }) {
        result += part.1
        rest = rest.dropFirst(part.0.count)
      } else {
        guard !first.isNumber, first != "'" else { return nil }
        // Letters stand in quotes, which end a text in templates.
        guard !first.isLetter || first == "T" || first == "Z" else { return nil }
        result += first.isLetter ? "\\'\(first)\\'" : String(first)
        rest.removeFirst()
      }
    }
    return result
  }
}
