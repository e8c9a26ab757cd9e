internal import Foundation
internal import StubDBJSON
internal import StubDBTemplates

/// Decides whether a response is a template, and writes its placeholders as stubdb does.
enum WireMockTemplates {
  static func settle(
    _ response: SourceValue, _ document: inout [String: JSONValue], _ options: ImportOptions
  ) {
    let transformers = response["transformers"]?.elements.compactMap(\.text) ?? []
    let parameters = response["transformerParameters"]?.json
    let isDeclared = transformers.contains("response-template")
    for name in transformers where name != "response-template" {
      response["transformers"]?.drop(.script, "The transformer \(name) is not applied")
    }
    guard options.usesTemplates != false else { return }
    let parts = ["json", "text", "headers"]
    guard parts.contains(where: { document[$0]?.hasPlaceholder ?? false }) else { return }
    var translated = document
    for part in parts {
      translated[part] = document[part]?.mappingTexts { rewritten($0, parameters) }
    }
    let isKnown = parts.allSatisfy { translated[$0]?.isTemplate ?? true }
    if isKnown {
      translated["template"] = true
      document = translated
      if !isDeclared {
        response.tree.log.add(
          .changed, .template, at: response,
          "No transformer is named; the placeholders are filled in, as with --global-response-templating"
        )
      }
    } else if isDeclared || options.usesTemplates == true {
      response.tree.log.add(
        .dropped, .template, at: response,
        "Placeholders that stubdb does not know were left as text")
    } else {
      response.tree.log.add(
        .changed, .template, at: response, "Braces that are no placeholders were left as text")
    }
  }

  private static func rewritten(_ text: String, _ parameters: JSONValue?) -> String {
    var text = text.replacingOccurrences(of: "request.requestLine.", with: "request.")
    if case .object(let members) = parameters {
      for (name, value) in members {
        let plain = if case .string(let text) = value { text } else { value.canonicalText }
        for form in ["{{parameters.\(name)}}", "{{{parameters.\(name)}}}"] {
          text = text.replacingOccurrences(of: form, with: plain)
        }
      }
    }
    return text
  }
}

extension JSONValue {
  /// Whether any text, or any name of a member, has two braces.
  fileprivate var hasPlaceholder: Bool {
    switch self {
    case .string(let text): Template.isTemplate(text)
    case .array(let elements): elements.contains { $0.hasPlaceholder }
    case .object(let members):
      members.contains { Template.isTemplate($0.key) || $0.value.hasPlaceholder }
    case .null, .bool, .number: false
    }
  }

  /// Whether every text is a template that stubdb knows.
  fileprivate var isTemplate: Bool {
    switch self {
    case .string(let text): !Template.isTemplate(text) || (try? Template(text)) != nil
    case .array(let elements): elements.allSatisfy { $0.isTemplate }
    case .object(let members):
      members.allSatisfy { !Template.isTemplate($0.key) && $0.value.isTemplate }
    case .null, .bool, .number: true
    }
  }
}
