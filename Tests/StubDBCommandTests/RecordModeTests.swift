#if TLS
  import Foundation
  import StubDBTestSupport
  import Testing

  /// `stubdb record` and `stubdb verify` with real servers of this machine, from the first request to the catalog.
  struct RecordModeTests {
    private static func json(_ text: String) -> String {
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
        + text
    }

    private static func record(
      _ box: Sandbox, _ server: LoopbackServer, _ scenario: String, _ options: String,
      _ paths: String...
    ) throws -> CommandResult {
      let calls = paths.map { "curl -s -o /dev/null -w '%{http_code} ' \"$STUBDB_URL\($0)\"" }
      try box.write("client.sh", calls.joined(separator: "\n") + "\n")
      return try box.shell(
        "stubdb record \(scenario) --allow-ci \(options) --reverse \(server.url("")) -- sh client.sh"
      )
    }

    private struct Mode: Sendable {
      var name: String
      var isKnown: Bool
      /// The statuses that the program gets for `/one`, which the scenario has, and `/two`.
      var statuses: String
      /// What is asked of the real server, and recorded.
      var asked: [String]
    }

    private static let modes = [
      Mode(name: "none", isKnown: true, statuses: "200 404 ", asked: []),
      Mode(name: "once", isKnown: true, statuses: "200 404 ", asked: []),
      Mode(name: "once", isKnown: false, statuses: "200 200 ", asked: ["/one", "/two"]),
      Mode(name: "newEpisodes", isKnown: true, statuses: "200 200 ", asked: ["/two"]),
      Mode(name: "new-episodes", isKnown: false, statuses: "200 200 ", asked: ["/one", "/two"]),
      Mode(name: "all", isKnown: true, statuses: "200 200 ", asked: ["/one", "/two"]),
    ]

    @Test(arguments: modes.indices) func eachModeRecordsWhatItSays(index: Int) throws {
      let mode = Self.modes[index]
      let server = try LoopbackServer { _ in Self.json("{}") }
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      if mode.isKnown {
        try box.must("add", "shop/orders", "--url", "/one", "--text", "stubbed")
      }
      let result = try Self.record(
        box, server, "shop/orders", "--mode \(mode.name)", "/one", "/two")
      #expect(result.code == 0 && result.out == mode.statuses, "\(result)")
      let asked = server.requests.map { String($0.line.split(separator: " ")[1]) }
      #expect(asked == mode.asked)
      let review = try box.run("review", "--json")
      #expect(review.code == (mode.asked.isEmpty ? 0 : 2), "\(review)")
      for path in mode.asked {
        #expect(review.out.contains("\"\(server.url(path))\""), "\(review)")
      }
      let end =
        mode.asked.isEmpty
        ? "Nothing was recorded, because the mode is \(mode.name).\n" : "stubdb review\n"
      #expect(result.err.hasSuffix(end), "\(result)")
    }

    /// What was recorded before answers its own requests only, and what is recorded later is reached.
    @Test func aRequestWithMoreThanOneOfAnEarlierSessionIsRecordedAndAnswered() throws {
      let server = try LoopbackServer { request in
        Self.json("\"\(request.line) \(request.body.count)\"")
      }
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      let less = ["/pay -d amount=1", "/up -F a=1"]
      let more = ["/pay -d amount=1 -d dry_run=true", "/up -F a=1 -F b=2"]
      func session(_ calls: [String]) throws -> String {
        let lines = calls.map { call in
          let words = call.split(separator: " ", maxSplits: 1)
          return "curl -s \"$STUBDB_URL\(words[0])\" \(words.dropFirst().joined()); echo"
        }
        try box.write("client.sh", lines.joined(separator: "\n") + "\n")
        let result = try box.shell(
          "stubdb record shop/pay --allow-ci --reverse \(server.url("")) -- sh client.sh")
        #expect(result.code == 0, "\(result)")
        _ = try box.run("review", "--accept-all")
        return result.out
      }
      let first = try session(less)
      #expect(server.requests.count == less.count)
      let second = try session(more)
      #expect(server.requests.count == less.count + more.count)
      // Everything is known now: the same answers, and no request to the server.
      let parts = try session(less + more)
      #expect(server.requests.count == less.count + more.count)
      #expect(parts == first + second)
      #expect(try box.run("check").code == 0)
    }

    @Test func nothingIsRecordedForAScenarioThatIsMissingInTheModeNone() throws {
      let server = try LoopbackServer { _ in Self.json("{}") }
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      let result = try Self.record(box, server, "shop/orders", "--mode none", "/one")
      #expect(result.code == 1 && result.err.contains("shop/orders"), "\(result)")
      #expect(server.requests.isEmpty)
    }

    /// A field that is gone, another type, null where it never was, and a constant nobody knew.
    @Test func whatOneServerAnsweredAndAnotherDoesNotIsFoundWithItsPointer() throws {
      let old = try LoopbackServer { _ in
        Self.json(
          #"{"orders":[{"id":7,"total":12,"state":"PAID","note":"for Ada"},"#
            + #"{"id":8,"total":9,"state":"OPEN","note":"b"}]}"#)
      }
      let new = try LoopbackServer { _ in
        Self.json(
          #"{"orders":[{"id":"o_7","state":"PAID","note":null},"#
            + #"{"id":"o_8","state":"REFUNDED","note":"b"}]}"#)
      }
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      let recorded = try Self.record(box, old, "orders/open", "", "/v1/orders")
      #expect(recorded.code == 0, "\(recorded)")
      #expect(try box.run("review", "--accept-all").code == 0)
      let same = try box.run("verify", "--live", "orders/open", "--against", old.url(""))
      #expect(
        same == CommandResult(err: "1 request: no differences.\n"), "\(same)")
      let drift = try box.run("verify", "--live", "orders/open", "--against", new.url(""))
      #expect(
        drift.out == """
          orders/open get-v1-orders
            error    type     /orders/*/id     integer → string
            warning  null     /orders/*/note   string, never null → string or null
            warning  enum     /orders/*/state  "OPEN" or "PAID" → a value not seen
            error    missing  /orders/*/total  integer → missing

          """, "\(drift)")
      #expect(drift.code == 2)
      // What has changed is taken over, and is no drift any more.
      let update = ["verify", "--live", "orders/open", "--against", new.url("")]
      _ = try box.run(executable: Sandbox.binary, arguments: update + ["--update"])
      #expect(try box.run("review", "--accept-all").code == 0)
      #expect(try box.run(executable: Sandbox.binary, arguments: update).code == 0)
    }
  }
#endif
