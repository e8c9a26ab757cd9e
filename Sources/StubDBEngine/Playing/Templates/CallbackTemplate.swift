import Foundation
import HTTPTypes
import StubDBModel
import StubDBTemplates

/// The request of a callback with placeholders, which are filled in for each answer.
struct CallbackTemplate: Sendable {
  private let url: Template
  private let headers: HeaderTemplates
  private let body: BodyTemplate?

  init(_ callback: ResponseCallback, needs: inout CompiledNeeds) throws(CompileError) {
    url = try CompileError.placed("url") { () throws(CompileError) in
      try needs.template(callback.url)
    }
    headers = try HeaderTemplates(callback.headers, needs: &needs)
    if let body = callback.body {
      self.body = try CompileError.placed(body.kind.rawValue) { () throws(CompileError) in
        try BodyTemplate(body, body.bytes ?? Data(), needs: &needs)
      }
    } else {
      body = nil
    }
  }

  /// The callback with its placeholders filled in.
  func filled(
    _ callback: ResponseCallback, _ renderer: inout TemplateRenderer
  ) throws(RenderingError) -> ResponseCallback {
    var filled = callback
    do throws(TemplateError) {
      filled.url = try renderer.text(url)
      filled.body = try body?.body(&renderer)
    } catch {
      throw RenderingError(message: "callback: \(error)")
    }
    if let problem = ResponseCallback.problem(ofURL: filled.url) {
      throw RenderingError(message: "callback: \(TextExcerpt.quoted(filled.url)) \(problem)")
    }
    filled.headers = try headers.filled(&renderer)
    filled.isTemplate = false
    return filled
  }
}

/// Header fields with placeholders in their values.
struct HeaderTemplates: Sendable {
  private var fields: [(name: HTTPField.Name, value: Template)] = []

  init(_ headers: HTTPFields, needs: inout CompiledNeeds) throws(CompileError) {
    for field in headers {
      fields.append(
        try CompileError.placed("headers", field.name.rawName) { () throws(CompileError) in
          (field.name, try needs.template(field.value))
        })
    }
  }

  /// The fields with their placeholders filled in.
  func filled(_ renderer: inout TemplateRenderer) throws(RenderingError) -> HTTPFields {
    var headers: HTTPFields = [:]
    for (name, value) in fields {
      let text: String
      do throws(TemplateError) {
        text = try renderer.text(value)
      } catch {
        throw RenderingError(message: "header \(name.rawName): \(error)")
      }
      guard HTTPField.isValidValue(text) else {
        throw RenderingError(
          message: "header \(name.rawName): \(TextExcerpt.quoted(text)) is not a value that a "
            + "header field may have")
      }
      headers.append(HTTPField(name: name, value: text))
    }
    return headers
  }
}

extension CompileError {
  /// Adds a place to the error of a closure.
  static func placed<Value>(
    _ tokens: String..., read: () throws(CompileError) -> Value
  ) throws(CompileError) -> Value {
    do throws(CompileError) {
      return try read()
    } catch {
      throw tokens.reversed().reduce(error) { $0.inside($1) }
    }
  }
}
