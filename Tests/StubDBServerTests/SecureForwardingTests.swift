#if TLS
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing
import Testing

@testable import StubDBServer

@Suite struct SecureForwardingTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  private func upstream(_ change: (inout ServerOptions) -> Void = { _ in }) throws -> TestServer {
    var options = ServerOptions()
    options.certificates = try ServerCertificates(from: authority.authority)
    change(&options)
    return try TestServer(
      #"{"scenario": "upstream", "stubs": [{"key": "a", "responses": [{"template": true, "text": "got {{request.body}}"}]}]}"#,
      options: options)
  }

  /// A server that passes everything on to another one.
  private func server(_ host: String, _ port: Int, trusting pem: String?) throws -> TestServer {
    var options = ServerOptions()
    options.passesUnmatchedOn = true
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsPrivateUpstreams = true
    if let pem { options.forwarding.encryption = UpstreamEncryption.handlers(trusting: pem) }
    let origin = try #require(OriginMap.Rule("https://\(host):\(port)"))
    return try TestServer(
      #"{"scenario": "shop", "stubs": []}"#, origins: [origin], options: options)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func aRequestIsPassedOnByHTTPS(host: String) throws {
    let upstream = try upstream()
    let port = upstream.server.port
    let server = try server(host, port, trusting: authority.authority.certificatePEM)
    let content = String(repeating: "0123456789abcdef", count: 50_000)
    let answer = try server.ask("POST", "/p", content)
    #expect(answer.status == 200 && answer.text == "got \(content)")
    #expect(upstream.player.run.journal.first?.request.headers["Host"] == "\(host):\(port)")
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/remark") == "https://\(host):\(port) answered 200")
  }

  @Test func aCertificateThatTheSystemDoesNotTrustIsRefused() throws {
    let upstream = try upstream()
    let answer = try server("localhost", upstream.server.port, trusting: nil).ask("GET", "/p")
    #expect(answer.status == 502, "\(answer)")
    #expect(answer.fields["stubdb-upstream-error"] == "serverCertificateUntrusted")
    #expect(upstream.player.run.journal.isEmpty)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func aCertificateForOtherNamesIsRefused(host: String) throws {
    let chain = authority.file.appendingPathExtension("chain")
    let key = authority.file.appendingPathExtension("key")
    defer { for file in [chain, key] { try? FileManager.default.removeItem(at: file) } }
    try Self.pem("CERTIFICATE", authority.authority.issue(for: "other.test")).write(to: chain)
    try Self.pem("PRIVATE KEY", authority.authority.serverKeyDER).write(to: key)
    let certificates = try ServerCertificates(chain: chain, key: key)
    let upstream = try upstream { $0.certificates = certificates }
    let server = try server(
      host, upstream.server.port, trusting: authority.authority.certificatePEM)
    let answer = try server.ask("GET", "/p")
    #expect(answer.fields["stubdb-upstream-error"] == "serverCertificateUntrusted", "\(answer)")
    #expect(answer.text("/detail").contains("is for other names"))
    #expect(upstream.player.run.journal.isEmpty)
  }

  @Test func aServerWithoutTLSIsNamed() throws {
    let upstream = try upstream { $0.certificates = nil }
    let answer = try server("localhost", upstream.server.port, trusting: nil).ask("GET", "/p")
    #expect(answer.fields["stubdb-upstream-error"] == "secureConnectionFailed", "\(answer)")
    #expect(answer.text("/detail").contains("TLS handshake"))
  }

  @Test func aRedirectLeadsToTheServerBySchemeToo() throws {
    var options = ServerOptions()
    options.certificates = try ServerCertificates(from: authority.authority)
    let server = try TestServer(
      #"{"scenario": "shop", "stubs": [{"key": "own", "request": {"url": "https://api.test/own"}, "responses": [{"status": 302, "headers": {"Location": "https://api.test/next"}}]}]}"#,
      options: options)
    let port = server.server.port
    let text = try CurlProgram.run([
      "--cacert", authority.file.path, "--write-out", "%{redirect_url}",
      "https://127.0.0.1:\(port)/own",
    ]).text
    #expect(text == "https://127.0.0.1:\(port)/next")
  }

  private static func pem(_ what: String, _ bytes: Data) -> Data {
    let text = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return Data("-----BEGIN \(what)-----\n\(text)\n-----END \(what)-----\n".utf8)
  }

  // MARK: Tunnels to hosts of the scenario

  private static let shop =
    #"{"scenario": "shop", "stubs": [{"key": "s", "request": {"url": "https://api.test/x"}, "responses": [{"text": "shop"}]}]}"#
  private static let bank =
    #"{"scenario": "bank", "stubs": [{"key": "b", "request": {"path": "/x"}, "responses": [{"text": "bank"}]}]}"#

  private func proxy() throws -> TestServer {
    var options = ServerOptions()
    options.isProxy = true
    options.certificates = try ServerCertificates(from: authority.authority)
    return try TestServer(
      catalog: try TestCatalog(Self.shop, Self.bank), scenario: "shop", options: options)
  }

  private func curl(
    _ proxy: TestServer, _ url: String, as name: String = "", _ options: String...
  ) throws -> String {
    try CurlProgram.run(
      options + [
        "--noproxy", "", "--proxy", "http://\(name)127.0.0.1:\(proxy.server.port)", "--cacert",
        authority.file.path, url,
      ]
    ).text
  }

  @Test(arguments: ["--http1.1", "--http2"])
  func aProxyAnswersByHTTPSInPlaceOfTheScenariosHost(version: String) throws {
    let proxy = try proxy()
    #expect(try curl(proxy, "https://api.test/x", version) == "shop")
    #expect(proxy.player.run.journal.map(\.request.url) == ["https://api.test/x"])
    // The host has no admin API.
    let text = try curl(proxy, "https://api.test/__stubdb/health", version)
    #expect(text.hasPrefix("No stub of scenario \"shop\" answers"), "\(text)")
    // Other hosts are refused as before, and the port counts as in any URL.
    #expect(try curl(proxy, "https://other.test/x", version).contains("502"))
    #expect(try curl(proxy, "https://api.test:8443/x", version).hasPrefix("No stub"))
    // Within a tunnel there need not be TLS.
    #expect(try curl(proxy, "http://api.test/x", "--proxytunnel") == "shop")
  }

  @Test func aTunnelBelongsToTheSessionThatItsClientNames() throws {
    let proxy = try proxy()
    let id = try proxy.makeSession(#"{"scenario": "bank"}"#)
    // A scenario that names no host answers for all.
    #expect(try curl(proxy, "https://any.test/x", as: "\(id):@") == "bank")
    #expect(try curl(proxy, "https://api.test/x") == "shop")
    let client = try proxy.client()
    let credentials = Data("\(id):".utf8).base64EncodedString()
    client.send(
      "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: Basic \(credentials)\r\n\r\n"
    )
    #expect(client.read(until: "\r\n\r\n")?.contains(" 200 ") == true)
    let get = "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n"
    client.send(get)
    #expect(client.read(until: "bank")?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(try proxy.ask("DELETE", "/__stubdb/sessions/\(id)").status == 200)
    client.send(get)
    #expect(client.read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 404 ") == true)
    client.send("CONNECT b.test:80 HTTP/1.1\r\nHost: b.test\r\n\r\n")
    client.sendEnd()
    #expect(
      String(decoding: client.read().bytes, as: UTF8.self).contains("HTTP/1.1 400 Bad Request"))
  }
}
#endif
