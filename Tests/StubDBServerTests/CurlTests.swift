#if Server
import Foundation
import StubDBConformance
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import StubDBTestSupport
import Testing

/// How curl talks to the server.
enum CurlTransport: String, CaseIterable {
  case plain
  #if TLS
  case http2
  case secureHTTP2
  #endif

  var scheme: String { rawValue.hasPrefix("secure") ? "https" : "http" }

  /// The options of curl.
  var options: [String] {
    switch self {
    case .plain: ["--http1.1"]
    #if TLS
    case .http2: ["--http2-prior-knowledge"]
    case .secureHTTP2: ["--http2"]
    #endif
    }
  }

  /// What the first line of an answer begins with.
  var version: String { rawValue.lowercased().hasSuffix("http2") ? "HTTP/2" : "HTTP/1.1" }
}

/// A part of the conformance table, asked for by a client that is not ours.
@Suite struct CurlTests {
  /// Cases that a server without a proxy's clients can play: their requests differ by more than the host.
  static let cases: [ConformanceCase] = ConformanceCase.all.filter { row in
    guard row.isSendable, let origins = try? row.loaded().origins, origins.count <= 1 else {
      return false
    }
    let isAboutHosts = [
      "scheme\"", "host\"", "port\"", "\"url\": {", "request.url", "request.port", "request.host",
      "request.baseUrl", "baseURL", "matches\": \"http",
    ]
    .contains(where: row.document.contains)
    return !isAboutHosts
      && row.steps.allSatisfy { step in
        step.request.url.utf8.allSatisfy { $0 < 128 } && !step.isSilent
          && (origins.isEmpty || step.request.url.hasPrefix("\(origins[0])/"))
      }
  }

  #if TLS
  /// Made once: each has to make keys.
  private static let authority = Result { try CertificateAuthority() }
  #endif

  @Test func manyCasesSuitAClientOfTheServer() {
    #expect(Self.cases.count >= 30)
  }

  @Test(arguments: CurlTransport.allCases, cases)
  func curlGetsTheOutcome(_ transport: CurlTransport, _ row: ConformanceCase) throws {
    var options = ServerOptions()
    options.threadCount = 1
    var arguments = transport.options
    #if TLS
    let authority = transport.scheme == "https" ? try TestAuthority(Self.authority.get()) : nil
    if let authority {
      options.certificates = try ServerCertificates(from: authority.authority)
      arguments += ["--cacert", authority.file.path]
    }
    #endif
    let server = try TestServer(try row.loaded(), pace: .instant, options: options)
    for step in row.steps {
      let comment: Comment = "\(step.request.method) \(step.request.url)"
      let (bytes, code) = try Self.curl(
        step.request, transport.scheme, port: server.server.port, arguments)
      let stub = server.player.run.journal.last?.stubKey
      let answer = WireAnswer(
        bytes, isHead: step.request.method == "HEAD", version: transport.version)
      switch step.outcome {
      case .response(let key, let status, _, let body, _):
        #expect(code == 0 && stub == key, comment)
        #expect(answer?.status == status && answer?.text == body, comment)
      case .pieces(let key, let body, let pieces, let error):
        #expect(stub == key, comment)
        let isWhole = pieces.map(\.bytes).reduce(0, +) == body.utf8.count
        // A stream of HTTP/2 says its end, so that it is missed even behind all of the content.
        if transport == .plain || error == nil || !isWhole {
          #expect((code == 0) == (error == nil || isWhole), comment)
        }
        if error == nil { #expect(answer?.text == body, comment) }
      case .unmatched:
        #expect(code == 0 && stub == nil && answer?.status == 404, comment)
      case .passthrough(let key):
        #expect(code == 0 && stub == key && answer?.status == 502, comment)
      case .error(let key, "StubDB", _):
        #expect(code == 0 && stub == key && answer?.status == 500, comment)
      case .error(let key, _, _):
        // In HTTP/1 curl says what: not HTTP, an empty reply, a failure to receive.
        #expect(transport == .plain ? [1, 52, 56].contains(code) : code != 0, comment)
        #expect(stub == key, comment)
      case .silence: break
      }
    }
  }

  /// What curl prints for a request, and its exit code.
  private static func curl(
    _ request: ConformanceRequest, _ scheme: String, port: Int, _ options: [String]
  ) throws -> (output: Data, code: Int32) {
    let rest = request.url.components(separatedBy: "://").dropFirst().joined(separator: "://")
    var arguments = options
    arguments += [
      "--silent", "--include", "--path-as-is", "--globoff", "--noproxy", "*",
      "--connect-to", "::127.0.0.1:\(port)", "--header", "User-Agent:", "--header", "Accept:",
    ]
    arguments +=
      request.method == "HEAD" ? ["--head"] : ["--request", request.method]
    for (name, value) in request.headers {
      arguments += ["--header", value.isEmpty ? "\(name);" : "\(name): \(value)"]
    }
    guard case .bytes(let content) = request.body else { return (Data(), -1) }
    if !content.isEmpty {
      if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        arguments += ["--header", "Content-Type:"]
      }
      arguments += ["--data-binary", "@-"]
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl"] + arguments + ["\(scheme)://\(rest)"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.start()
    try input.fileHandleForWriting.write(contentsOf: content)
    try input.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (bytes, process.terminationStatus)
  }
}

extension ConformanceCase.Step {
  /// Whether a client would wait for ever.
  fileprivate var isSilent: Bool {
    switch outcome {
    case .silence: true
    case .pieces(_, _, _, let error): error == 0 || error == -1001
    case .error(_, _, let code): code == -1001
    default: false
    }
  }
}
#endif
