#if os(Linux)
  import Foundation
  import StubDB
  import StubDBDocuments
  import StubDBTestSupport
  import StubDBTesting
  import StubDBTestingRecording
  import StubDBValidation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Test runs whose requests a real server answers, compared with the description that the catalog keeps.
  @Suite struct ValidatedTestRunTests {
    private static let description = """
      {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
       "paths": {"/orders": {"post": {"requestBody": {"required": true, "content": {"application/json": {
         "schema": {"type": "object", "properties": {"count": {"type": "integer"}}}}}}}}}}
      """

    /// The variable with what a request asks for.
    fileprivate static let order = "STUBDB_TESTED_ORDER"

    /// What a request with a text in place of the number violates.
    private static let violation =
      "POST /orders /body/count: string, must be integer (api.json#/paths/~1orders/post)"

    /// Gives a catalog that keeps the description, and a server that takes all orders.
    private func withShop(_ body: (URL, URL, LoopbackServer) throws -> Void) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("shop.stubdb")
        _ = try Catalog.create(at: file)
        try Data(Self.description.utf8).write(to: folder.appendingPathComponent("api.json"))
        let kept = try TestedClient.stubdb("check", "--openapi", "api.json", "--keep", in: folder)
        #expect(kept.code == 0, "\(kept.text)")
        let server = try LoopbackServer { _ in "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n" }
        try body(folder, file, server)
      }
    }

    private func write(_ exceptions: String, in folder: URL) throws {
      try Data(exceptions.utf8).write(to: folder.appendingPathComponent(".stubdb-verify.json"))
    }

    @Test(arguments: ["1", #""two""#]) func requestsThatAreRecordedCount(order: String) throws {
      try withShop { folder, file, server in
        let isRight = order == "1"
        let recorded = try TestedClient.test(
          "TestedOrderTests/recorded", file, server.url(""), [Self.order: order])
        #expect((recorded.code == 0) == isRight, "\(recorded.text)")
        #expect(recorded.text.contains(Self.violation) == !isRight, "\(recorded.text)")
        #expect(server.requests.count == 1)
        // It is recorded all the same, and what plays it is checked as well.
        let taken = try TestedClient.stubdb("review", "--accept-all", "--failed", in: folder)
        #expect(taken.code == 0, "\(taken.text)")
        let replayed = try TestedClient.test(
          "TestedOrderTests/recorded", file, server.url(""), [Self.order: order, "CI": "1"])
        #expect((replayed.code == 0) == isRight, "\(replayed.text)")
        #expect(replayed.text.contains(Self.violation) == !isRight, "\(replayed.text)")
        #expect(server.requests.count == 1)
      }
    }

    @Test(arguments: ["recorded", "passedOnByThePolicy", "passedOnByAStub"])
    func theExceptionsOfTheTeamCountForRequestsOfTheNetwork(test: String) throws {
      try withShop { folder, file, server in
        let catalog = try Catalog(contentsOf: file)
        try catalog.edit { editor in
          for (scenario, path) in [("network", "/orders"), ("other", "/others")] {
            let document = """
              {"scenario": "client/\(scenario)", "stubs": [{"key": "order",
                "request": {"method": "POST", "path": "\(path)"}, "responses": [{"passthrough": true}]}]}
              """
            try editor.insert(ScenarioDocument.decode(Data(document.utf8)))
          }
        }
        func run() throws -> (code: Int32, text: String) {
          try TestedClient.test("TestedOrderTests/\(test)", file, server.url(""))
        }
        try write(#"{"ignore": [{"pointer": "/body/other", "reason": "not this"}]}"#, in: folder)
        let failed = try run()
        #expect(failed.code != 0)
        #expect(failed.text.contains(Self.violation), "\(failed.text)")
        let exception = #"{"id": "request-body", "pointer": "/body/count", "reason": "old app"}"#
        try write(#"{"ignore": [\#(exception)]}"#, in: folder)
        let passed = try run()
        #expect(passed.code == 0, "\(passed.text)")
        #expect(!passed.text.contains(Self.violation))
        #expect(server.requests.count == 2)
        try write("{", in: folder)
        let unread = try run()
        #expect(unread.code != 0)
        #expect(unread.text.contains("No request can be checked: "), "\(unread.text)")
        #expect(unread.text.contains(".stubdb-verify.json"), "\(unread.text)")
      }
    }
  }

  /// The tests that another process runs; without its environment they do nothing.
  @Suite(.enabled(if: TestedClient.catalog != nil), .catalog(TestedClient.catalog ?? "none"))
  struct TestedOrderTests {
    private func order() async throws {
      let count =
        ProcessInfo.processInfo.environment[ValidatedTestRunTests.order]
        ?? "\"two\""
      var request = URLRequest(url: try #require(URL(string: TestedClient.server + "/orders")))
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"count": \#(count)}"#.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      let (_, response) = try await URLSession.stubbed.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
    }

    @Test(
      .scenario("client/orders", options: .init(validatesRequests: true), record: .newEpisodes))
    func recorded() async throws { try await order() }

    @Test(
      .scenario(
        "client/other", options: .init(unmatched: .passthrough, validatesRequests: true)))
    func passedOnByThePolicy() async throws { try await order() }

    @Test(
      .scenario(
        "client/network", options: .init(allowsPassthrough: true, validatesRequests: true)))
    func passedOnByAStub() async throws { try await order() }
  }
#endif
