#if TLS
import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
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
}
#endif
