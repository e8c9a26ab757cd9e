#if Server
import Foundation
import NIOHTTP1
import StubDBJSON
import StubDBPlayback
import StubDBSupport
import Testing

@testable import StubDBServer

/// `openapi.json` and the table of routes say the same; other tests hold each answer against it.
@Suite struct AdminDescriptionTests {
  /// A route as both sides can say it.
  private struct Row: Hashable, CustomStringConvertible {
    var route: String
    var placeholders: [String]
    /// Nil if the route takes whatever it likes.
    var query: Set<String>?
    var takesContent: Bool
    var isOpen: Bool

    var description: String {
      "\(route) \(placeholders) \(query?.sorted() ?? []) \(takesContent) \(isOpen)"
    }
  }

  /// The page is no part of the API.
  private static let routes = AdminAPI.routes.filter { route in
    !AdminAPI.pageRoutes.contains { $0.path == route.path }
  }

  @Test func itHasTheRoutesOfTheTableAndNoOther() throws {
    let described = try AdminDescription().operations.map { operation in
      Row(
        route: "\(operation.method) /\(operation.path.joined(separator: "/"))",
        placeholders: operation.names(of: "path"), query: Set(operation.names(of: "query")),
        takesContent: operation.value["requestBody"] != nil,
        isOpen: operation.value["security"] == [])
    }
    let rows = Self.routes.map { route in
      var row = Row(
        route: "\(route.method) /\(route.path.joined(separator: "/"))",
        placeholders: route.path.filter { $0.hasPrefix("{") }.map {
          String($0.dropFirst().dropLast())
        },
        query: [], takesContent: false, isOpen: route.access == .open)
      switch route.input {
      case .query(let names): row.query = Set(names)
      case .content: row.takesContent = true
      case .anything: row.query = nil
      }
      return row
    }
    let lenient = Set(rows.filter { $0.query == nil }.map(\.route))
    let compared = described.map { row in
      var row = row
      if lenient.contains(row.route) { row.query = nil }
      return row
    }
    #expect(Set(rows).subtracting(compared).map(\.description).sorted() == [])
    #expect(Set(compared).subtracting(rows).map(\.description).sorted() == [])
    #expect(rows.count == Set(rows.map(\.route)).count && rows.count > 40)
  }

  /// What a handler answers is in the description alone: other tests compare each answer with it.
  @Test func everyRouteSaysWhatIsRefusedBeforeItsHandlerRuns() throws {
    let operations = try AdminDescription().operations
    for route in Self.routes {
      var statuses: Set = [403]
      if route.access != .open { statuses.insert(401) }
      switch route.input {
      case .query: statuses.insert(400)
      case .content: statuses.formUnion([400, 415, 422])
      case .anything: break
      }
      let described = operations.first { $0.method == route.method && $0.path == route.path }
      let responses = try #require(described?.responses, "\(route.path)")
      #expect(statuses.isSubset(of: responses.keys), "\(route.method) \(route.path)")
      #expect(responses.keys.contains { $0 < 400 }, "\(route.method) \(route.path)")
    }
  }

  @Test func itIsTheFileAndIsServed() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let file = root.appendingPathComponent("Sources/StubDBServer/Admin/openapi.json")
    #expect(
      try String(contentsOf: file, encoding: .utf8) == OpenAPIDocument.text,
      "run scripts/embed-files")
    let server = try TestServer(GuardTests.document)
    let served = try server.ask("GET", "/__stubdb/openapi.json")
    #expect(served.status == 200 && served.text == OpenAPIDocument.text)
    #expect(served.text("/openapi") == "3.1.0")
  }

  @Test func allReferencesLeadSomewhereAndAllComponentsAreUsed() throws {
    let document = try AdminDescription().document
    var used: Set<String> = []
    func walk(_ value: JSONValue) {
      if let text = value["$ref"]?.text { used.insert(text) }
      for child in value.members.values { walk(child) }
      for child in value.elements { walk(child) }
    }
    walk(document)
    let components = ["parameters", "responses", "schemas"].flatMap { kind in
      (document["components"]?[kind]?.members ?? [:]).keys.map { "#/components/\(kind)/\($0)" }
    }
    #expect(Set(components) == used)
  }

  @Test func onlyAClientOnTheSameMachineEndsTheServer() throws {
    let ends = Locked(0)
    let api = AdminAPI(
      SessionTable(
        catalog: nil, given: nil, playing: PlaybackOptions(), rules: [], options: ServerOptions()),
      access: AdminGuard(AdminOptions(), host: "127.0.0.1"), AdminOptions(), metrics: Metrics(),
      connections: ConnectionTable(), shutdown: { ends.withLock { $0 += 1 } })
    func status(isFromLoopback: Bool) -> Int? {
      var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/__stubdb/shutdown")
      head.headers.add(name: "Host", value: "localhost")
      let request = AdminRequest(head, Data(), isFromLoopback: isFromLoopback)
      guard case .whole(let answer, _) = api.answer(request) else { return nil }
      return answer.status
    }
    #expect(status(isFromLoopback: false) == 403 && ends.withLock { $0 } == 0)
    #expect(status(isFromLoopback: true) == 202 && ends.withLock { $0 } == 1)
    // A server that nobody can end says so, too.
    #expect(try TestServer(GuardTests.document).ask("POST", "/__stubdb/shutdown").status == 403)
  }

  @Test(arguments: [
    ("GET", "/__stubdb/version?a=1", "the route has no parameter"),
    ("GET", "/__stubdb/sessions/default/journal?matched=yes", "matched is true or false"),
    ("GET", "/__stubdb/sessions/default/journal?limt=5", "it has after, before, limit, matched"),
    ("POST", "/__stubdb/sessions?scenario=shop", "it has none"),
  ])
  func aParameterThatIsNotKnownIsRefused(method: String, path: String, detail: String) throws {
    let server = try TestServer(GuardTests.document)
    let result = try server.ask(method, path)
    #expect(result.status == 400 && result.text("type") == "urn:stubdb:problem:invalid-parameter")
    #expect(result.text("detail").lowercased().contains(detail.lowercased()), "\(result)")
  }
}
#endif
