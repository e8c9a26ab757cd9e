import Foundation
import HTTPTypes
import StubDBModel
import StubDBTemplates

/// A response with placeholders, which are filled in for each answer.
struct ResponseTemplate: Sendable {
  private var status: Template?
  private var headers: [(name: HTTPField.Name, value: Template)] = []
  private var body: BodyTemplate?
  private var pieces: [BodyTemplate] = []

  /// Compiles a response; `data` returns the bytes of a body that was left in its catalog.
  init(
    _ response: StubResponse, needs: inout CompiledNeeds,
    data: (ResponseBody) throws -> Data
  ) throws(CompileError) {
    status = try Self.placed("status") { () throws(CompileError) in
      try response.statusTemplate.map { (text) throws(CompileError) in try needs.template(text) }
    }
    for field in response.headers {
      headers.append(
        try Self.placed("headers", field.name.rawName) { () throws(CompileError) in
          (field.name, try needs.template(field.value))
        })
    }
    if let body = response.body {
      self.body = try Self.placed(body.kind.rawValue) { () throws(CompileError) in
        try BodyTemplate(body, Self.bytes(of: body, data), needs: &needs)
      }
    }
    guard case .pieces(let pieces) = response.chunks else { return }
    for (index, piece) in pieces.enumerated() {
      self.pieces.append(
        try Self.placed("chunks", String(index), piece.body.kind.rawValue) {
          () throws(CompileError) in
          try BodyTemplate(piece.body, Self.bytes(of: piece.body, data), needs: &needs)
        })
    }
  }

  private static func placed<Value>(
    _ tokens: String..., read: () throws(CompileError) -> Value
  ) throws(CompileError) -> Value {
    do throws(CompileError) {
      return try read()
    } catch {
      throw tokens.reversed().reduce(error) { $0.inside($1) }
    }
  }

  private static func bytes(
    of body: ResponseBody, _ data: (ResponseBody) throws -> Data
  ) throws(CompileError) -> Data {
    do {
      return try data(body)
    } catch {
      throw CompileError(
        code: .unreadableBody, reason: "the template cannot be read: \(error)", path: [])
    }
  }

  /// The response with its placeholders filled in.
  func filled(
    _ response: StubResponse, _ renderer: inout TemplateRenderer
  ) throws(TemplateFailure) -> StubResponse {
    var filled = response
    if let status {
      filled.status = try code(status, &renderer)
    }
    filled.headers = [:]
    for (name, value) in headers {
      let text = try part("header \(name.rawName)", value, &renderer)
      guard HTTPField.isValidValue(text) else {
        throw TemplateFailure(
          message: "header \(name.rawName): \(TextExcerpt.quoted(text)) is not a value that a "
            + "header field may have")
      }
      filled.headers.append(HTTPField(name: name, value: text))
    }
    do throws(TemplateError) {
      filled.body = try body?.body(&renderer)
      if case .pieces(var chunks) = response.chunks {
        for index in chunks.indices { chunks[index].body = try pieces[index].body(&renderer) }
        filled.chunks = .pieces(chunks)
      }
    } catch {
      throw TemplateFailure(message: "content: \(error)")
    }
    return filled
  }

  private func part(
    _ name: String, _ template: Template, _ renderer: inout TemplateRenderer
  ) throws(TemplateFailure) -> String {
    do throws(TemplateError) {
      return try renderer.text(template)
    } catch {
      throw TemplateFailure(message: "\(name): \(error)")
    }
  }

  private func code(
    _ template: Template, _ renderer: inout TemplateRenderer
  ) throws(TemplateFailure) -> Int {
    let text = try part("status", template, &renderer).trimmingCharacters(in: .whitespaces)
    guard let code = Int(text), (100...999).contains(code) else {
      throw TemplateFailure(
        message: "status: \(TextExcerpt.quoted(text)) is not a status code from 100 to 999")
    }
    return code
  }
}
