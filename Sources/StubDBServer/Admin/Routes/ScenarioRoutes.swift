#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing

extension AdminAPI {
  static let scenarioRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb/scenarios", takes: .query(["prefix", "tag"])) { api, request in
      let tags = request.query["tag"].map { [$0] } ?? []
      let scenarios = try api.catalog.listedScenarios(prefix: request.query["prefix"], tags: tags)
      return .json(.array(scenarios.map(\.json)))
    },
    AdminRoute("GET", "__stubdb/scenarios/{name}") { api, request in
      let scenario = try api.catalog.scenario(named: try name(request))
      return .document(ScenarioDocument.encode(scenario), for: request)
    },
    AdminRoute(
      "PUT", "__stubdb/scenarios/{name}", .changingCatalog, takes: .content
    ) { api, request in
      let name = try name(request)
      let condition = try WriteCondition(request)
      let scenario: CheckedScenario
      do {
        scenario = try document(request, of: name)
      } catch {
        // A condition that does not hold counts more than what is wrong with the content.
        // https://www.rfc-editor.org/rfc/rfc9110#section-13.2.1
        try condition.check(api.current(name).map(ScenarioDocument.encode))
        throw error
      }
      let isNew = try api.catalog.edit { editor in
        let current = try editor.scenario(named: name)
        try condition.check(current.map(ScenarioDocument.encode))
        try write(.scenario(scenario), to: &editor, of: api.catalog, request)
        return current == nil
      }
      return .document(ScenarioDocument.encode(scenario.scenario), status: isNew ? 201 : 200)
    },
    AdminRoute("DELETE", "__stubdb/scenarios/{name}", .changingCatalog) { api, request in
      let name = try name(request)
      let condition = try WriteCondition(request)
      try api.catalog.edit { editor in
        guard let current = try editor.scenario(named: name) else {
          throw noSuchScenario(name)
        }
        try condition.check(ScenarioDocument.encode(current))
        try editor.removeScenario(name)
      }
      return .nothing()
    },
    AdminRoute("GET", "__stubdb/scenarios/{name}/stubs/{key}") { api, request in
      let scenario = try api.catalog.scenario(named: try name(request))
      guard let stub = scenario.stubs.first(where: { $0.key == key(request) })
      else { throw noSuchStub(request) }
      return .document(ScenarioDocument.encode(stub), for: request)
    },
    AdminRoute(
      "PUT", "__stubdb/scenarios/{name}/stubs/{key}", .changingCatalog, takes: .content
    ) { api, request in
      let name = try name(request)
      let condition = try WriteCondition(request)
      let stub: CheckedStub
      do {
        stub = try AdminAPI.stub(request)
      } catch {
        guard let current = try api.current(name) else { throw noSuchScenario(name) }
        let before = current.stubs.first { $0.key == key(request) }
        try condition.check(before.map(ScenarioDocument.encode))
        throw error
      }
      let isNew = try api.catalog.edit { editor in
        guard let current = try editor.scenario(named: name) else { throw noSuchScenario(name) }
        let before = current.stubs.first { $0.key == key(request) }
        try condition.check(before.map(ScenarioDocument.encode))
        try write(.stubs([stub], name), to: &editor, of: api.catalog, request)
        return before == nil
      }
      return .document(ScenarioDocument.encode(stub.stub), status: isNew ? 201 : 200)
    },
    AdminRoute("DELETE", "__stubdb/scenarios/{name}/stubs/{key}", .changingCatalog) {
      api, request in
      let name = try name(request)
      let condition = try WriteCondition(request)
      try api.catalog.edit { editor in
        guard let current = try editor.scenario(named: name) else { throw noSuchScenario(name) }
        guard let before = current.stubs.first(where: { $0.key == key(request) })
        else { throw noSuchStub(request) }
        try condition.check(ScenarioDocument.encode(before))
        try editor.removeStub(before.key, from: name)
      }
      return .nothing()
    },
    AdminRoute("POST", "__stubdb/match", takes: .content) { api, request in
      let question = try request.object(
        "what to match", ["scenario", "overlays", "document", "request"]
      ) {
        (object) throws(DocumentError) in
        try MatchQuestion(object)
      }
      let scenario = try api.loaded(question)
      let player = Player(
        scenario, options: PlaybackOptions(pace: .instant, allowsPassthrough: true))
      var asked = question.request
      asked.url = scenario.url(of: asked.url)
      return .json(try PlayedAnswer(to: asked, from: player).json)
    },
  ]

  /// The catalog.
  ///
  /// - Throws: An ``AdminProblem`` if there is none.
  fileprivate var catalog: Catalog {
    get throws {
      if let catalog = sessions.catalog { return catalog }
      throw AdminProblem(
        404, "no-catalog", "No catalog", "This server plays a scenario that is in no catalog.")
    }
  }

  /// A scenario of the catalog; nil if it has none of the name.
  fileprivate func current(_ name: ScenarioName) throws -> Scenario? {
    let catalog = try catalog
    do throws(CatalogError) {
      return try catalog.scenario(named: name)
    } catch {
      if error.code == .noSuchScenario { return nil }
      throw error
    }
  }

  private func loaded(_ question: MatchQuestion) throws -> LoadedScenario {
    switch question.subject {
    case .name(let name, let overlays): return try catalog.load(name, overlays: overlays)
    case .document(let scenario):
      let included = try sessions.catalog?.included(by: scenario) ?? []
      do throws(EngineError) {
        return try LoadedScenario(scenario, including: included)
      } catch {
        var problem = AdminProblem(
          422, "refused-document", "The document is refused", error.message)
        let tokens = ["document"] + (error.pointer?.tokens ?? [])
        problem.members["pointer"] = .string(JSONPointer(tokens).description)
        throw problem
      }
    }
  }

  private static func name(_ request: AdminRequest) throws -> ScenarioName {
    guard let name = ScenarioName(request.parameters[0]) else {
      throw AdminProblem(
        404, "no-such-scenario", "No such scenario",
        "\"\(request.parameters[0])\" is not the name of a scenario, such as checkout/paid.")
    }
    return name
  }

  /// The document of a request for a scenario.
  private static func document(
    _ request: AdminRequest, of name: ScenarioName
  ) throws -> CheckedScenario {
    let checked = try CheckedScenario(request.content)
    let scenario = checked.scenario
    guard scenario.name == name else {
      throw AdminProblem(
        422, "refused-document", "The document is refused",
        "The document is of the scenario \"\(scenario.name)\", and the route is of \"\(name)\".",
        ["pointer": "/scenario"])
    }
    return checked
  }

  private static func stub(_ request: AdminRequest) throws -> CheckedStub {
    guard case .stubs(let stubs) = try CheckedContent(request.content),
      stubs.count == 1, stubs[0].stub.key == key(request)
    else {
      throw AdminProblem(
        422, "refused-document", "The document is refused",
        "Send one stub whose key is \"\(request.parameters[1])\".", ["pointer": "/key"])
    }
    return stubs[0]
  }

  /// Writes by the rules of `stubdb add`, which replaces what exists here, and refuses secrets unless a header allows them.
  private static func write(
    _ addition: Addition, to editor: inout CatalogEditor, of catalog: Catalog,
    _ request: AdminRequest
  ) throws {
    let allowsSecrets = request.headers.first(name: "stubdb-allow-secrets")?.lowercased() == "true"
    do {
      _ = try AdditionEditor.apply(
        [addition], to: &editor, of: catalog,
        .init(replaces: true, refusesSecrets: !allowsSecrets))
    } catch let refusal as EditRefusal {
      let isStub = if case .stubs = addition { true } else { false }
      throw AdminProblem(refusal, isStub: isStub, text: request.content)
    }
  }

  private static func key(_ request: AdminRequest) -> Stub.Key {
    Stub.Key(unchecked: request.parameters[1])
  }

  private static func noSuchScenario(_ name: ScenarioName) -> AdminProblem {
    AdminProblem(
      404, "no-such-scenario", "No such scenario",
      "The catalog has no scenario \"\(name)\".")
  }

  private static func noSuchStub(_ request: AdminRequest) -> AdminProblem {
    AdminProblem(
      404, "no-such-stub", "No such stub",
      "The scenario \"\(request.parameters[0])\" has no stub \"\(request.parameters[1])\".")
  }
}

extension AdminAnswer {
  /// A document with its entity tag, or 304 for a client that has it.
  fileprivate static func document(_ text: String, for request: AdminRequest) -> AdminAnswer {
    let tag = WriteCondition.tag(of: text)
    return request.knows(tag) ? .unchanged(tag) : document(text)
  }

  /// A document with its entity tag.
  fileprivate static func document(_ text: String, status: Int = 200) -> AdminAnswer {
    content(
      Data(text.utf8), status: status, type: "application/json",
      [.eTag: WriteCondition.tag(of: text)])
  }
}
#endif
