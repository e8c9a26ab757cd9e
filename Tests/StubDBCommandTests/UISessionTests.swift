#if Server
  import Foundation
  import StubDBCatalog
  import StubDBTestSupport
  import Testing
  import XCTest

  @testable import StubDBUITesting

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sessions that tests of other processes start, with a real server.
  struct UISessionTests {
    /// Sends a request to a session as an app does, and returns the status.
    static func status(
      _ session: StubSession, _ method: String, _ path: String, _ content: String = ""
    ) async throws -> Int? {
      var request = URLRequest(url: session.baseURL.appendingPathComponent(path))
      request.httpMethod = method
      if !content.isEmpty { request.httpBody = Data(content.utf8) }
      return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
    }

    @Test func aSessionPlaysItsScenarioAndReportsItsProblems() async throws {
      let box = try Sandbox.shop()
      let server = try PageServer("stubdb serve --catalog shop.stubdb", in: box)
      let session = try await StubSession.start(
        "checkout/paid", name: "a test", server: StubServerAddress(server.origin + "/"))
      #expect(try await Self.status(session, "POST", "v1/charges", #"{"amount": 1200}"#) == 402)
      #expect(try await session.verify("POST /v1/charges", count: 1).isEmpty)
      #expect(try await session.verify("POST /v1/charges", count: 2).count == 1)
      try await session.reset()
      #expect(try await Self.status(session, "POST", "v1/charges", #"{"amount": 1200}"#) == 402)
      #expect(try await Self.status(session, "POST", "v1/charge") == 404)
      let problems = try await session.end()
      #expect(problems.map(\.kind) == ["unmatchedRequest"])
      #expect(problems[0].message.contains("POST https://api.shop.test/v1/charge"))
      await #expect {
        try await session.end()
      } throws: { error in
        (error as? StubSessionError)?.code == .refused && "\(error)".contains(session.id)
      }
    }

    @Test func anotherScenarioIsPlayedAtTheSameAddress() async throws {
      let box = try Sandbox.shop()
      let flow = """
        {"scenario": "orders/flow", "stubs": [
          {"key": "asked", "request": {"url": "/v1/order"}, "flow": {"name": "the order", "requires": "started"},
           "responses": [{"status": 202}]},
          {"key": "paid", "request": {"url": "/v1/order"}, "flow": {"name": "the order", "requires": "paid"},
           "responses": [{"status": 200}]}]}
        """
      try box.write("flow.json", flow)
      #expect(try box.run("add", "--file", "flow.json").code == 0)
      let gone = StubServerAddress(
        try PageServer("stubdb serve --catalog shop.stubdb", in: box).origin)
      let server = try PageServer("stubdb serve --catalog shop.stubdb", in: box)
      let session = try await StubSession.start(
        "checkout/paid", server: StubServerAddress(server.origin))
      try await session.play("orders/flow")
      #expect(try await Self.status(session, "GET", "v1/order") == 202)
      try await session.setFlow("the order", to: "paid")
      #expect(try await Self.status(session, "GET", "v1/order") == 200)
      await #expect {
        try await session.play("orders/none")
      } throws: {
        "\($0)".contains("orders/none")
      }
      #expect(try await session.end().isEmpty)
      await #expect {
        try await StubSession.start("checkout/paid", server: gone)
      } throws: { error in
        (error as? StubSessionError)?.code == .noServer
          && "\(error)".contains("stubdb serve --catalog CATALOG.stubdb --port ")
      }
    }

    @Test func thePageShowsTheNameOfTheTestAndATokenIsSent() async throws {
      let box = try Sandbox.shop()
      let server = try PageServer(
        "stubdb serve --catalog shop.stubdb --token s3cret-token", in: box)
      let address = StubServerAddress(server.origin, token: "s3cret-token")
      let session = try await StubSession.start(
        "checkout/paid", name: "aTestOfThePage()", server: address)
      let listed = try await address.send("GET", "sessions", String?.none)
      #expect(String(decoding: listed, as: UTF8.self).contains("\"aTestOfThePage()\""))
      #expect(try await session.end().isEmpty)
      await #expect {
        try await StubSession.start("checkout/paid", server: StubServerAddress(server.origin))
      } throws: { error in
        (error as? StubSessionError)?.code == .refused && "\(error)".contains("STUBDB_TOKEN")
      }
    }

    @Test func theEnvironmentNamesTheServer() {
      let address = StubServerAddress(
        environment: ["STUBDB_SERVER": "https://my-mac.local:8443//", "STUBDB_TOKEN": "t"])
      #expect(address == StubServerAddress("https://my-mac.local:8443", token: "t"))
      for environment in [[:], ["STUBDB_SERVER": "", "STUBDB_TOKEN": ""]] {
        #expect(
          StubServerAddress(environment: environment)
            == StubServerAddress("http://127.0.0.1:8080", token: nil))
      }
    }

    /// Each with what starts a server at that address.
    @Test func whatIsNoServerOfStubsIsSaidWithTheCommand() async throws {
      let other = try LoopbackServer { _ in "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nhi"
      }
      let happy = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi" }
      let expected = [
        (
          other.url(""),
          ["is not stubdb serve, or an older one", "status 404", "--port \(other.port)"]
        ),
        (
          happy.url(""),
          ["is not stubdb serve, or an older one", "with hi", "--port \(happy.port)"]
        ),
        (
          "127.0.0.1:8080",
          ["is no address of a server. Write STUBDB_SERVER as http://127.0.0.1:8080."]
        ),
        (
          "https://127.0.0.2:9",
          [
            "stubdb serve --catalog CATALOG.stubdb --port 9 --tls --host 0.0.0.0 --token TOKEN --allow-host 127.0.0.2"
          ]
        ),
      ]
      for (address, parts) in expected {
        let error = await #expect(throws: StubSessionError.self) {
          try await StubSession.start("checkout/paid", server: StubServerAddress(address))
        }
        #expect(error?.code == .noServer)
        for part in parts { #expect(error?.message.contains(part) == true, "\(error as Any)") }
      }
    }

    @Test func aTestThatFailsBesideAServerThatEndsFailsForBoth() async throws {
      struct OfTheTest: Error {}
      let box = try Sandbox.shop()
      let server = try PageServer("stubdb serve --catalog shop.stubdb", in: box)
      let trait: StubSessionTrait = .session(
        "checkout/paid", server: StubServerAddress(server.origin))
      let test = try #require(Test.current)
      let ended = Ended()
      ended.server = server
      await withKnownIssue {
        await #expect(throws: OfTheTest.self) {
          try await trait.provideScope(for: test, testCase: Test.Case.current) {
            ended.server?.end()
            throw OfTheTest()
          }
        }
      } matching: { issue in
        "\(issue.error as Any)".contains("No stubdb serve answers at ")
      }
    }

    @Test(arguments: [("text", "\n  ! "), ("json", "\"violations\":[\"")])
    func aServerThatValidatesReportsRequestsThatTheDescriptionForbids(
      log form: String, before: String
    ) async throws {
      let box = try Sandbox.shop()
      try box.write(
        "api.json",
        """
        {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://api.shop.test"}],
         "paths": {"/v1/charges": {"get": {}, "post": {"requestBody": {"required": true, "content": {"text/plain": {}}}}}}}
        """)
      _ = try box.run("check", "--openapi", "api.json", "--keep")
      let server = try PageServer(
        "stubdb serve --catalog shop.stubdb --validate --log \(form)", in: box)
      let session = try await StubSession.start(
        "checkout/paid", server: StubServerAddress(server.origin))
      #expect(try await Self.status(session, "POST", "v1/charges", #"{"amount": 1200}"#) == 402)
      #expect(try await session.verify("POST /v1/charges", count: 1).isEmpty)
      let problems = try await session.end()
      // It is written after the answer.
      var log = ""
      while !log.contains("(api.json#") {
        log = try String(contentsOf: box.folder.appendingPathComponent("log"), encoding: .utf8)
      }
      #expect(log.contains("\(before)POST /v1/charges /headers/Content-Type: "), "\(log)")
      #expect(problems.map(\.kind) == ["invalidRequest"])
      #expect(problems.allSatisfy { $0.message.hasSuffix("(api.json#/paths/~1v1~1charges/post)") })
    }

    @Test func aServerThatValidatesReadsACatalogThatIsReplaced() async throws {
      let box = try Sandbox.shop()
      let files = FileManager.default
      func file(_ name: String) -> URL { box.folder.appendingPathComponent("\(name).stubdb") }
      try files.copyItem(at: file("shop"), to: file("bare"))
      for (name, method) in [("forbids", "get"), ("allows", "post")] {
        try box.write(
          "api.json",
          """
          {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://api.shop.test"}],
           "paths": {"/v1/charges": {"\(method)": {}}}}
          """)
        try files.copyItem(at: file("bare"), to: file(name))
        let kept = try box.run(
          "check", "--openapi", "api.json", "--keep", "--catalog", "\(name).stubdb")
        #expect(kept.err.contains("Kept 1 operation"), "\(kept)")
      }
      /// Puts a copy in the place of the catalog, as git does.
      func replace(with name: String) throws {
        try files.copyItem(at: file(name), to: file("next"))
        // The same time does not make it the same file.
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try files.setAttributes([.modificationDate: time], ofItemAtPath: file("next").path)
        #expect(rename(file("next").path, file("shop").path) == 0)
      }
      try replace(with: "forbids")
      let server = try PageServer("stubdb serve --catalog shop.stubdb --validate", in: box)
      func problems() async throws -> String {
        let session = try await StubSession.start(
          "checkout/paid", server: StubServerAddress(server.origin))
        let status = try await Self.status(session, "POST", "v1/charges", #"{"amount": 1200}"#)
        #expect(status == 402)
        return try await session.end().map(\.message).joined()
      }
      // What was read from a file whose last change is younger is not kept.
      while !DependedFile(Catalog(unchecked: file("shop")).file).isSettled(at: Date()) {
        await Task.yield()
      }
      for _ in 1...2 { #expect(try await problems().contains("/v1/charges has GET")) }
      try replace(with: "allows")
      #expect(try await problems() == "")
      try replace(with: "bare")
      #expect(try await problems().contains("the catalog keeps no description"))
      try replace(with: "forbids")
      #expect(try await problems().contains("/v1/charges has GET"))
    }

    @Test func theTraitGivesEachCaseASession() async throws {
      let box = try Sandbox.shop()
      let server = try PageServer("stubdb serve --catalog shop.stubdb", in: box)
      let trait: StubSessionTrait = .session(
        "checkout/paid", server: StubServerAddress(server.origin))
      let test = try #require(Test.current)
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let session = try #require(StubSession.current)
        #expect(try await Self.status(session, "POST", "v1/charges", #"{"amount": 1200}"#) == 402)
      }
      try await withKnownIssue {
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          let session = try #require(StubSession.current)
          #expect(try await Self.status(session, "POST", "v1/charge") == 404)
        }
      } matching: { issue in
        issue.comments.contains { $0.rawValue.contains("POST https://api.shop.test/v1/charge") }
      }
      #expect(StubSession.current == nil)
    }
  }

  @MainActor final class UISessionXCTests: XCTestCase {
    func testASessionEndsWithItsTest() async throws {
      let box = try Sandbox.shop()
      let server = try PageServer("stubdb serve --catalog shop.stubdb", in: box)
      let address = StubServerAddress(server.origin)
      let ended = Ended()
      // Teardown blocks run in the opposite order.
      addTeardownBlock {
        let session = try XCTUnwrap(ended.session)
        do {
          _ = try await session.end()
          XCTFail("The session is still there")
        } catch let error as StubSessionError {
          XCTAssertEqual(error.code, .refused)
        }
        ended.server = nil
      }
      let session = try await startSession("checkout/paid", server: address)
      (ended.session, ended.server) = (session, server)
      let status = try await UISessionTests.status(
        session, "POST", "v1/charges", #"{"amount": 1200}"#)
      XCTAssertEqual(status, 402)
    }
  }

  /// What another closure of a test reads, after the test has written it.
  private final class Ended: @unchecked Sendable {
    var session: StubSession?
    /// Runs until then.
    var server: PageServer?
  }
#endif
