internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBTemplates

/// Decides whether a response is a template, and writes its placeholders as stubdb does.
enum WireMockTemplates {
  static func settle(
    _ value: SourceValue, _ response: inout StubResponse, _ options: ImportOptions
  ) {
    let transformers = value["transformers"]?.elements.compactMap(\.text) ?? []
    let parameters = value["transformerParameters"]?.json
    let isDeclared = transformers.contains("response-template")
    for name in transformers where name != "response-template" {
      value["transformers"]?.drop(.script, "The transformer \(name) is not applied")
    }
    guard options.usesTemplates != false,
      response.texts.hasText(orName: true, where: Template.isTemplate)
    else { return }
    let translated = response.mappingTexts { rewritten($0, parameters) }
    if translated.texts.isTemplate {
      response = translated
      response.isTemplate = true
      if !isDeclared {
        value.note(
          .changed, .template,
          "No transformer is named; the placeholders are filled in, as with --global-response-templating"
        )
      }
    } else if isDeclared || options.usesTemplates == true {
      value.note(.dropped, .template, "Placeholders that stubdb does not know were left as text")
    } else {
      value.note(.changed, .template, "Braces that are no placeholders were left as text")
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
