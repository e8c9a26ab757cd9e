#if Server
import Foundation
import HTTPTypes
import StubDBConformance
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServer
import Testing

/// The conformance table, which the engine runs too, sent over sockets.
@Suite struct ConformanceTests {
  @Test(arguments: ConformanceCase.all)
  func clientGetsTheOutcome(_ row: ConformanceCase) throws {
    var options = ServerOptions()
    options.takesAbsoluteTargets = true
    options.threadCount = 1
    let server = try TestServer(try row.loaded(), pace: .instant, options: options)
    let steps = row.steps.filter(\.isSendable)
    for step in steps {
      let comment: Comment = "\(step.request.method) \(step.request.url)"
      let client = try server.client()
      client.send(Self.bytes(of: step.request))
      client.sendEnd()
      let (bytes, ending) = client.read()
      let stub = server.player.run.journal.last?.stubKey
      check(
        WireAnswer(bytes, isHead: step.request.method == "HEAD"), ending, stub, step.outcome,
        comment)
    }
    #expect(server.player.run.journal.count == steps.count)
  }

  private static func bytes(of request: ConformanceRequest) -> Data {
    let target = request.url.prefix { $0 != "#" }
    var head = "\(request.method) \(target) HTTP/1.1\r\nHost: ignored.test\r\n"
    for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
    guard case .bytes(let content) = request.body, !content.isEmpty else {
      return Data((head + "\r\n").utf8)
    }
    return Data((head + "Content-Length: \(content.count)\r\n\r\n").utf8) + content
  }

  private func check(
    _ answer: WireAnswer?, _ ending: RawClient.Ending, _ stubKey: String?,
    _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    switch (answer, expected) {
    case (let answer?, .response(let stub, let status, let fields, let body, _)):
      #expect(stubKey == stub, comment)
      #expect(answer.status == status, comment)
      for (name, values) in fields where name.lowercased() != "content-length" || !values.isEmpty {
        #expect(answer.values(of: name) == values, comment)
      }
      #expect(answer.text == body, comment)
      #expect(answer.isComplete && ending == .closed, comment)
    case (let answer?, .pieces(let stub, let body, let pieces, let code)):
      #expect(stubKey == stub, comment)
      let sent = code == nil ? body.utf8.count : pieces.map(\.bytes).reduce(0, +)
      // A reset may overtake the content.
      let isReset = ending == .reset
      #expect(isReset || answer.content == Data(body.utf8).prefix(sent), comment)
      #expect(isReset || answer.isComplete == (sent == body.utf8.count), comment)
      #expect(ending == .closed || code != nil, comment)
    case (nil, .silence(let stub)):
      #expect(stubKey == stub, comment)
      #expect(ending == .closed, comment)
    case (let answer?, .passthrough(let stub)):
      #expect(stubKey == stub, comment)
      #expect(answer.status == 502, comment)
    case (let answer?, .error(let stub, "StubDB", _)):
      // What cannot be rendered is the document's mistake, and says so.
      #expect(stubKey == stub, comment)
      #expect(answer.status == 500, comment)
    case (nil, .error(let stub, _, let code)), (nil, .pieces(let stub, _, _, let code?)):
      #expect(stubKey == stub, comment)
      #expect(ending == (code == -1001 ? .closed : ending), comment)
    case (let answer?, .unmatched):
      #expect(stubKey == nil, comment)
      #expect(answer.status == 404, comment)
      #expect(answer.values(of: "StubDB-Unmatched") == ["1"], comment)
    default:
      Issue.record("expected \(expected), got \(String(describing: answer)): \(comment)")
    }
  }
}

/// An answer as it came over the connection.
struct WireAnswer {
  let status: Int
  let fields: [(name: String, value: String)]
  let content: Data
  /// Whether all of the content came that the head promises.
  let isComplete: Bool

  /// Nil for bytes that do not begin with the head of a response.
  init?(_ bytes: Data, isHead: Bool = false, version: String = "HTTP/1.1") {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    guard words.count >= 2, words[0] == version, let status = Int(words[1]) else { return nil }
    self.status = status
    fields = lines.dropFirst().map { line in
      let parts = line.components(separatedBy: ": ")
      return (parts[0], parts.dropFirst().joined(separator: ": "))
    }
    let rest = Data(bytes[end.upperBound...])
    let isChunked = fields.contains { $0.name.lowercased() == "transfer-encoding" }
    if isChunked, !isHead {
      (content, isComplete) = Self.joined(rest)
      return
    }
    content = rest
    let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    isComplete = rest.count == (isHead ? 0 : length ?? 0)
  }

  func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The content without its coding.
  var text: String {
    var headers = HTTPFields()
    for coding in values(of: "content-encoding") { headers[.contentEncoding] = coding }
    let decoded = status == 206 ? content : try? ContentDecoding.content(content, headers: headers)
    return String(decoding: decoded ?? content, as: UTF8.self)
  }

  private static func joined(_ chunks: Data) -> (Data, isComplete: Bool) {
    var (rest, content) = (chunks, Data())
    while let line = rest.range(of: Data("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16)
    {
      if size == 0 { return (content, true) }
      let begin = line.upperBound
      guard rest.endIndex - begin >= size + 2 else { return (content, false) }
      content += rest[begin..<(begin + size)]
      rest = Data(rest[(begin + size + 2)...])
    }
    return (content, false)
  }
}

extension ConformanceCase {
  func loaded() throws -> LoadedScenario {
    try LoadedScenario(
      try ScenarioDocument.decode(Data(document.utf8)),
      including: try includes.map { try ScenarioDocument.decode(Data($0.utf8)) })
  }
}
#endif
