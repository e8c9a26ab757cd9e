import Foundation
import StubDBJSON
import StubDBModel
import StubDBTemplates

/// Content with placeholders.
enum BodyTemplate: Sendable {
  /// Content without placeholders, such as bytes.
  case constant(ResponseBody)
  case text(Template)
  case json(JSONTemplate)

  /// Compiles content; the place of an error is relative to its key.
  init(_ body: ResponseBody, _ data: Data, needs: inout CompiledNeeds) throws(CompileError) {
    switch body.kind {
    case .base64:
      self = .constant(body)
    case .text:
      self = .text(try needs.template(String(decoding: data, as: UTF8.self)))
    case .json:
      guard let value = try? JSONValue(parsing: data) else {
        throw CompileError(code: .invalidTemplate, reason: "the content is not JSON", path: [])
      }
      self = .json(try JSONTemplate(value, needs: &needs))
    }
  }

  func body(_ renderer: inout TemplateRenderer) throws(TemplateError) -> ResponseBody {
    switch self {
    case .constant(let body): body
    case .text(let template): .text(try renderer.text(template))
    case .json(let template): .json(try template.member(&renderer) ?? .null)
    }
  }
}
