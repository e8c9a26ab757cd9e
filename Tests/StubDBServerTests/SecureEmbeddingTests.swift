#if TLS
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import StubDBCatalog
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBTesting
import Testing

/// Servers inside of tests that speak TLS, and clients that trust them.
@Suite struct SecureEmbeddingTests {
  private static let document = """
    {"scenario": "both", "stubs": [
      {"key": "plain", "request": {"url": "http://api.shop.test/a"}, "responses": [{"text": "plain"}]},
      {"key": "secure", "request": {"url": "https://api.shop.test/a"}, "responses": [{"text": "secure"}]}]}
    """

  private static func scenario() throws -> LoadedScenario {
    try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8)))
  }

  private static func curl(_ arguments: String...) throws -> (text: String, code: Int32) {
    try CurlProgram.run(arguments)
  }

  @Test(.served("checkout/bank-down", catalog: "Examples/ShopApp/Fixtures/shop.stubdb", tls: true))
  func aTestHasAServerThatCurlTrusts() throws {
    let server = try #require(StubServer.current)
    #expect(server.baseURL.absoluteString == "https://127.0.0.1:\(server.port)")
    let file = try #require(server.authorityFile)
    let url = "\(server.baseURL)/v1/charges"
    for version in ["--http1.1", "--http2"] {
      let (text, code) = try Self.curl(
        "--cacert", file.path, version, "--data", "", "--write-out", "%{http_code}",
        "--output", "/dev/null", url)
      #expect(code == 0 && text == "503", "\(text)")
    }
    let (text, code) = try Self.curl(url)
    #expect(code == 60, "\(text)")
  }

  @Test func aClientOnSwiftNIOTrustsIt() async throws {
    let server = try await StubServer(playing: Self.scenario(), tls: true)
    let pem = try #require(server.authorityPEM)
    #expect(try SecureClient(trusting: pem).get("/a", port: server.port) == "secure")
    let other = try await StubServer(playing: Self.scenario(), tls: true)
    #expect(throws: NIOSSLError.self) {
      try SecureClient(trusting: try #require(other.authorityPEM)).get("/a", port: server.port)
    }
    server.end()
  }

  @Test func theFileIsThereAsLongAsTheServer() async throws {
    var server: StubServer? = try await StubServer(playing: Self.scenario(), tls: true)
    let file = try #require(server?.authorityFile)
    #expect(try String(contentsOf: file, encoding: .utf8) == server?.authorityPEM)
    server?.end()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    server = try await StubServer(playing: Self.scenario(), tls: true)
    let second = try #require(server?.authorityFile)
    server = nil
    #expect(!FileManager.default.fileExists(atPath: second.path))
  }

  @Test func serversCanShareAnAuthority() async throws {
    let certificates = try ServerCertificates(from: CertificateAuthority())
    let one = try await StubServer(playing: Self.scenario(), certificates: certificates)
    let two = try await StubServer(playing: Self.scenario(), certificates: certificates)
    #expect(one.authorityPEM == two.authorityPEM && one.authorityFile != two.authorityFile)
    let plain = try await StubServer(playing: Self.scenario())
    #expect(plain.authorityPEM == nil && plain.authorityFile == nil)
  }

  @Test(arguments: [
    ("https://127.0.0.1", "secure"), ("https://api.shop.test", "secure"),
    ("http://api.shop.test", "plain"),
    // As before: a request to the server itself may mean either.
    ("http://127.0.0.1", "plain"),
  ])
  func theSchemeOfTheConnectionChoosesTheOrigin(_ base: String, _ text: String) async throws {
    let server = try await StubServer(playing: Self.scenario(), tls: true)
    let answer = try Self.curl(
      "--cacert", try #require(server.authorityFile).path, "--connect-to",
      "::127.0.0.1:\(server.port)", "\(base)/a")
    #expect(answer.text == text)
  }
}

/// A client as one makes it of SwiftNIO's handlers.
private struct SecureClient {
  private let context: NIOSSLContext

  init(trusting pem: String) throws {
    var settings = TLSConfiguration.makeClientConfiguration()
    settings.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
    context = try NIOSSLContext(configuration: settings)
  }

  /// The content of the answer.
  func get(_ path: String, port: Int) throws -> String {
    let group = MultiThreadedEventLoopGroup.singleton
    let answer = group.next().makePromise(of: String.self)
    let channel = try ClientBootstrap(group: group)
      .channelInitializer { [context] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: "localhost"))
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(AnswerReader(answer))
        }
      }
      .connect(host: "127.0.0.1", port: port).wait()
    defer { channel.close(promise: nil) }
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: path, headers: ["host": "localhost"])
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    return try answer.futureResult.wait()
  }

  private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<String>
    private var text = ""

    init(_ answer: EventLoopPromise<String>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head: break
      case .body(let bytes): text += String(buffer: bytes)
      case .end: answer.succeed(text)
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      answer.fail(error)
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      answer.fail(ChannelError.inputClosed)
    }
  }
}
#endif
