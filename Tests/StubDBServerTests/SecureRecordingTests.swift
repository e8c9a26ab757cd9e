#if TLS
import Foundation
import StubDBEngine
import StubDBPlayback
import Testing

@testable import StubDBServer

/// Tunnels that a recording looks into.
@Suite struct SecureRecordingTests {
  /// The authority of the other server, and the one of the proxy.
  private let (real, ours): (TestAuthority, TestAuthority)
  private let upstream: TestServer

  init() throws {
    (real, ours) = (try TestAuthority(), try TestAuthority())
    var options = ServerOptions()
    options.certificates = try ServerCertificates(from: real.authority)
    upstream = try TestServer(
      #"{"scenario": "upstream", "stubs": [{"key": "a", "responses": [{"json": {"name": "Ada"}}]}]}"#,
      options: options)
  }

  private func bench(_ host: String) throws -> RecordingBench {
    try RecordingBench(proxyFor: host) { options in
      options.certificates = try ServerCertificates(from: ours.authority)
      options.forwarding.encryption = UpstreamEncryption.handlers(
        trusting: real.authority.certificatePEM)
    }
  }

  private func curl(
    _ bench: RecordingBench, _ host: String, trusting file: URL, _ options: String...
  ) throws -> (text: String, code: Int32) {
    try CurlProgram.run(
      options + [
        "--noproxy", "", "--proxy", "http://127.0.0.1:\(bench.server.server.port)", "--cacert",
        file.path, "https://\(host):\(upstream.server.port)/v1/me",
      ])
  }

  @Test(arguments: ["localhost", "127.0.0.1"], ["--http1.1", "--http2"])
  func aTunnelToAChosenHostIsRecorded(host: String, version: String) throws {
    let bench = try bench(host)
    let (text, code) = try curl(
      bench, host, trusting: ours.file, version, "--write-out", " %{http_version}")
    let isNew = text.hasSuffix(" 2")
    #expect(code == 0 && text.hasPrefix(#"{"name":"Ada"}"#), "\(text)")
    #expect(isNew == (version == "--http2"), "\(text)")
    let stub = try #require(try bench.end().first)
    #expect(stub.text("/request/url") == "https://\(host):\(upstream.server.port)/v1/me")
    #expect(stub.text("/responses/0/json/name") == "Ada")
    let asked = try #require(upstream.player.run.journal.first)
    #expect(asked.request.headers["Host"] == "\(host):\(upstream.server.port)")
  }

  @Test func aClientThatPinsItsServerGetsThroughNextTime() throws {
    let bench = try bench("localhost")
    #expect(try curl(bench, "localhost", trusting: real.file).code == 60)
    #expect(bench.waitForHost())
    #expect(bench.recording.unrecorded(.pinned) == ["localhost"])
    let (text, code) = try curl(bench, "localhost", trusting: real.file)
    #expect(code == 0 && text == #"{"name":"Ada"}"#, "\(text)")
    #expect(try bench.end().isEmpty)
  }

  @Test func otherServersHaveToProveThemselves() throws {
    let bench = try RecordingBench(proxyFor: "localhost") { options in
      options.certificates = try ServerCertificates(from: ours.authority)
      options.forwarding.encryption = UpstreamEncryption.handlers(trusting: nil)
    }
    let (text, _) = try curl(bench, "localhost", trusting: ours.file)
    #expect(text.contains("is not trusted by this system"), "\(text)")
    #expect(upstream.player.run.journal.isEmpty)
    #expect(try bench.end().isEmpty)
  }

  @Test func aTunnelThatIsNotChosenIsNotLookedInto() throws {
    let bench = try bench("other.test")
    let (text, code) = try curl(bench, "localhost", trusting: real.file)
    #expect(code == 0 && text == #"{"name":"Ada"}"#, "\(text)")
    #expect(bench.recording.unrecorded(.notChosen) == ["localhost"])
    #expect(try bench.end().isEmpty)
  }
}
#endif
