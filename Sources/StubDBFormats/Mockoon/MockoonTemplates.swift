internal import Foundation

/// Writes Mockoon's placeholders as stubdb does.
///
/// https://mockoon.com/docs/latest/templating/overview/
final class MockoonTemplates {
  /// Whether values of another kind represent those of faker.
  private(set) var hasApproximated = false
  /// The blocks that are open, with what stands before their end.
  private var open: [String] = []

  private static let faker: [String: String] = [
    "'datatype.boolean'": "pickRandom 'true' 'false'", "'string.uuid'": "uuid",
    "'datatype.uuid'": "uuid", "'number.float'": "randomDecimal",
    "'date.recent'": "now", "'date.past'": "now offset='-1 days'",
    "'date.future'": "now offset='1 days'", "'date.soon'": "now offset='1 hours'",
  ]

  /// The placeholder; nil if it has no counterpart.
  func placeholder(_ inside: String) -> String? {
    if inside.hasPrefix("!") { return "" }
    if inside == "else" || inside.hasPrefix("@") || inside == "this" { return "{{\(inside)}}" }
    if inside.hasPrefix("/") {
      guard let end = open.popLast() else { return nil }
      return end
    }
    if inside.hasPrefix("#repeat ") { return openRepeat(inside.dropFirst(8)) }
    for block in ["#if ", "#unless ", "#each "] where inside.hasPrefix(block) {
      guard let value = expression(inside.dropFirst(block.count)) else { return nil }
      open.append("{{/\(block.dropFirst().dropLast())}}")
      return "{{\(block)(\(value))}}"
    }
    return expression(inside[...]).map { "{{\($0)}}" }
  }

  /// `#repeat 5` or `#repeat 1 5`: the part as often, with commas between.
  private func openRepeat(_ text: Substring) -> String? {
    var words = TemplateTranslation.words(text)
    let hasCommas = !words.contains("comma=false")
    words.removeAll { $0.hasPrefix("comma=") }
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, let first = numbers.first, first > 0, first <= 10_000 else {
      return nil
    }
    let count =
      numbers.count == 2 && numbers[1] >= first && numbers[1] <= 10_000
      ? "(randomInt lower=\(first) upper=\(numbers[1] + 1))" : numbers.count == 1 ? "\(first)" : nil
    guard let count else { return nil }
    open.append((hasCommas ? "{{#unless @last}},{{/unless}}" : "") + "{{/each}}")
    return "{{#each (range 1 \(count))}}"
  }

  private func expression(_ text: Substring) -> String? {
    let words = TemplateTranslation.words(text)
    guard let name = words.first else { return nil }
    let arguments = Array(words.dropFirst())
    switch name {
    case "faker": return faker(arguments)
    case "oneOf": return choice(arguments)
    case "now": return now(arguments.first)
    case "date":
      hasApproximated = true
      return now(arguments.count == 3 ? arguments[2] : nil)
    case "queryParam", "urlParam", "header", "cookie", "body", "method", "bodyRaw", "hostname":
      return value(name, arguments)
    case "uuid", "guid", "objectId": return "uuid"
    case "int", "float": return number(name, arguments)
    case "boolean": return "pickRandom 'true' 'false'"
    case "uppercase", "lowercase", "base64":
      guard arguments.count == 1, let inner = argument(arguments[0]) else { return nil }
      let names = ["uppercase": "upper", "lowercase": "lower"]
      return "\(names[name] ?? name) \(inner)"
    default: return nil
    }
  }

  /// A text, or a call in parentheses.
  private func argument(_ text: String) -> String? {
    if text.hasPrefix("'") { return text }
    guard text.hasPrefix("("), text.hasSuffix(")") else { return nil }
    return expression(text.dropFirst().dropLast()).map { "(\($0))" }
  }

  private func value(_ name: String, _ arguments: [String]) -> String? {
    let usual = arguments.count > 1 ? arguments[1] : nil
    if let usual, !usual.hasPrefix("'") { return nil }
    let key = arguments.first.map { String($0.dropFirst().dropLast()) } ?? ""
    if !key.isEmpty, arguments[0].first != "'" { return nil }
    func with(_ value: String) -> String { usual.map { "default \(value) \($0)" } ?? value }
    func member(_ part: String) -> String? {
      key.isEmpty || key.contains("]") ? nil : with("request.\(part).[\(key)]")
    }
    switch name {
    case "method", "hostname": return name == "method" ? "request.method" : "request.host"
    case "queryParam": return key.contains(".") || key.hasPrefix("$") ? nil : member("query")
    case "urlParam": return member("path")
    case "header": return member("headers")
    case "cookie": return member("cookies")
    default:
      if key.isEmpty { return with("request.body") }
      guard let path = try? MockoonRule.path(key), !path.contains("'") else { return nil }
      return "jsonPath request.body '\(path)' default=\(usual ?? "''")"
    }
  }

  private func number(_ name: String, _ arguments: [String]) -> String? {
    let numbers = arguments.compactMap { Double($0) }
    guard numbers.count == arguments.count, [0, 2].contains(numbers.count) else { return nil }
    let function = name == "int" ? "randomInt" : "randomDecimal"
    guard numbers.count == 2 else { return "\(function) lower=0 upper=1000000" }
    guard name == "float" || numbers.allSatisfy({ abs($0) < 1e15 && $0 == $0.rounded() }) else {
      return nil
    }
    return name == "int"
      ? "randomInt lower=\(Int(numbers[0])) upper=\(Int(numbers[1]) + 1)"
      : "randomDecimal lower=\(arguments[0]) upper=\(arguments[1])"
  }

  private func choice(_ arguments: [String]) -> String? {
    guard arguments.count == 1, arguments[0].hasPrefix("(array"), arguments[0].hasSuffix(")") else {
      return nil
    }
    let words = TemplateTranslation.words(arguments[0].dropFirst(6).dropLast())
    guard !words.isEmpty, words.allSatisfy({ $0.hasPrefix("'") || Double($0) != nil }) else {
      return nil
    }
    let (most, count) = (64, (words.count + 63) / 64)
    guard count > 1 else { return "pickRandom " + words.joined(separator: " ") }
    guard count <= most else { return nil }
    // A function takes so many values, and so does each of its parts.
    return "pickRandom "
      + (0..<count).map { part in
        let part = words[(part * words.count / count)..<((part + 1) * words.count / count)]
        return "(pickRandom \(part.joined(separator: " ")))"
      }.joined(separator: " ")
  }

  private func faker(_ arguments: [String]) -> String? {
    guard let name = arguments.first else { return nil }
    if name == "'number.int'" || name == "'datatype.number'" || name == "'random.number'" {
      var (low, high) = (0, 99_999)
      for argument in arguments.dropFirst() {
        let parts = argument.split(separator: "=")
        guard parts.count == 2, let number = Int(parts[1]), abs(number) < 1 << 53 else {
          return nil
        }
        if parts[0] == "min" { low = number } else if parts[0] == "max" { high = number }
      }
      return high >= low ? "randomInt lower=\(low) upper=\(high + 1)" : nil
    }
    guard let call = Self.faker[name] else { return nil }
    if name.hasPrefix("'date.") { hasApproximated = true }
    return call
  }

  /// `now 'yyyy-MM-dd'`, with the letters that date-fns and Java share.
  private func now(_ format: String?) -> String? {
    guard let format, format.count > 2 else { return "now" }
    let bare = format.dropFirst().dropLast()
    guard bare.allSatisfy({ "yMdHhmsSaXx-/.: ,T'\\".contains($0) }) else { return nil }
    return "now format='\(bare.contains("'") ? bare : bare[...].replacing("T", with: "\\'T\\'"))'"
  }
}
