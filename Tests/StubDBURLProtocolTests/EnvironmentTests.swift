import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBTestSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct EnvironmentTests {
  private func withCatalog(_ body: (String) async throws -> Void) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("app.stubdb"))
    try catalog.edit { editor in
      for (name, text) in [("app/start", "base"), ("app/other", "other")] {
        try editor.insert(
          Scenario(
            name: try #require(ScenarioName(name)),
            stubs: [
              Stub(
                key: "a", request: RequestPattern(url: "/v1/things"), responses: [.text(text)]),
              Stub(
                key: Stub.Key(unchecked: text), request: RequestPattern(url: "/\(text)"),
                responses: [.text(text)]),
            ]))
      }
    }
    try await body(catalog.url.path)
  }

  @Test func catalogAndScenarioComeFromTheEnvironment() async throws {
    try await withCatalog { path in
      let interceptor = try #require(
        try StubInterceptor.fromEnvironment([
          "STUBDB_CATALOG": path, "STUBDB_SCENARIO": "app/start", "STUBDB_PACE": "instant",
          "STUBDB_UNMATCHED": "404",
        ]))
      #expect(try await Exchange.async.send(try request(), through: interceptor).text == "base")
      let missing = try request("GET", "https://h.test/nowhere")
      #expect(try await Exchange.async.send(missing, through: interceptor).status == 404)
    }
  }

  @Test func theSettingsOfTheCatalogCountForWhatIsNotSet() async throws {
    try await withCatalog { path in
      let settings = #"{"defaults": {"pace": "instant", "unmatched": 404, "requiresStubs": true}}"#
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try Data(settings.utf8).write(to: folder.appendingPathComponent(".stubdb-settings.json"))
      let app = ["STUBDB_CATALOG": path, "STUBDB_SCENARIO": "app/start"]
      let open = try #require(try StubInterceptor.fromEnvironment(app))
      #expect(open.options.pace == .instant && open.options.unmatched == .respond(404))
      #expect(open.options.requiresStubs)
      let set = try #require(
        try StubInterceptor.fromEnvironment(
          app.merging(["STUBDB_PACE": "0.5", "STUBDB_UNMATCHED": "fail"]) { $1 }))
      #expect(set.options.pace == .scaled(0.5) && set.options.unmatched == .fail)
    }
  }

  @Test func anEnvironmentThatAsksForNothingGivesNothing() throws {
    #expect(try StubInterceptor.fromEnvironment([:]) === nil)
    #expect(
      try StubInterceptor.fromEnvironment(["STUBDB_CATALOG": "", "STUBDB_SCENARIO": ""]) === nil)
  }

  @Test(arguments: [
    (["STUBDB_CATALOG": "x.stubdb"], "STUBDB_SCENARIO"),
    (["STUBDB_SCENARIO": "a/b"], "STUBDB_CATALOG"),
    (["STUBDB_CATALOG": "x", "STUBDB_SCENARIO": "a/b", "STUBDB_PACE": "fast"], "STUBDB_PACE"),
    (
      ["STUBDB_CATALOG": "x", "STUBDB_SCENARIO": "a/b", "STUBDB_UNMATCHED": "9"], "STUBDB_UNMATCHED"
    ),
  ])
  func whatCannotBeUnderstoodIsNamed(environment: [String: String], variable: String) async throws {
    try await withCatalog { path in
      var environment = environment
      if environment["STUBDB_CATALOG"] != nil { environment["STUBDB_CATALOG"] = path }
      let error = #expect(throws: EnvironmentError.self) {
        try StubInterceptor.fromEnvironment(environment)
      }
      #expect(error?.variable == variable)
      #expect(error?.description.contains(variable) == true)
    }
  }

  @Test func aCatalogOrScenarioThatDoesNotExistIsNamed() async throws {
    try await withCatalog { path in
      let errors = [(path, "app/none"), (path + ".none", "app/start")].map { path, scenario in
        #expect(throws: EnvironmentError.self) {
          try StubInterceptor.fromEnvironment([
            "STUBDB_CATALOG": path, "STUBDB_SCENARIO": scenario,
          ])
        }
      }
      #expect(errors.map { $0?.variable } == ["STUBDB_SCENARIO", "STUBDB_CATALOG"])
      #expect(errors.first??.description.contains("app/none") == true)
      #expect(errors.last??.description.contains(path + ".none") == true)
    }
  }

  @Test func overlaysAnswerFirst() async throws {
    try await withCatalog { path in
      let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
      let interceptor = try StubInterceptor(
        "app/start", in: catalog, options: .init(overlays: ["app/other"]))
      #expect(interceptor.scenario.name.rawValue == "app/start")
      #expect(try await Exchange.async.send(try request(), through: interceptor).text == "other")
      let below = try request("GET", "https://h.test/base")
      #expect(try await Exchange.async.send(below, through: interceptor).text == "base")
      #expect(interceptor.journal.map(\.scenario?.rawValue) == ["app/other", "app/start"])
      #expect(throws: CatalogError.self) {
        try StubInterceptor("app/start", in: catalog, options: .init(overlays: ["app/none"]))
      }
    }
  }
}
