#if Server
import Foundation
import StubDBJSON
import StubDBServer
import Testing

/// Servers that stand behind another one.
@Suite struct ReplicaTests {
  private static let document = """
    {"scenario": "shop", "stubs": [
      {"key": "two", "request": {"path": "/two"}, "responses": [{"text": "1"}, {"text": "2"}]},
      {"key": "moved", "request": {"path": "/moved"},
       "responses": [{"status": 302, "headers": {"Location": "/two"}}]},
      {"key": "base", "request": {"path": "/base"},
       "responses": [{"text": "{{baseURL}}", "template": true}]}]}
    """

  private static func server(
    replica: String? = "node-1", publicURL: String? = nil, token: String? = nil
  ) throws -> TestServer {
    var options = ServerOptions()
    options.replica = replica
    options.publicURL = publicURL.flatMap(PublicURL.init)
    options.admin?.token = token
    return try TestServer(document, options: options)
  }

  @Test func idsBeginWithTheNameOfTheReplica() throws {
    let server = try Self.server()
    let id = try server.makeSession()
    #expect(id.hasPrefix("node-1-") && id.utf8.count == 17)
    #expect(try server.ask("GET", "/~\(id)/two").text == "1")
    #expect(try server.ask("GET", "/two", host: "\(id.uppercased()).localhost:1").text == "2")
    #expect(try server.ask("GET", "/two", fields: ["StubDB-Session: \(id)"]).text == "2")
    #expect(try server.ask("GET", "/~\(id)/moved").fields["location"] == "/~\(id)/two")
    #expect(try server.ask("DELETE", "/__stubdb/sessions/\(id)").status == 200)
  }

  @Test func answersNameTheReplicaThatWasAsked() throws {
    let server = try Self.server()
    for (id, kind) in [
      ("node-1-abcdefghij", "no-such-session"), ("node-2-abcdefghij", "other-replica"),
      ("abcdefghij", "no-such-session"),
    ] {
      let byHost = try server.ask("GET", "/two", host: "\(id).localhost")
      let results = [
        try server.ask("GET", "/~\(id)/two"),
        try server.ask("GET", "/two", fields: ["StubDB-Session: \(id)"]),
        try server.ask("GET", "/__stubdb/sessions/\(id)"),
        try server.ask("GET", "/__stubdb/events?session=\(id)"),
      ]
      for result in results + (id.contains("-") ? [byHost] : []) {
        #expect(result.status == 404, "\(result)")
        #expect(result.text("type") == "urn:stubdb:problem:\(kind)")
        #expect(result.text("replica") == "node-1")
      }
    }
    #expect(try server.ask("GET", "/~home-abcdefghi/two").fields["stubdb-unmatched"] == "1")
    // Without a name such a path is one of the scenario's.
    let plain = try Self.server(replica: nil)
    let path = try plain.ask("GET", "/~node-2-abcdefghij/two")
    #expect(path.fields["stubdb-unmatched"] == "1")
  }

  @Test func addressesAreThoseOfThePublicURL() throws {
    let server = try Self.server(publicURL: "https://stubs.test:8443/ci/", token: "t")
    let token = "Authorization: Bearer t"
    let made = try server.ask(
      "POST", "/__stubdb/sessions", "{}", fields: [token], host: "stubs.test:8443")
    let id = made.text("id")
    #expect(made.text("baseURL") == "https://stubs.test:8443/ci/~\(id)")
    #expect(made["/hostURL"] == .null)
    #expect(made.fields["location"] == "/ci/__stubdb/sessions/\(id)")
    let base = try server.ask("GET", "/~\(id)/base", host: "127.0.0.1:1")
    #expect(base.text == "https://stubs.test:8443/ci/~\(id)")
    #expect(
      try server.ask("GET", "/~\(id)/moved", host: "stubs.test").fields["location"]
        == "/ci/~\(id)/two")
  }

  @Test func aSessionIsAHostBelowThePublicOne() throws {
    let server = try Self.server(publicURL: "http://stubs.test", token: "t")
    let made = try server.ask(
      "POST", "/__stubdb/sessions", "{}", fields: ["Authorization: Bearer t"], host: "stubs.test")
    let id = made.text("id")
    #expect(made.text("hostURL") == "http://\(id).stubs.test")
    #expect(try server.ask("GET", "/two", host: "\(id).stubs.test").text == "1")
    #expect(
      try server.ask("GET", "/base", host: "\(id).stubs.test").text == "http://\(id).stubs.test")
    #expect(try server.ask("GET", "/two").text == "1")
  }

  @Test func clientsOfABalancerAreNoneOfThisMachine() throws {
    let server = try Self.server(publicURL: "https://stubs.test", token: "t")
    let token = "Authorization: Bearer t"
    #expect(try server.ask("GET", "/__stubdb/version").status == 401)
    #expect(
      try server.ask("GET", "/__stubdb/version", fields: [token], host: "stubs.test").status == 200)
    #expect(
      try server.ask("GET", "/__stubdb/version", fields: [token], host: "evil.test").status == 403)
    #expect(try server.ask("POST", "/__stubdb/shutdown", "{}", fields: [token]).status == 403)
    // One of this machine only changes nothing.
    let own = try Self.server(publicURL: "http://localhost:1")
    #expect(try own.ask("GET", "/__stubdb/version").status == 200)
  }

  @Test func namesAndURLsAreChecked() {
    for name in ["a", "node-1", String(repeating: "a", count: 40)] {
      #expect(SessionIDs.isName(name))
    }
    for name in ["", "A", "a_b", "-a", "a-", "a.b", String(repeating: "a", count: 41), "ä"] {
      #expect(!SessionIDs.isName(name), "\(name)")
    }
    for url in ["stubs.test", "ftp://a", "https://a?b", "https://u@a", "https://a b", "https://"] {
      #expect(PublicURL(url) == nil, "\(url)")
    }
  }
}
#endif
