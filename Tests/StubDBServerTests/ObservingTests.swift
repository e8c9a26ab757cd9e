#if Server
import Foundation
import StubDBEngine
import StubDBModel
import Testing

@testable import StubDBServer

/// Metrics, lines of the log, and answers that say where they come from.
@Suite struct ObservingTests {
  private static let document = """
    {"scenario": "shop", "stubs": [
      {"key": "two", "request": {"path": "/two"}, "responses": [{"text": "1"}, {"text": "2"}]},
      {"key": "late", "request": {"path": "/late"}, "responses": [{"text": "late", "delay": "5ms"}]},
      {"key": "gone", "request": {"path": "/gone"}, "responses": [{"fault": "connectionReset"}]},
      {"key": "off", "request": {"path": "/off"},
       "responses": [{"error": "notConnectedToInternet"}]},
      {"key": "a\\"b", "request": {"path": "/quoted"}, "responses": [{"status": 204}]},
      {"key": "pieces", "request": {"path": "/pieces"},
       "responses": [{"chunks": [{"text": "on"}, {"text": "e"}]}]}]}
    """

  private static func lines(_ server: TestServer) throws -> Set<String> {
    let result = try server.ask("GET", "/__stubdb/metrics")
    #expect(result.fields["content-type"] == "text/plain; version=0.0.4")
    return Set(result.text.split(separator: "\n").map(String.init))
  }

  @Test func answersAreCounted() throws {
    var options = ServerOptions()
    options.journalEntryCount = 3
    let server = try TestServer(Self.document, options: options)
    let id = try server.makeSession()
    for path in ["/two", "/~\(id)/two", "/late", "/nowhere", "/quoted"] {
      _ = try server.ask("GET", path)
    }
    let client = try server.client()
    client.send("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read()
    _ = try server.exchange("GET / HTTP/1.1\r\n\r\n")
    var lines = try Self.lines(server)
    // The last answer is counted after its client has it.
    while !lines.contains("stubdb_request_duration_seconds_count 7") {
      lines = try Self.lines(server)
    }
    for line in [
      "stubdb_requests_total{scenario=\"shop\",key=\"two\",status=\"200\"} 2",
      "stubdb_requests_total{scenario=\"shop\",key=\"late\",status=\"200\"} 1",
      "stubdb_requests_total{scenario=\"shop\",key=\"gone\",status=\"\"} 1",
      #"stubdb_requests_total{scenario="shop",key="a\"b",status="204"} 1"#,
      "stubdb_requests_total{scenario=\"\",key=\"\",status=\"404\"} 1",
      "stubdb_requests_total{scenario=\"\",key=\"\",status=\"400\"} 1",
      "stubdb_unmatched_total 1", "stubdb_request_duration_seconds_count 7",
      "stubdb_request_duration_seconds_bucket{le=\"+Inf\"} 7",
      "stubdb_stubbed_delay_seconds_count 1",
      "stubdb_stubbed_delay_seconds_bucket{le=\"0.0025\"} 0",
      "stubdb_stubbed_delay_seconds_bucket{le=\"10.0\"} 1", "stubdb_sessions 2",
      "stubdb_journal_entries 4", "stubdb_journal_dropped 2",
      "# TYPE stubdb_request_duration_seconds histogram",
    ] {
      #expect(lines.contains(line), "\(line) in \(lines.sorted().joined(separator: "\n"))")
    }
    #expect(lines.contains { $0.hasPrefix("stubdb_connections ") })
    #if os(Linux)
    #expect(lines.contains { $0.hasPrefix("process_resident_memory_bytes ") })
    #endif
  }

  @Test func theNumberOfRowsIsBounded() {
    let metrics = Metrics()
    for status in 0..<1_500 {
      var entry = AccessLogEntry(
        method: "GET", target: "/", duration: .zero, requestByteCount: 0, responseByteCount: 0)
      entry.status = status
      for _ in 0..<2 { metrics.count(entry) }
    }
    let rows = metrics.current.requests
    #expect(rows.count == Metrics.mostRows + 1 && rows[.other] == 1_000)
    #expect(rows.values.reduce(0, +) == 3_000)
  }

  @Test func answersSayWhereTheyComeFromIfAsked() throws {
    var options = ServerOptions()
    options.explainsAnswers = true
    let server = try TestServer(Self.document, options: options)
    _ = try server.ask("GET", "/two")
    let second = try server.ask("GET", "/two")
    #expect(second.fields["stubdb-scenario"] == "shop" && second.fields["stubdb-stub"] == "two")
    #expect(second.fields["stubdb-response"] == "2")
    #expect(try server.ask("GET", "/pieces").fields["stubdb-stub"] == "pieces")
    let unmatched = try server.ask("GET", "/nowhere")
    #expect(unmatched.fields["stubdb-stub"] == nil && unmatched.fields["stubdb-unmatched"] == "1")
    let silent = try TestServer(Self.document).ask("GET", "/two")
    #expect(!silent.fields.keys.contains { $0.hasPrefix("stubdb") })
  }

  @Test func aLineOfTheLogHasTheSessionTheFaultAndTheBeginningOfTheContent() throws {
    var options = ServerOptions()
    options.loggedContentSize = 2
    let server = try TestServer(Self.document, options: options)
    let id = try server.makeSession()
    _ = try server.ask("GET", "/~\(id)/two")
    _ = try server.ask("GET", "/pieces")
    for path in ["/gone", "/off"] {
      let client = try server.client()
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read()
    }
    while server.log.count < 4 {}
    let log = server.log
    #expect(log.map(\.session) == [id, "default", "default", "default"])
    #expect(log.map(\.fault) == [nil, nil, "connectionReset", "notConnectedToInternet"])
    #expect(
      log.map { String(decoding: $0.responseContent, as: UTF8.self) } == ["1", "on", "", ""])
    // Nothing of it is kept unless the log wants it.
    let usual = try TestServer(Self.document)
    _ = try usual.ask("GET", "/two")
    while usual.log.isEmpty {}
    #expect(usual.log.map(\.responseContent) == [Data()])
  }
}
#endif
