internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
internal import StubDBTemplates

/// Writes templates as WireMock's Handlebars has them.
///
/// https://wiremock.org/docs/response-templating/
enum WireMockTemplateWriter {
  /// Whether a response has braces that WireMock could take for a template.
  static func hasBraces(_ response: StubResponse) -> Bool {
    if response.headers.contains(where: { Template.isTemplate($0.value) }) { return true }
    guard let body = response.body, body.kind != .base64, case .bytes(let data) = body.content
    else { return false }
    return Template.isTemplate(String(decoding: data, as: UTF8.self))
  }

  /// Content with placeholders.
  ///
  /// - Throws: ``Untranslatable`` for a function that WireMock lacks.
  static func content(_ text: String, kind: ResponseBody.Kind) throws -> String {
    guard kind == .json, let value = try? JSONValue(parsing: text) else {
      return try self.text(text)
    }
    return try json(value)
  }

  /// JSON in which each string is a template; a string that is one `{{json …}}` becomes a value.
  private static func json(_ value: JSONValue) throws -> String {
    switch value {
    case .string(let text) where Template.isTemplate(text):
      let written = try self.text(text)
      if (try? Template(text))?.soleJSON != nil { return written }
      guard !written.contains("\\"), !written.contains("\"") else {
        throw Untranslatable("template", "a placeholder inside of JSON has a quotation mark")
      }
      return "\"\(written)\""
    case .array(let elements):
      return "[" + (try elements.map(json)).joined(separator: ",") + "]"
    case .object(let members):
      let texts = try members.sorted { $0.key < $1.key }.map { name, value in
        guard !Template.isTemplate(name) else {
          throw Untranslatable("template", "WireMock has no blocks in the structure of JSON")
        }
        return try JSONValue.string(name).canonicalText + ":" + json(value)
      }
      return "{" + texts.joined(separator: ",") + "}"
    default: return value.canonicalText
    }
  }

  /// A text with placeholders; three braces, because WireMock escapes for HTML otherwise.
  static func text(_ text: String) throws -> String {
    guard Template.isTemplate(text) else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.range(of: "{{") {
      result += rest[..<open.lowerBound]
      let isEscaped = result.hasSuffix("\\")
      rest = rest[open.upperBound...]
      let isTriple = rest.hasPrefix("{")
      if isTriple { rest.removeFirst() }
      guard let end = end(ofTag: rest, isTriple: isTriple) else {
        throw Untranslatable("template", "a placeholder has no end")
      }
      let content = String(rest[..<end])
      rest = rest[end...].dropFirst(isTriple ? 3 : 2)
      if isEscaped {
        result += "{{\(content)}}"
      } else {
        result += try tag(content)
      }
    }
    return result + rest
  }

  private static func end(ofTag text: Substring, isTriple: Bool) -> String.Index? {
    if text.hasPrefix("!--") {
      return text.range(of: "--}}").map { text.index($0.lowerBound, offsetBy: 2) }
    }
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if text[index...].hasPrefix(isTriple ? "}}}" : "}}") {
        return index
      }
      index = text.index(after: index)
    }
    return nil
  }

  private static func tag(_ content: String) throws -> String {
    let text = content.trimmingCharacters(in: .whitespaces)
    guard !content.contains("~") else {
      throw Untranslatable("template", "{{\(content)}} trims white space")
    }
    if text.hasPrefix("!") { return "" }
    if text == "baseURL" { return "{{{request.baseUrl}}}" }
    if text == "request.absoluteUrl" { return "{{{request.baseUrl}}}{{{request.url}}}" }
    if text.hasPrefix("/") || text == "else" { return "{{\(text)}}" }
    if text.hasPrefix("#") {
      return "{{#" + (try WireMockExpressionWriter.written(String(text.dropFirst()))) + "}}"
    }
    if text.hasPrefix("else ") {
      return "{{else " + (try WireMockExpressionWriter.written(String(text.dropFirst(5)))) + "}}"
    }
    return "{{{" + (try WireMockExpressionWriter.written(text)) + "}}}"
  }
}

/// Writes the expression of a placeholder.
enum WireMockExpressionWriter {
  /// Functions and values that WireMock lacks; it has all others under the same names.
  private static let unknown: Set<String> = [
    "counter", "captured", "capturedAll", "merge", "split", "answer",
  ]

  fileprivate enum Token {
    case word(String)
    case string(String)
    case mark(Character)
    case space
  }

  static func written(_ text: String) throws -> String {
    let tokens = try tokens(of: text)
    var result = ""
    var isHead = true
    var endings: [String] = [""]
    for (index, token) in tokens.enumerated() {
      switch token {
      case .space: result += " "
      case .string(let text): result += text
      case .mark("("):
        result += "("
        endings.append("")
        isHead = true
        continue
      case .mark(")"): result += (endings.popLast() ?? "") + ")"
      case .mark(let mark): result.append(mark)
      case .word(let word):
        let isAlone = index == tokens.count - 1 && index == 0
        let isName = index + 1 < tokens.count && tokens[index + 1].isEquals
        if isName {
          result += word
        } else if isHead, !word.contains(".") {
          let (name, ending) = try function(word)
          result += name
          if !endings.isEmpty { endings[endings.count - 1] = ending }
        } else {
          result += try path(word, isAlone: isAlone)
        }
      }
      if case .space = token {} else { isHead = false }
    }
    return result + (endings.first ?? "")
  }

  /// What a function is called there, and what its call ends in.
  private static func function(_ name: String) throws -> (String, String) {
    switch name {
    case "json": return ("toJson", "")
    case "uuid": return ("randomValue type='UUID'", "")
    case "default": return ("defaultIfEmpty", "")
    case "concat": return ("join", " ''")
    case _ where unknown.contains(name):
      throw Untranslatable("template", "{{\(name)}} has no counterpart")
    default: return (name, "")
    }
  }

  /// A path of the request as WireMock has it; other paths are those of loops.
  private static func path(_ word: String, isAlone: Bool) throws -> String {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let first = parts.first, unknown.contains(first) {
      throw Untranslatable("template", "{{\(word)}} has no counterpart")
    }
    if word == "baseURL" { return "request.baseUrl" }
    guard parts.first == "request", parts.count > 1 else { return word }
    guard !parts.contains("first"), !parts.contains("last"), parts[1] != "absoluteUrl" else {
      throw Untranslatable("template", "{{\(word)}} has no counterpart")
    }
    switch parts[1] {
    case "json":
      let query = try parts.dropFirst(2).reduce("$") { query, part in
        if Int(part) != nil { return query + "[\(part)]" }
        guard part.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
          throw Untranslatable("template", "{{\(word)}} has no counterpart")
        }
        return query + "." + part
      }
      let call = "jsonPath request.body '\(query)'"
      return isAlone ? call : "(\(call))"
    case "path" where parts.count == 3 && Int(parts[2]) != nil:
      return "request.pathSegments.[\(parts[2])]"
    default:
      return parts.map { Int($0) == nil ? $0 : "[\($0)]" }.joined(separator: ".")
    }
  }

  private static func tokens(of text: String) throws -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let character = rest.first {
      if character == "'" || character == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: character) else {
          throw Untranslatable("template", "a text has no end")
        }
        let inner = String(rest[rest.index(after: rest.startIndex)..<end])
        let quote: Character = inner.contains("'") ? "\"" : "'"
        tokens.append(.string("\(quote)\(inner)\(quote)"))
        rest = rest[rest.index(after: end)...]
      } else if character.isWhitespace {
        rest = rest.drop(while: \.isWhitespace)
        tokens.append(.space)
      } else if "()=|".contains(character) {
        tokens.append(.mark(character))
        rest.removeFirst()
      } else {
        let word = rest.prefix { !$0.isWhitespace && !"()=|'\"".contains($0) }
        tokens.append(.word(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return tokens
  }
}

extension WireMockExpressionWriter.Token {
  fileprivate var isEquals: Bool { if case .mark("=") = self { true } else { false } }
}
