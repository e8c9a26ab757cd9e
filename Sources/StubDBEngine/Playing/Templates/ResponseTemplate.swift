import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBTemplates

/// A response with placeholders, which are filled in for each answer.
struct ResponseTemplate: Sendable {
  private var status: Template?
  private var headers: HeaderTemplates
  private var body: BodyTemplate?
  private var pieces: [BodyTemplate] = []
  /// The messages of a WebSocket, by the index of their frame.
  private var messages: [Int: BodyTemplate] = [:]

  /// Compiles a response; `data` returns the bytes of a body that was left in its catalog.
  init(
    _ response: StubResponse, needs: inout CompiledNeeds,
    data: (ResponseBody) throws -> Data
  ) throws(CompileError) {
    status = try CompileError.placed("status") { () throws(CompileError) in
      try response.statusTemplate.map { (text) throws(CompileError) in try needs.template(text) }
    }
    headers = try HeaderTemplates(response.headers, needs: &needs)
    if let body = response.body {
      self.body = try CompileError.placed(body.kind.rawValue) { () throws(CompileError) in
        try BodyTemplate(body, Self.bytes(of: body, data), needs: &needs)
      }
    }
    for (index, frame) in (response.webSocket?.frames ?? []).enumerated() {
      guard case .send(let body, _) = frame.kind else { continue }
      messages[index] =
        try CompileError.placed("webSocket", "frames", String(index), "send", body.kind.rawValue) {
          () throws(CompileError) in
          try BodyTemplate(body, Self.bytes(of: body, data), needs: &needs)
        }
    }
    guard case .pieces(let pieces) = response.chunks?.kind else { return }
    for (index, piece) in pieces.enumerated() {
      self.pieces.append(
        try CompileError.placed("chunks", String(index), piece.body.kind.rawValue) {
          () throws(CompileError) in
          try BodyTemplate(piece.body, Self.bytes(of: piece.body, data), needs: &needs)
        })
    }
  }

  static func bytes(
    of body: ResponseBody, _ data: (ResponseBody) throws -> Data
  ) throws(CompileError) -> Data {
    do {
      return try data(body)
    } catch {
      throw CompileError(
        code: .unreadableBody, reason: "the content cannot be read: \(error)", path: [])
    }
  }

  /// The response with its placeholders filled in.
  func filled(
    _ response: StubResponse, _ renderer: inout TemplateRenderer
  ) throws(RenderingError) -> StubResponse {
    var filled = response
    if let status {
      filled.status = try code(status, &renderer)
    }
    filled.headers = try headers.filled(&renderer)
    do throws(TemplateError) {
      filled.body = try body?.body(&renderer)
      if case .pieces(var chunks) = response.chunks?.kind {
        for index in chunks.indices { chunks[index].body = try pieces[index].body(&renderer) }
        filled.chunks = .pieces(chunks)
      }
      if !messages.isEmpty { filled.webSocket = try script(response.webSocket, &renderer) }
    } catch {
      throw RenderingError(message: "content: \(error)")
    }
    return filled
  }

  private func script(
    _ script: WebSocketScript?, _ renderer: inout TemplateRenderer
  ) throws(TemplateError) -> WebSocketScript? {
    guard var script else { return nil }
    for index in script.frames.indices {
      guard case .send(_, let after) = script.frames[index].kind, let message = messages[index]
      else { continue }
      script.frames[index] = .send(try message.body(&renderer), after: after)
    }
    return script
  }

  private func code(
    _ template: Template, _ renderer: inout TemplateRenderer
  ) throws(RenderingError) -> Int {
    let text: String
    do throws(TemplateError) {
      text = try renderer.text(template).trimmingCharacters(in: .whitespaces)
    } catch {
      throw RenderingError(message: "status: \(error)")
    }
    guard let code = Int(text), StubResponse.finalStatuses.contains(code) else {
      throw RenderingError(
        message: "status: \(TextExcerpt.quoted(text)) is not a status code from 200 to 999")
    }
    return code
  }
}

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

/// Reports why the templates of an answer could not be filled in, with the part of the stub.
package struct RenderingError: Error {
  var message: String

  /// The error for the client.
  package static let code = -1

  /// The error for the client.
  func error(of event: ServeEvent) -> ResponseError {
    ResponseError(
      domain: "StubDB", code: Self.code,
      userInfo: ["NSLocalizedDescription": .string(text(of: event))])
  }

  /// The problem for verification.
  func problem(of event: ServeEvent, in scenario: ScenarioName) -> VerificationProblem {
    VerificationProblem(
      kind: .failedTemplate, message: text(of: event), scenario: event.scenario ?? scenario,
      stubKey: event.stubKey, request: event.request)
  }

  private func text(of event: ServeEvent) -> String {
    let stub = "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario?.rawValue ?? "")\""
    let request = "\(event.request.method) \(TextExcerpt.plain(event.request.url))"
    return "The template of \(stub) cannot be filled in for \(request): \(message)"
  }
}
