internal import Foundation
package import StubDBModel
internal import StubDBTemplates

/// What a stub's answer needs besides the response: templates, captures, and kept values that patterns compare with.
///
/// Most stubs need nothing of this.
struct CompiledAnswer: Sendable {
  /// The templates of the responses, by index.
  private var templates: [Int: ResponseTemplate] = [:]
  /// The templates of callbacks, by the index of their response and then by their own.
  private var callbacks: [Int: [Int: CallbackTemplate]] = [:]
  /// What the frames of WebSockets expect, by the index of the response.
  private(set) var frames: [Int: CompiledFrames] = [:]
  /// The captures; those with literal names come first, so that others can use their values.
  private(set) var captures: [CompiledCapture] = []
  /// The names of kept values that patterns compare with.
  private(set) var names: [CapturedName] = []
  /// The queries of all templates.
  private(set) var queries = CompiledQueries()
  /// The counters that each response uses, by index; captures have their own.
  private(set) var counters: [Int: Set<String>] = [:]

  /// Compiles these parts of a stub.
  init(
    _ stub: borrowing Stub, path: PlaceholderPath?, names: [CapturedName], needs: CompiledNeeds,
    data: (ResponseBody) throws -> Data
  ) throws(CompileError) {
    self.names = names
    for index in stub.responses.indices where stub.responses[index].hasTemplates {
      do throws(CompileError) {
        var needs = CompiledNeeds()
        if stub.responses[index].isTemplate {
          templates[index] = try ResponseTemplate(stub.responses[index], needs: &needs, data: data)
        }
        callbacks[index] = try Self.callbacks(of: stub.responses[index], &needs)
        queries.merge(needs.queries)
        counters[index] = needs.counters
      } catch {
        throw error.inside("responses", String(index))
      }
    }
    for index in stub.responses.indices {
      guard let script = stub.responses[index].webSocket else { continue }
      do throws(CompileError) {
        var needs = CompiledNeeds()
        frames[index] = try CompiledFrames(script, &needs)
        queries.merge(needs.queries)
      } catch {
        throw error.inside("responses", String(index))
      }
    }
    try addCaptures(of: stub, path, needs)
  }

  private mutating func addCaptures(
    of stub: borrowing Stub, _ path: PlaceholderPath?, _ needs: CompiledNeeds
  ) throws(CompileError) {
    var needs = needs
    let (plain, templated) = (
      stub.captures.filter { !Template.isTemplate($0.name) },
      stub.captures.filter { Template.isTemplate($0.name) }
    )
    for capture in plain + templated {
      do throws(CompileError) {
        captures.append(try CompiledCapture(capture, path: path, needs: &needs))
      } catch {
        throw error.inside("capture", capture.name)
      }
    }
    queries.merge(needs.queries)
    if !needs.counters.isEmpty {
      for index in stub.responses.indices {
        counters[index, default: []].formUnion(needs.counters)
      }
    }
  }

  private static func callbacks(
    of response: StubResponse, _ needs: inout CompiledNeeds
  ) throws(CompileError) -> [Int: CallbackTemplate]? {
    guard response.callbacks.contains(where: \.isTemplate) else { return nil }
    var templates: [Int: CallbackTemplate] = [:]
    for (index, callback) in response.callbacks.enumerated() where callback.isTemplate {
      templates[index] = try CompileError.placed("callbacks", String(index), "request") {
        () throws(CompileError) in try CallbackTemplate(callback, needs: &needs)
      }
    }
    return templates
  }

  /// Whether a response has placeholders to fill in.
  func hasTemplates(ofResponse index: Int) -> Bool {
    templates[index] != nil || callbacks[index] != nil
  }

  /// A response with the placeholders filled in, also those of its callbacks.
  func filled(
    _ response: StubResponse, at index: Int, _ renderer: inout TemplateRenderer
  ) throws(RenderingError) -> StubResponse {
    var filled = try templates[index]?.filled(response, &renderer) ?? response
    for (place, template) in (callbacks[index] ?? [:]).sorted(by: { $0.key < $1.key }) {
      filled.callbacks[place] = try template.filled(response.callbacks[place], &renderer)
    }
    return filled
  }

  /// The kept values that the patterns compare with, in the order of the names; nil for names without a value.
  ///
  /// If the template of a name fails, there is no value under it.
  func captured(
    from values: CapturedValues, for request: PreparedRequest, path: PlaceholderPath?
  ) -> [String?] {
    captured(names, from: values, for: request, path: path)
  }

  /// The same for names that the frames of a WebSocket compare with.
  func captured(
    _ names: [CapturedName], from values: CapturedValues, for request: PreparedRequest,
    path: PlaceholderPath?
  ) -> [String?] {
    if names.isEmpty { return [] }
    let environment = AnswerEnvironment(
      request: request, path: path, queries: queries, now: request.context.arrival,
      captured: values, generator: SeededGenerator(seed: 0))
    return request.context.rendering(environment) { renderer in
      names.map { name in
        (try? renderer.text(name.template)).flatMap { values[$0] }?.selectedText
      }
    }
  }
}

extension StubResponse {
  /// Whether the response or one of its callbacks has placeholders to fill in.
  package var hasTemplates: Bool { isTemplate || callbacks.contains(where: \.isTemplate) }
}

/// What the frames of a WebSocket expect, ready to be compared with messages.
struct CompiledFrames: Sendable {
  /// The patterns of the frames that expect a message, by their index in the script.
  let patterns: [Int: [any CompiledBody]]
  /// The names of kept values that the patterns compare with.
  let names: [CapturedName]

  /// Compiles the expectations of a script.
  ///
  /// - Throws: An error whose place is relative to the response.
  init(_ script: WebSocketScript, _ needs: inout CompiledNeeds) throws(CompileError) {
    var compiler = PatternCompiler()
    var compiled: [Int: [any CompiledBody]] = [:]
    for (index, frame) in script.frames.enumerated() {
      guard case .expect(let expected, _) = frame.kind else { continue }
      do throws(CompileError) {
        compiled[index] = try compiler.bodyList(expected, under: "expect")
      } catch {
        throw error.inside("webSocket", "frames", String(index))
      }
    }
    patterns = compiled
    names = compiler.names
    needs.merge(compiler.needs)
  }
}
