import Foundation
import StubDBModel
import StubDBTemplates

/// What answering takes beyond the response itself: templates, captures, and kept values that patterns ask for.
///
/// Most stubs have none of it.
struct CompiledAnswer: Sendable {
  /// The templates of the responses, by their place.
  private(set) var templates: [Int: ResponseTemplate] = [:]
  /// What is kept of a request; those with a plain name first, so that others can use them.
  private(set) var captures: [CompiledCapture] = []
  /// The names of kept values that patterns ask for, with their templates.
  private(set) var names: [String: Template] = [:]
  /// The queries of all templates.
  private(set) var queries = CompiledQueries()
  /// The counters that a response uses, by its place; those of the captures are in each.
  private(set) var counters: [Int: Set<String>] = [:]

  /// Compiles what a stub has of it; nil for nothing.
  init?(
    _ stub: borrowing Stub, path: PathTemplate?, data: (ResponseBody) throws -> Data
  ) throws(Refusal) {
    for index in stub.responses.indices where stub.responses[index].isTemplate {
      do throws(Refusal) {
        var needs = CompiledNeeds()
        templates[index] = try ResponseTemplate(stub.responses[index], needs: &needs, data: data)
        queries.merge(needs.queries)
        counters[index] = needs.counters
      } catch {
        throw error.inside("responses", String(index))
      }
    }
    var needs = CompiledNeeds()
    let (plain, templated) = (
      stub.captures.filter { !Template.isTemplate($0.name) },
      stub.captures.filter { Template.isTemplate($0.name) }
    )
    for capture in plain + templated {
      do throws(Refusal) {
        captures.append(try CompiledCapture(capture, path: path, needs: &needs))
      } catch {
        throw error.inside("capture", capture.name)
      }
    }
    try addNames(of: stub.request, &needs)
    queries.merge(needs.queries)
    if !needs.counters.isEmpty {
      for index in stub.responses.indices {
        counters[index, default: []].formUnion(needs.counters)
      }
    }
    if templates.isEmpty, captures.isEmpty, names.isEmpty { return nil }
  }

  private mutating func addNames(
    of request: borrowing RequestPattern, _ needs: inout CompiledNeeds
  ) throws(Refusal) {
    try addNames(of: request.pathParameters, in: "pathParameters", &needs)
    try addNames(of: request.query, in: "query", &needs)
    try addNames(of: request.headers, in: "headers", &needs)
    try addNames(of: request.cookies, in: "cookies", &needs)
    for named in request.captured {
      try add([named.name] + named.pattern.capturedNames, &needs, ["captured", named.name])
    }
    if let host = request.host { try add(host.capturedNames, &needs, ["host"]) }
    if case .value(let path) = request.path { try add(path.capturedNames, &needs, ["path"]) }
    for body in request.body { try add(body.capturedNames, &needs, ["body"]) }
  }

  private mutating func addNames(
    of patterns: [NamedPattern], in part: String, _ needs: inout CompiledNeeds
  ) throws(Refusal) {
    for named in patterns {
      let names = named.pattern.capturedNames
      if !names.isEmpty { try add(names, &needs, [part, named.name]) }
    }
  }

  private mutating func add(
    _ texts: [String], _ needs: inout CompiledNeeds, _ place: [String]
  ) throws(Refusal) {
    for text in texts where names[text] == nil {
      do throws(Refusal) {
        names[text] = try needs.template(text)
      } catch {
        throw place.reversed().reduce(error) { $0.inside($1) }.inside("request")
      }
    }
  }

  /// The texts of the kept values that the patterns ask for, as one request sees them.
  ///
  /// A name that cannot be made is one under which nothing is kept.
  func captured(
    from values: CapturedValues, for request: PreparedRequest, path: PathTemplate?
  ) -> [String: String] {
    let environment = AnswerEnvironment(
      request: request, path: path, queries: queries, now: Date(), captured: values,
      generator: SeededGenerator(seed: 0))
    var renderer = TemplateRenderer(environment)
    var texts: [String: String] = [:]
    for (written, template) in names {
      guard let name = try? renderer.text(template), let value = values[name] else { continue }
      texts[written] = value.selectedText
    }
    return texts
  }
}

extension ValuePattern {
  /// The names of kept values that the pattern compares with.
  fileprivate var capturedNames: [String] {
    switch self {
    case .equalToCaptured(let name): [name]
    case .and(let patterns), .or(let patterns), .hasExactly(let patterns),
      .includes(let patterns):
      patterns.flatMap(\.capturedNames)
    case .not(let pattern): pattern.capturedNames
    default: []
    }
  }
}

extension BodyPattern {
  fileprivate var capturedNames: [String] {
    switch self {
    case .value(let pattern): pattern.capturedNames
    case .and(let patterns), .or(let patterns): patterns.flatMap(\.capturedNames)
    case .not(let pattern): pattern.capturedNames
    case .matchesJSONPath(_, let operand): operand?.capturedNames ?? []
    case .form(let fields): fields.flatMap(\.pattern.capturedNames)
    case .multipart(let parts):
      parts.flatMap { part in
        (part.filename?.capturedNames ?? []) + part.headers.flatMap(\.pattern.capturedNames)
          + part.body.flatMap(\.capturedNames)
      }
    case .matchesXPath(let path): path.value?.capturedNames ?? []
    default: []
    }
  }
}
