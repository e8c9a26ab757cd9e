#if Server
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import StubDBSupport
import Testing

/// A server plays what its catalog has, also after a change.
@Suite struct ReloadTests {
  private static let before = """
    {"scenario": "shop", "stubs": [
      {"key": "two", "request": {"path": "/two"}, "responses": [{"text": "1"}, {"text": "2"}]},
      {"key": "pay", "request": {"path": "/pay"}, "flow": {"name": "order", "becomes": "paid"},
       "responses": [{"text": "before"}, {"text": "second"}]}]}
    """

  private static func server(_ catalog: TestCatalog) throws -> TestServer {
    var options = ServerOptions()
    options.reloadInterval = .milliseconds(1)
    return try TestServer(catalog: catalog, scenario: "shop", options: options)
  }

  private static func write(_ text: String, to catalog: TestCatalog) throws {
    let scenario = try ScenarioDocument.decode(Data(text.utf8))
    try catalog.catalog.edit { try $0.replace(scenario) }
  }

  @Test func aChangeIsPlayedWhereTheSessionIs() throws {
    let catalog = try TestCatalog(Self.before)
    let server = try Self.server(catalog)
    let id = try server.makeSession()
    #expect(try server.ask("GET", "/two").text == "1")
    #expect(try server.ask("GET", "/pay").text == "before")
    try Self.write(
      Self.before.replacing("before", with: "after").replacing(
        #""stubs": ["#, with: #""stubs": [{"key": "new", "request": {"path": "/new"}},"#),
      to: catalog)
    while try server.ask("GET", "/~\(id)/new").status != 200 {}
    // Counters of what is the same go on, those of what has changed begin again.
    #expect(try server.ask("GET", "/two").text == "2")
    #expect(try server.ask("GET", "/pay").text == "after")
    #expect(try server.ask("GET", "/__stubdb/sessions/default/flows").text("order") == "paid")
    let journal = try server.ask("GET", "/__stubdb/sessions/default/journal")
    #expect(journal["/events/0/number"] == 1 && journal["/next"] == 4)
  }

  @Test func aChangeByTheAdminAPIIsPlayedAtOnce() throws {
    let catalog = try TestCatalog(Self.before)
    var options = ServerOptions()
    options.reloadInterval = .seconds(3_600)
    options.threadCount = 1
    let server = try TestServer(catalog: catalog, scenario: "shop", options: options)
    let id = try server.makeSession()
    for _ in 0..<3 { #expect(try server.ask("GET", "/pay").status == 200) }
    for text in ["1", "2", "3"] {
      let stub =
        #"{"key": "pay", "request": {"path": "/pay"}, "responses": [{"text": "\#(text)"}]}"#
      let path = "/__stubdb/scenarios/shop/stubs/pay"
      let tag = try #require(try server.ask("GET", path).fields["etag"])
      #expect(try server.ask("PUT", path, stub, fields: ["If-Match: \(tag)"]).status == 200)
      for prefix in ["", "/~\(id)"] {
        for _ in 0..<4 { #expect(try server.ask("GET", "\(prefix)/pay").text == text) }
      }
    }
    // Its counters begin again with each change, and the journal goes on.
    #expect(server.player.run.journalCount == 15)
  }

  @Test func aChangeOfAnotherCatalogThatItIncludesIsPlayed() throws {
    let catalog = try TestCatalog(Self.before)
    let folder = catalog.catalog.url.deletingLastPathComponent()
    let other = try Catalog.create(at: folder.appendingPathComponent("payments.stubdb"))
    func write(_ text: String) throws {
      let document =
        #"{"scenario": "card", "stubs": [{"key": "a", "request": {"path": "/card"}, "responses": [{"text": "\#(text)"}]}]}"#
      try other.edit { try $0.replace(ScenarioDocument.decode(Data(document.utf8))) }
    }
    try write("first")
    let digest = "sha256:" + String(repeating: "0", count: 64)
    let lock = """
      {"version": 1, "catalogs": {"payments": {"url": "s3://stubs/payments", "commit": "\(digest)",
        "digest": "\(digest)", "bytes": 0, "path": "payments.stubdb"}}}
      """
    try Data(lock.utf8).write(to: folder.appendingPathComponent("stubdb.lock"))
    let server = try Self.server(catalog)
    try Self.write(
      Self.before.replacing(
        #""stubs": ["#, with: #""includes": ["payments:card"], "stubs": ["#), to: catalog)
    while try server.ask("GET", "/card").text != "first" {}
    try write("second")
    while try server.ask("GET", "/card").text != "second" {}
    #expect(try server.ask("GET", "/two").text == "1")
  }

  @Test func aCatalogThatCannotBeReadLeavesTheOldScenarioInPlay() throws {
    let catalog = try TestCatalog(Self.before)
    let server = try Self.server(catalog)
    let url = catalog.catalog.url
    let good = try Data(contentsOf: url)
    let clients = try ["", "?session=default"].map { query in
      let client = try server.client()
      client.send("GET /__stubdb/events\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = client.read(until: ": ping")
      return client
    }
    try Data("no catalog".utf8).write(to: url)
    while server.notes.isEmpty { _ = try server.ask("GET", "/pay") }
    for client in clients {
      #expect(client.read(until: #""result":"failed"}"#)?.contains("event: catalog\n") == true)
    }
    #expect(try server.ask("GET", "/two").text == "1")
    #expect(server.notes.count == 1)
    #expect(server.notes[0].hasPrefix("shop is played as it was before: "), "\(server.notes)")
    try FileManager.default.removeItem(at: url)
    #expect(try server.ask("GET", "/two").text == "2")
    try good.write(to: url)
    try Self.write(Self.before.replacing("\"2\"", with: "\"3\""), to: catalog)
    while try server.ask("GET", "/two").text != "1" {}
    #expect(server.notes.count == 1)
    // The journal goes on: nothing is told a second time, and no run begins.
    for client in clients {
      let told = client.read(until: #"data: {"problems":[],"result":"reloaded"}"#)
      #expect(told?.contains("event: run") == false)
    }
    let metrics = try server.ask("GET", "/__stubdb/metrics").text
    #expect(metrics.contains("stubdb_catalog_reloads_total{result=\"reloaded\"} "))
    #expect(!metrics.contains("stubdb_catalog_reloads_total{result=\"failed\"} 0\n"))
  }

  @Test func noRequestIsLostWhileTheCatalogChanges() throws {
    let catalog = try TestCatalog(Self.before)
    let server = try Self.server(catalog)
    let clients = try (0..<4).map { _ in try server.client() }
    for round in 0..<20 {
      try Self.write(Self.before.replacing("before", with: "\(round)"), to: catalog)
      for client in clients {
        client.send(String(repeating: "GET /two HTTP/1.1\r\nHost: a\r\n\r\n", count: 50))
      }
    }
    let answer = TortureTests.ok("1").utf8.count
    for client in clients {
      let bytes = client.read(atLeast: answer * 1_000).bytes
      #expect(bytes.count == answer * 1_000)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("503"))
    }
    #expect(server.player.run.lastNumber == 4_000)
  }
}
#endif
