internal import Foundation
internal import StubDBJSON
internal import StubDBTemplates

/// Writes the placeholders of other tools' responses as stubdb does.
enum TemplateTranslation {
  /// Translates content and header fields, each placeholder by itself.
  ///
  /// - Throws: ``Unanswerable`` for one that has no counterpart, unless it may stay as text.
  static func apply(
    to document: inout [String: JSONValue], at value: SourceValue, isLenient: Bool,
    placeholder: (String) -> String?
  ) throws {
    do {
      var translated = document
      var isTemplate = false
      for part in ["json", "text", "headers"] {
        translated[part] = try document[part]?.mappingTexts { text in
          guard text.contains("{{") else { return text }
          isTemplate = true
          return try self.text(text, placeholder)
        }
      }
      guard isTemplate else { return }
      translated["template"] = true
      document = translated
    } catch let error as Unanswerable where isLenient && error.id == .template {
      value.tree.log.add(.dropped, .template, at: value, "\(error.reason); left as text")
    }
  }

  private static func text(_ text: String, _ placeholder: (String) -> String?) throws -> String {
    let translated = try text.replacing(#/\{\{\{\s*([^{}]*?)\s*\}\}\}|\{\{~?\s*(.*?)\s*~?\}\}/#) {
      match in
      guard let text = placeholder(String(match.1 ?? match.2 ?? "")) else {
        throw Unanswerable("\(match.0.prefix(80)) is not a template function", id: .template)
      }
      return text
    }
    guard (try? Template(translated)) != nil else {
      throw Unanswerable("its template cannot be read", id: .template)
    }
    return translated
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

extension JSONValue {
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
