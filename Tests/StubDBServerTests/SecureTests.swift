#if TLS
import Foundation
import NIOCore
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBSupport
import StubDBTestSupport
import Testing

@Suite struct SecureTests {
  private static let document = """
    {"scenario": "secure", "stubs": [
      {"key": "plain", "request": {"path": "/plain"}, "responses": [{"text": "hello"}]},
      {"key": "reset", "request": {"path": "/reset"}, "responses": [{"fault": "connectionReset"}]},
      {"key": "large", "request": {"path": "/large"}, "responses": [{"headers": {"Connection": "close"},
        "text": "\(String(repeating: "x", count: 3_000_000))"}]},
      {"key": "half", "request": {"path": "/half"},
       "responses": [{"text": "12345678", "fault": "truncated"}]}
    ]}
    """

  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
  }

  private func server(_ change: (inout ServerOptions) -> Void = { _ in }) throws -> TestServer {
    var options = ServerOptions()
    options.threadCount = 1
    options.lingerTime = .milliseconds(50)
    options.certificates = try ServerCertificates(from: authority.authority)
    change(&options)
    return try TestServer(Self.document, options: options)
  }

  /// What curl prints for a URL of the server, errors included, and its exit code.
  private func curl(
    _ url: String, _ server: TestServer, _ options: String..., trusting: URL? = nil
  ) throws -> (text: String, code: Int32) {
    try CurlProgram.run(
      [
        "--connect-to", "::127.0.0.1:\(server.server.port)", "--cacert",
        (trusting ?? authority.file).path,
      ] + options + [url])
  }

  // MARK: Certificates

  @Test func theCertificateNamesTheAddressesOfThisMachine() throws {
    let server = try server()
    for case .v4(let address)? in try System.enumerateDevices().map(\.address) {
      let host = SocketAddress.v4(address).ipAddress ?? ""
      let (text, code) = try curl("https://\(host)/plain", server)
      #expect(code == 0 && text == "hello", "\(host): \(text)")
    }
  }

  @Test(arguments: [
    "https://localhost/plain", "https://127.0.0.1/plain", "https://[::1]/plain",
    "https://10.0.2.2/plain",
    "https://api.shop.test/plain", "https://API.Shop.Test/plain", "http://api.shop.test/plain",
  ])
  func theCertificateIsForTheNameThatIsAskedFor(_ url: String) throws {
    let server = try server()
    for version in ["--http2", "--http1.1"] {
      let (text, code) = try curl(url, server, version)
      #expect(code == 0 && text == "hello", "\(text)")
    }
    #expect(server.log.map(\.status) == [200, 200])
  }

  @Test func aClientThatDoesNotTrustTheAuthorityIsExplained() throws {
    let server = try server()
    let other = try TestAuthority()
    let (text, code) = try curl("https://localhost/plain", server, trusting: other.file)
    #expect(code == 60, "\(text)")
    while server.log.isEmpty { sched_yield() }
    #expect(
      server.log.map(\.remark) == [
        "the TLS handshake failed: the client does not trust the certificate; stubdb ca show explains how it can"
      ])
  }

  @Test func eachAuthorityHasAKeyOfItsOwn() throws {
    let other = try CertificateAuthority()
    #expect(try other.fingerprint() != authority.authority.fingerprint())
    try firstMatch(of: /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/, in: other.fingerprint())
    #expect(!authority.authority.certificatePEM.contains("PRIVATE"))
  }

  @Test func aServerWithoutCertificatesRefusesTLSInItsWords() throws {
    let server = try server { $0.certificates = nil }
    let (text, code) = try curl("https://localhost/plain", server)
    #expect(code == 35 && text.contains("handshake failure"), "\(text)")
    #expect(server.log.map(\.remark) == ["TLS, which this server has no certificate for"])
  }

  @Test func certificatesCanComeFromFiles() throws {
    let chain = authority.file.appendingPathExtension("chain")
    let key = authority.file.appendingPathExtension("key")
    let issued = try authority.authority.issue(for: "files.test")
    try Self.pem("CERTIFICATE", issued).write(to: chain)
    try Self.pem("PRIVATE KEY", authority.authority.serverKeyDER).write(to: key)
    defer { for file in [chain, key] { try? FileManager.default.removeItem(at: file) } }
    let server = try server { $0.certificates = try? ServerCertificates(chain: chain, key: key) }
    let (text, code) = try curl("https://files.test/plain", server)
    #expect(code == 0 && text == "hello", "\(text)")
    #expect(try curl("https://other.test/plain", server).code == 60)
    let other = try TestAuthority()
    #expect { try ServerCertificates(chain: other.file, key: key) } throws: {
      "\($0)".contains("is not the key of the first certificate in")
    }
    #expect { try ServerCertificates(chain: key, key: key) } throws: {
      "\($0)".hasSuffix("has no certificate in the PEM format")
    }
    #expect { try ServerCertificates(chain: other.file, key: other.file) } throws: {
      "\($0)".hasSuffix("has no key in the PEM format")
    }
    let nowhere = key.appendingPathExtension("not")
    #expect { try ServerCertificates(chain: nowhere, key: key) } throws: {
      "\($0)" == "there is no \(nowhere.path) that can be read"
    }
  }

  private static func pem(_ what: String, _ bytes: Data) -> Data {
    let text = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return Data("-----BEGIN \(what)-----\n\(text)\n-----END \(what)-----\n".utf8)
  }

  // MARK: Faults

  @Test(arguments: ["--http1.1", "--http2"])
  func aResetIsOneBelowTLSToo(_ version: String) throws {
    let server = try server()
    let (text, code) = try curl("https://localhost/reset", server, version)
    #expect(code != 0 && text.lowercased().contains("reset by peer"), "\(code) \(text)")
  }

  @Test func largeContentArrivesBeforeTheEnd() throws {
    let server = try server()
    for version in ["--http1.1", "--http2"] {
      let (text, code) = try curl("https://localhost/large", server, version)
      #expect(code == 0 && text.utf8.count == 3_000_000, "\(version)")
    }
  }

  @Test func truncatedContentEndsInOrder() throws {
    let server = try server()
    let (text, code) = try curl("https://localhost/half", server, "--http1.1")
    #expect(code == 18 && text.contains("1234"), "\(code) \(text)")
  }

  // MARK: Handshakes that do not end

  /// The beginning of what a client says first.
  private static let halfHello: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]

  @Test func halfAHandshakeIsGivenUp() throws {
    let server = try server { $0.headerTimeout = .milliseconds(200) }
    let clients = try (0..<50).map { _ in try server.client() }
    for client in clients { client.send(Self.halfHello) }
    for client in clients { #expect(client.read().ending != RawClient.Ending.none) }
    while server.log.count < clients.count { sched_yield() }
    let remarks = Set(server.log.map(\.remark))
    #expect(remarks == ["the TLS handshake did not end in time"])
    #expect(try TestServerProbe.answers(server))
  }

  @Test func aClientThatEndsWithinTheHandshakeIsGone() throws {
    let server = try server()
    let client = try server.client()
    client.send(Self.halfHello)
    client.sendEnd()
    #expect(client.read().ending != RawClient.Ending.none)
  }

  @Test func bytesThatOnlyBeginAsTLSEndTheConnection() throws {
    let server = try server()
    let client = try server.client()
    client.send([0x16, 3, 1, 0, 5] + Array("hello world".utf8))
    #expect(client.read().ending != RawClient.Ending.none)
    while server.log.isEmpty { sched_yield() }
    #expect(server.log[0].remark?.hasPrefix("the TLS handshake failed: ") == true)
  }

  @Test func handshakesInProgressDoNotHoldUpTheEnd() throws {
    let server = try server()
    let clients = try (0..<5).map { _ in try server.client() }
    for client in clients { client.send(Self.halfHello) }
    // Answered behind them on the same thread, so that they have begun.
    #expect(try curl("https://localhost/plain", server).text == "hello")
    server.server.end()
    #expect(server.server.connectionCount == 0)
  }

  // MARK: The folder

  @Test func theKeyIsForNobodyElse() throws {
    let folder = AuthorityFolder(
      FileManager.default.temporaryDirectory
        .appendingPathComponent("stubdb-test-\(UUID().uuidString)/settings/ca"))
    let parent = folder.url.deletingLastPathComponent().deletingLastPathComponent()
    defer { try? FileManager.default.removeItem(at: parent) }
    #expect(!folder.exists)
    let made = try #require(try folder.create(replacing: false))
    #expect(folder.exists)
    #expect(try folder.load().fingerprint() == made.fingerprint())
    let files = FileManager.default
    func rights(_ path: String) throws -> Int? {
      (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
    let key = folder.url.appendingPathComponent("ca-key.pem").path
    #expect(try rights(folder.url.path) == 0o700 && rights(key) == 0o600)
    #expect(
      try files.contentsOfDirectory(atPath: folder.url.deletingLastPathComponent().path) == ["ca"])
    try files.setAttributes([.posixPermissions: NSNumber(value: 0o640)], ofItemAtPath: key)
    #expect { try folder.load() } throws: { "\($0)".hasPrefix("others may read \(key)") }
    #expect(try folder.create(replacing: true)?.fingerprint() != made.fingerprint())
    #expect(try rights(key) == 0o600)
    let current = try folder.load().fingerprint()
    #expect(try folder.create(replacing: false) == nil)
    #expect(try folder.load().fingerprint() == current)
    #expect(
      try files.contentsOfDirectory(atPath: folder.url.deletingLastPathComponent().path) == ["ca"])
    try files.setAttributes(
      [.posixPermissions: NSNumber(value: 0o777)], ofItemAtPath: folder.url.path)
    #expect { try folder.load() } throws: { "\($0)".hasPrefix("others may write to ") }
  }

  @Test func theFolderIsThatOfTheSettings() {
    let folder = AuthorityFolder.ofUser(["XDG_CONFIG_HOME": "/settings"])
    #expect(folder.certificateFile.path == "/settings/stubdb/ca/ca.pem")
    let relative = AuthorityFolder.ofUser(["XDG_CONFIG_HOME": "settings"])
    #expect(relative.url.path == AuthorityFolder.ofUser([:]).url.path)
  }

  // MARK: Embedding and the admin API

  @Test func aServerWithinATestSpeaksTLS() async throws {
    let scenario = try LoadedScenario(try ScenarioDocument.decode(Data(Self.document.utf8)))
    let server = try await StubServer(
      playing: scenario, certificates: try ServerCertificates(from: authority.authority),
      allowsOtherOrigins: false)
    defer { server.end() }
    #expect(server.sessions["default"]?.settings.allowsOtherOrigins == false)
    #expect(server.baseURL.absoluteString == "https://127.0.0.1:\(server.port)")
  }

  @Test func theAuthorityAndSessionsAreToldOverTLS() throws {
    let server = try server()
    let (pem, _) = try curl("https://localhost/__stubdb/ca.pem", server)
    #expect(pem == authority.authority.certificatePEM)
    let (sessions, _) = try curl("https://localhost/__stubdb/sessions", server)
    #expect(sessions.contains(#""baseURL": "https://localhost""#), "\(sessions)")
    let without = try self.server { $0.certificates = nil }
    let (problem, _) = try curl("http://localhost/__stubdb/ca.pem", without)
    #expect(problem.contains("no-authority"))
  }
}
#endif
