import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBTemplates

/// A compiled capture.
struct CompiledCapture: Sendable {
  private enum Source: Sendable {
    case query(CompiledQuery<JSONPath>)
    case path([String])
    case template(Template)
    case nothing
  }

  private let name: Template
  /// The name as written in the document.
  private let written: String
  private let source: Source

  init(
    _ capture: Capture, path: PlaceholderPath?, needs: inout CompiledNeeds
  ) throws(CompileError) {
    written = capture.name
    name = try needs.template(capture.name)
    let text = capture.source.text.string
    switch capture.source.kind {
    case .jsonPath:
      do throws(CompileError) {
        source = .query(CompiledQuery(try needs.query(text)))
      } catch {
        throw error.inside("jsonPath")
      }
    case .pathParameter:
      guard path?.segments.contains(.placeholder(text[...])) == true else {
        throw CompileError(
          code: .invalidPattern,
          reason: "the path has no placeholder {\(text)}; add it to the path",
          path: ["pathParameter"])
      }
      source = .path(["request", "path", text])
    case .query: source = .path(["request", "query", text])
    case .header: source = .path(["request", "headers", text])
    case .cookie: source = .path(["request", "cookies", text])
    case .template:
      do throws(CompileError) {
        source = .template(try needs.template(text))
      } catch {
        throw error.inside("template")
      }
    case .nothing: source = .nothing
    }
  }

  /// Keeps or removes the value; nothing changes if the request does not have it.
  func carryOut(
    _ renderer: inout TemplateRenderer, in environment: AnswerEnvironment
  ) throws(RenderingError) {
    do throws(TemplateError) {
      let name = try renderer.text(name)
      if case .nothing = source {
        try environment.keep(nil, as: name)
      } else if let value = try value(&renderer, environment) {
        try environment.keep(value, as: name)
      }
    } catch {
      throw RenderingError(message: "capture \(TextExcerpt.quoted(written)): \(error)")
    }
  }

  private func value(
    _ renderer: inout TemplateRenderer, _ environment: AnswerEnvironment
  ) throws(TemplateError) -> JSONValue? {
    switch source {
    case .query(let query):
      switch environment.request.body.selection(of: query) {
      case .value(let selection):
        let values = selection.values
        return values.count > 1 ? .array(values) : values.first
      case .unknown(let reason):
        guard case .value = environment.request.body.json else { return nil }
        throw TemplateError(message: reason, place: TemplatePlace.start)
      case .empty, .malformed: return nil
      }
    case .path(let path):
      return environment.value(at: path).map { value in
        if case .list(let values) = value { JSONValue(values[0]) } else { JSONValue(value) }
      }
    case .template(let template):
      if let call = template.soleJSON { return JSONValue(try renderer.value(call)) }
      return .string(try renderer.text(template))
    case .nothing:
      return nil
    }
  }
}
