internal import Foundation
internal import StubDBModel

/// Translates the texts of matchers: literal or an expression, also negated or optional.
///
/// A text matches what is equal to it, ignoring case, and what it matches as a regular expression.
final class MockServerTexts {
  /// Whether a text is compared with its case, which the report says once.
  private(set) var hasNarrowed = false

  /// The pattern of a text, or of an object with `value`, `not`, `optional` and `schema`.
  func pattern(_ value: SourceValue) throws -> ValuePattern {
    if let text = value.text { return try pattern(text) }
    guard value.isObject else { throw Untranslatable("a text", "it is \(value.typeName)") }
    value.ignore("parameterStyle")
    var pattern: ValuePattern
    let text = value["value"]?.text
    if let schema = value.given("schema") {
      pattern = try self.schema(schema)
    } else if let text {
      pattern = try self.pattern(text)
    } else {
      throw Untranslatable("a text", "it has no value")
    }
    if value.flag("not") {
      guard let text else {
        throw Untranslatable("a schema", "a negated one would match more here")
      }
      pattern = try negated(text)
    }
    return value.flag("optional") ? pattern.orAbsent : pattern
  }

  /// The pattern of a text that may begin with `!` for not, or `?` for optional.
  private func pattern(_ text: String) throws -> ValuePattern {
    if text.hasPrefix("!") { return try negated(String(text.dropFirst())) }
    if text.hasPrefix("?"), text.count > 1 {
      return try pattern(String(text.dropFirst())).orAbsent
    }
    return plain(text)
  }

  /// The pattern of what a text does not match: ignoring case, and as an expression whether it looks like one or not.
  private func negated(_ text: String) throws -> ValuePattern {
    guard !text.hasPrefix("!"), !text.hasPrefix("?") else {
      throw Untranslatable("a text", "it is negated and marked again")
    }
    let literal = ForeignExpression.quoted(text)
    var refused: [String] = text.contains(".") && !Self.isExpression(text) ? [] : [literal]
    if text != literal, ForeignExpression.isValid(text) { refused.append(text) }
    let patterns = (refused.isEmpty ? [literal] : refused).map { expression in
      ValuePattern.matches("(?i)(?:\(expression))")
    }
    return .not(patterns.count == 1 ? patterns[0] : .or(patterns))
  }

  /// Whether a value is negated, so that a value that is absent must not match.
  static func isNegated(_ value: SourceValue) -> Bool {
    value.peekedText?.hasPrefix("!") ?? (value.isObject && value["not"]?.bool == true)
  }

  /// Whether a value matches every text.
  static func isAnything(_ value: SourceValue) -> Bool {
    guard let text = value.peekedText else { return false }
    return text == ".*" || text.allSatisfy(\.isWhitespace)
  }

  /// Whether no value of a request can be two of these.
  static func excludeEachOther(_ values: [SourceValue]) -> Bool {
    let texts = values.map { $0.peekedText?.lowercased() ?? "!" }
    return Set(texts).count == texts.count
      && texts.allSatisfy {
        !isExpression($0) && !$0.hasPrefix("!") && !$0.contains(".")
          && !$0.allSatisfy(\.isWhitespace)
      }
  }

  /// The pattern of a text without a mark.
  func plain(_ text: String) -> ValuePattern {
    guard Self.isExpression(text) else {
      if text.contains(where: \.isLetter) { hasNarrowed = true }
      return .equalTo(text)
    }
    guard (try? NSRegularExpression(pattern: text)) != nil else { return .equalTo(text) }
    // `a+json` is meant as it is written, and as an expression it does not match itself.
    let isClear = text.contains { "\\*[|^{".contains($0) } || text.contains(".+")
    return isClear ? .matches(text) : .or([.equalTo(text), .matches(text)])
  }

  /// Whether a text has characters that mean something in an expression; a dot alone is literal.
  static func isExpression(_ text: String) -> Bool {
    text.contains { "\\*[]|^{}+?()$".contains($0) }
  }

  /// The parts of a schema that a text can be compared with.
  private func schema(_ schema: SourceValue) throws -> ValuePattern {
    let patterns: [ValuePattern] = try schema.members.map { name, value in
      switch name {
      case "pattern":
        return .matches(try ForeignExpression(value.text ?? "", .singleLine).anywhere())
      case "enum": return .or(value.elements.compactMap { $0.text.map { .equalTo($0) } })
      case "type":
        switch value.text {
        case "string": return .anyText
        case "integer": return .matches("-?[0-9]+")
        case "boolean": return .matches("true|false")
        default: throw Untranslatable("a schema of a text")
        }
      default: throw Untranslatable("a schema of a text", "\(name) has no counterpart")
      }
    }
    guard !patterns.isEmpty else { throw Untranslatable("a schema of a text") }
    return .all(patterns)
  }
}
