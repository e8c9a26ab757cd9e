internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBTemplates

/// Writes the placeholders of other tools' responses as stubdb does.
enum TemplateTranslation {
  /// Translates content and header fields, each placeholder by itself.
  ///
  /// - Throws: ``Unanswerable`` for one that has no counterpart, unless it may stay as text.
  static func apply(
    to response: inout StubResponse, at value: SourceValue, isLenient: Bool,
    placeholder: (String) -> String?
  ) throws {
    do {
      guard response.texts.hasText(where: { $0.contains("{{") }) else { return }
      response = try response.mappingTexts { text in
        text.contains("{{") ? try self.text(text, placeholder) : text
      }
      response.isTemplate = true
    } catch let error as Unanswerable where isLenient && error.id == .template {
      value.note(.dropped, .template, "\(error.reason); left as text")
    }
  }

  private static func text(_ text: String, _ placeholder: (String) -> String?) throws -> String {
    var translated = ""
    var rest = text.utf8[...]
    while let open = rest.firstRange(of: "{{".utf8) {
      translated += Substring(rest[..<open.lowerBound])
      rest = rest[open.lowerBound...]
      guard let found = first(in: rest) else {
        // What does not end in its line is text. The whole line is, or its braces would be looked at again and again.
        let line = rest.prefix { !isLineEnd($0) }
        translated += Substring(line)
        rest = rest[line.endIndex...]
        continue
      }
      guard let text = placeholder(found.inside) else {
        let whole = Substring(rest[..<found.end]).prefix(80)
        throw Unanswerable("\(whole) is not a template function", id: .template)
      }
      translated += text
      rest = rest[found.end...]
    }
    translated += Substring(rest)
    do throws(TemplateError) {
      _ = try Template(translated)
    } catch {
      throw Unanswerable("its template cannot be read: \(error)", id: .template)
    }
    return translated
  }

  /// What stands in the braces that a text begins with, and where they end; nil if that is not in the same line.
  private static func first(
    in text: Substring.UTF8View
  ) -> (inside: String, end: String.Index)? {
    let brace = UInt8(ascii: "}")
    let start = text.index(text.startIndex, offsetBy: 2)
    var place = start
    while place < text.endIndex, !isLineEnd(text[place]) {
      let next = text.index(after: place)
      guard text[place] == brace, next < text.endIndex, text[next] == brace else {
        place = next
        continue
      }
      let end = text.index(after: next)
      let inside = Substring(text[start..<place])
      if inside.first == "{", end < text.endIndex, text[end] == brace,
        !inside.dropFirst().contains(where: { "{}".contains($0) })
      {
        return (trimmed(inside.dropFirst()), text.index(after: end))
      }
      let bare = inside.first == "~" ? inside.dropFirst() : inside
      return (trimmed(bare.last == "~" ? bare.dropLast() : bare), end)
    }
    return nil
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }

  /// Words at spaces; texts in quotes are one, in single quotes; what is in parentheses is one.
  static func words(_ text: Substring) -> [String] {
    text.matches(of: #/\((?:[^()'"]|'[^']*'|"[^"]*")*\)|'[^']*'|"[^"]*"|[^\s'"()]+/#).map { match in
      match.output.hasPrefix("\"")
        ? "'\(match.output.dropFirst().dropLast().replacing("'", with: "\\'"))'"
        : String(match.output)
    }
  }
}

extension StubResponse {
  /// The content, as JSON or a text, and the values of the header fields.
  var texts: JSONValue { .array([content ?? .null] + headers.map { .string($0.value) }) }

  /// The content as JSON, or as a text; nil for bytes and for none.
  var content: JSONValue? {
    guard let body, let bytes = body.bytes, body.kind != .base64 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return body.kind == .json ? try? JSONValue(parsing: text) : .string(text)
  }

  /// The response with every text of its content and its header fields changed.
  func mappingTexts(_ transform: (String) throws -> String) rethrows -> StubResponse {
    var response = self
    response.headers = HTTPFields(
      try headers.map { HTTPField(name: $0.name, value: try transform($0.value)) })
    if let content { response.setContent(try content.mappingTexts(transform)) }
    return response
  }

  /// Gives the content another value of its kind.
  mutating func setContent(_ value: JSONValue) {
    if case .string(let text) = value, body?.kind == .text {
      body = .text(text)
    } else {
      body = .json(value)
    }
  }
}

extension JSONValue {
  /// Whether any text satisfies a condition, or any name of a member if those count.
  func hasText(orName isNameCounted: Bool = false, where isWanted: (String) -> Bool) -> Bool {
    switch self {
    case .string(let text): isWanted(text)
    case .array(let elements):
      elements.contains { $0.hasText(orName: isNameCounted, where: isWanted) }
    case .object(let members):
      members.contains {
        isNameCounted && isWanted($0.key)
          || $0.value.hasText(orName: isNameCounted, where: isWanted)
      }
    case .null, .bool, .number: false
    }
  }

  /// The value with every text changed.
  func mappingTexts(_ transform: (String) throws -> String) rethrows -> JSONValue {
    switch self {
    case .string(let text): .string(try transform(text))
    case .array(let elements): .array(try elements.map { try $0.mappingTexts(transform) })
    case .object(let members):
      .object(try members.mapValues { try $0.mappingTexts(transform) })
    case .null, .bool, .number: self
    }
  }
}
