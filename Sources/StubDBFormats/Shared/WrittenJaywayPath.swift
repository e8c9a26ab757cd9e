internal import Foundation
internal import StubDBJSON

/// A JSONPath of RFC 9535 as one of Jayway's dialect.
///
/// https://github.com/json-path/JsonPath#readme
struct WrittenJaywayPath {
  /// The path in Jayway's dialect.
  let text: String
  /// Whether a filter may select something else there.
  let hasFilter: Bool
  /// Whether it selects one value at most, because it has neither wildcards nor filters.
  let isDefinite: Bool

  /// Nil if the path is invalid or has no counterpart.
  ///
  /// `selects` shows whether what the path selects counts, and not only that it selects something.
  init?(_ query: String, selects: Bool) {
    guard (try? JSONPath(query)) != nil else { return nil }
    // What an import makes of a path becomes that path again.
    let original = FilteredPath.candidates(for: query).lazy.compactMap(Self.written).first {
      guard let read = JaywayPath($0) else { return false }
      return read.difference == nil && (selects ? read.values : read.query) == query
    }
    guard let written = original ?? Self.written(query) else { return nil }
    text = written
    hasFilter = original == nil && written.contains("?(")
    isDefinite = JaywayPath(written)?.isDefinite ?? false
  }

  private static func written(_ query: String) -> String? {
    // Steps of slices, and functions that count nodes, are unknown there.
    let unknown = [#"\[[^\]'"?]*:[^\]'"?]*:"#, #"\b(count|value)\("#]
    guard !unknown.contains(where: { query.range(of: $0, options: .regularExpression) != nil })
    else { return nil }
    var result = ""
    var rest = query[...]
    var quote: Character?
    while let character = rest.first {
      if quote == nil, character == "?" {
        let filter = rest.dropFirst()
        guard let end = end(ofFilter: filter), let written = self.filter(filter[..<end]) else {
          return nil
        }
        result += "?(\(written))"
        rest = filter[end...]
        continue
      }
      if let open = quote {
        if character == "\\" {
          result.append(character)
          rest.removeFirst()
        } else if character == open {
          quote = nil
        }
      } else if character == "'" || character == "\"" {
        quote = character
      }
      if let next = rest.popFirst() { result.append(next) }
    }
    return result
  }

  /// The place of the `]` or of the comma that ends a filter.
  private static func end(ofFilter text: Substring) -> String.Index? {
    var depth = 0
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == "\\" {
          index = text.index(after: index)
          if index == text.endIndex { return nil }
        } else if character == open {
          quote = nil
        }
      } else {
        switch character {
        case "'", "\"": quote = character
        case "[", "(": depth += 1
        case "]" where depth == 0: return index
        case ",": if depth == 0 { return nil }
        case "]", ")": depth -= 1
        default: break
        }
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// A filter with its functions in Jayway's form; nil if one has none.
  private static func filter(_ text: Substring) -> String? {
    var filter = text.trimmingCharacters(in: .whitespaces)
    // The parentheses are written again.
    if filter.hasPrefix("("), filter.hasSuffix(")"),
      WireMockURLExpression.isOneGroup(filter.replacing(/'(?:[^'\\]|\\.)*'/, with: "''"))
    {
      filter = String(filter.dropFirst().dropLast())
    }
    // Filters inside of a filter.
    if filter.contains("?") { return nil }
    let operand = #"(@[^\s=!<>&|(),]*)"#
    guard
      let find = try? Regex<(Substring, Substring, Substring, Substring)>(
        #"(match|search)\("# + operand + #",\s*'((?:[^'\\]|\\.)*)'\)"#),
      let length = try? Regex<(Substring, Substring)>(#"length\("# + operand + #"\)"#)
    else { return nil }
    filter = filter.replacing(find) { match in
      let expression = match.output.3.replacingOccurrences(of: "\\'", with: "'")
        .replacingOccurrences(of: "\\\\", with: "\\").replacingOccurrences(of: "/", with: "\\/")
      return match.output.1 == "match"
        ? "\(match.output.2) =~ /\(expression)/" : "\(match.output.2) =~ /.*(?:\(expression)).*/"
    }
    filter = filter.replacing(length) { "\($0.output.1).length()" }
    let isWritten =
      filter.range(of: #"\b(match|search|length)\((?!\))"#, options: .regularExpression) == nil
    return isWritten ? filter : nil
  }
}
