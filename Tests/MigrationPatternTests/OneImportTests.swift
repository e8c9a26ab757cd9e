import Foundation
import StubDB
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// That this file compiles with one import of ours is half of the test: its target has MemberImportVisibility, as a user's
/// may have, so that members must come with their types.
@Suite struct OneImportTests {
  private func scenario() throws -> Scenario {
    let name = try #require(ScenarioName("orders/created"))
    let charge = Stub(
      key: "order",
      request: RequestPattern(
        methods: [.post], path: .template("/v1/orders"),
        headers: [HeaderPattern(.authorization, .matches("Bearer .+"))],
        body: [.matchesJSONPath("$.amount"), .form([])]),
      responses: [.json(["id": "o_1"], status: 201, headers: [.location: "/v1/orders/o_1"])],
      then: .cycle)
    return Scenario(name: name, stubs: [charge])
  }

  @Test func aCatalogIsWrittenReadAndPlayed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let scenario = try scenario()
    try catalog.edit { (editor: inout CatalogEditor) in try editor.insert(scenario) }
    #expect(try catalog.scenarios().map(\.stubCount) == [1])
    #expect(try catalog.scenario(named: scenario.name) == scenario)
    let options = PlaybackOptions(pace: .instant, unmatched: .respond(404))
    let interceptor = try StubInterceptor("orders/created", in: catalog, options: options)
    #expect(interceptor.scenario.stubCount == 1)
    try interceptor.verify()
    do throws(CatalogError) {
      _ = try StubInterceptor("orders/none", in: catalog)
      Issue.record("a scenario that the catalog lacks was loaded")
    } catch {
      #expect(error.code == .noSuchScenario)
    }
  }

  @Test func closuresSeeMethodsHeaderFieldsAndContent() async throws {
    let interceptor = StubInterceptor()
    let registration: ClosureRegistration = try interceptor.stub(.post, "/v1/orders/{id}") {
      (request: StubRequest) -> StubResponse? in
      #expect(request.headers["Content-Type"] == "application/json")
      #expect(request.headers[.contentType] == request.headers["content-type"])
      let order: [String: Int] = try request.decoded()
      return try .json(encoding: order, status: order["amount"] == 7 ? 201 : 400)
    }
    var sent = URLRequest(url: try #require(URL(string: "https://api.test/v1/orders/1")))
    sent.httpMethod = "POST"
    sent.setValue("application/json", forHTTPHeaderField: "Content-Type")
    sent.httpBody = Data(#"{"amount":7}"#.utf8)
    let (content, _) = try await interceptor.urlSession().data(for: sent)
    #expect(String(decoding: content, as: UTF8.self) == #"{"amount":7}"#)
    let events: [ServeEvent] = interceptor.journal
    #expect(events.map(\.isMatched) == [true])
    #expect(try interceptor.requests(to: "/v1/orders/{id}", method: .post).count == 1)
    try interceptor.expect(count: 1, matching: RequestPattern(method: .post, url: "/v1/orders/1"))
    registration.remove()
  }
}
