#if os(Linux)
  import Foundation
  import StubDB
  import StubDBModel

  /// The memory of `stubdb serve` after much of something, against that after less of the same.
  ///
  /// What comes first fills the journal, which is bounded, and the allocator's reserves.
  enum EnduranceRows {
    private static let limit = 1.05

    static func measure(in folder: URL, stubdb: String) throws -> [Row] {
      let missing = ["wrk", "h2load"].filter { !Command.exists($0) }
      guard missing.isEmpty else {
        print("skipped: the rows of endurance need \(missing.joined(separator: " and "))")
        return []
      }
      let catalog = folder.appendingPathComponent("endurance.stubdb")
      try Catalog.create(at: catalog).edit { editor in
        try editor.insert(Workload.scenario("bench/10", stubs: 10, bodyByteCount: 1_024))
        try editor.insert(try ScenarioDocument.decode(Data(webSocketDocument.utf8)))
      }
      func serve(_ scenario: String, options: [String] = []) throws -> ServedProcess {
        try ServedProcess.stubdb(
          stubdb, scenario: scenario, catalog: catalog, options: options,
          environment: ["XDG_CONFIG_HOME": folder.path])
      }
      return [
        try requests(try serve("bench/10"), in: folder),
        try secureRequests(try serve("bench/10", options: ["--tls"])),
        try row("sessions, each made, asked and deleted", try serve("bench/10"), playSession),
        try row("streams of events, opened and closed", try serve("bench/10"), openEvents),
        try row("WebSockets, opened and closed", try serve("bench/socket"), openWebSocket),
      ]
    }

    private static let webSocketDocument = """
      {
        "scenario": "bench/socket",
        "stubs": [
          {
            "key": "echo",
            "request": { "url": "wss://api.shop.test/v1/socket" },
            "responses": [ { "webSocket": { "frames": [], "otherwise": "echo" } } ]
          }
        ]
      }
      """

    // MARK: Requests

    /// Ten million requests over connections that stay, 16 at a time on each.
    private static func requests(_ server: ServedProcess, in folder: URL) throws -> Row {
      let script = folder.appendingPathComponent("pipeline.lua")
      let text = """
        init = function(args)
          local requests = {}
          for index = 1, 16 do requests[index] = wrk.format("GET", "/v1/items/1") end
          pipeline = table.concat(requests)
        end
        request = function() return pipeline end
        """
      try Data(text.utf8).write(to: script)
      let name = "requests, 16 at a time on 64 connections"
      return try row(name, server, count: 10_000_000) { count in
        var done = 0
        while done < count {
          done += try Wrk(seconds: 5, script: script).load(server, path: "/").count
        }
      }
    }

    /// A million requests over HTTP/2 and TLS.
    private static func secureRequests(_ server: ServedProcess) throws -> Row {
      try row("requests over HTTP/2 and TLS", server, count: 1_000_000) { count in
        let text = try Command.output(
          "/usr/bin/env",
          [
            "h2load", "-n", "\(count)", "-c", "64", "-m", "16", "-H", "Accept: application/json",
            "https://127.0.0.1:\(server.port)/v1/items/1",
          ])
        guard text.contains(" \(count) 2xx") else {
          throw Command.Failure(command: "h2load: \(text)", status: 1)
        }
      }
    }

    // MARK: Connections

    /// A session from its beginning to its end, with a request.
    private static func playSession(_ port: Int) throws {
      let connection = try LoopbackSocket(port)
      let settings = #"{"scenario": "bench/10"}"#
      let made = try connection.exchange(
        "POST /__stubdb/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(settings.utf8.count)\r\n\r\n\(settings)")
      struct Session: Decodable { var id: String }
      let id = try JSONDecoder().decode(Session.self, from: Data(made.utf8)).id
      try connection.get("/~\(id)/v1/items/1")
      try connection.exchange(
        "DELETE /__stubdb/sessions/\(id) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    }

    /// A client that follows the server, and goes.
    private static func openEvents(_ port: Int) throws {
      let connection = try LoopbackSocket(port)
      try connection.send(Array("GET /__stubdb/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
      try connection.receiveHead()
    }

    /// A WebSocket with a message, which comes back.
    private static func openWebSocket(_ port: Int) throws {
      let connection = try LoopbackSocket(port)
      let request =
        "GET /v1/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
      try connection.send(Array(request.utf8))
      try connection.receiveHead()
      // "hello" with a mask of zeros.
      try connection.send([0x81, 0x85, 0, 0, 0, 0] + Array("hello".utf8))
      try connection.receive()
    }

    // MARK: Rows

    /// 10,000 connections that each do something.
    private static func row(
      _ name: String, _ server: ServedProcess, _ use: (_ port: Int) throws -> Void
    ) throws -> Row {
      try row(name, server, count: 10_000) { count in
        for _ in 0..<count { try use(server.port) }
      }
    }

    /// Does something that many times, after a part of it; small numbers are not divided, to fill the journal.
    private static func row(
      _ name: String, _ server: ServedProcess, count: Int, _ use: (_ count: Int) throws -> Void
    ) throws -> Row {
      try use(count > 100_000 ? count / 10 : count)
      let before = try server.memory()
      try use(count)
      let after = try server.memory()
      return .atMost(
        limit, Double(after) / Double(before), name: "memory after \(count) \(name)",
        detail: "\(format(Double(after) / 1e6)) MB against \(format(Double(before) / 1e6)) MB")
    }
  }
#endif
