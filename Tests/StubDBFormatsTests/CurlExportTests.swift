import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@Suite struct CurlExportTests {
  private static let format = ExportFormats.named("curl")

  /// Requests to any host, with every kind of content and every character that a shell or curl might take for its own.
  private static let stubs = [
    #"{"key": "get", "request": {"method": "GET", "url": "/items?q=a%20b%26c&x=%5B1%5D"}}"#,
    #"{"key": "json", "request": {"method": "POST", "url": "/json", "body": {"equalToJson": {"it's": "$HOME `x` \"y\" !"}}}}"#,
    #"{"key": "text", "request": {"method": "PUT", "url": "/text", "headers": {"X-Empty": "", "X-A": "it's"}, "body": {"equalTo": "@file\nnext 'line' \\"}}}"#,
    #"{"key": "form", "request": {"method": "POST", "url": "/form", "body": {"form": {"a b": "1 & 2", "c": ["x", "=y"]}}}}"#,
    #"{"key": "parts", "request": {"method": "POST", "url": "/parts", "body": {"multipart": [{"name": "plain", "body": {"equalTo": "@a;type=b"}}, {"name": "file", "filename": "a\"b.txt", "headers": {"Content-Type": "text/csv"}, "body": {"equalTo": "x;y\n\"z\""}}]}}}"#,
    #"{"key": "bytes", "request": {"method": "POST", "url": "/bytes", "body": {"binaryEqualTo": "AAH/"}}}"#,
    // A quotation mark with a combining mark is a character of its own, and still a quotation mark for a shell.
    #"{"key": "marks", "request": {"method": "POST", "url": "/marks", "headers": {"X-A": "'\u0301$(exit 3)'\u200d"}, "body": {"equalTo": "'\u0301; exit 3; '\u0301 \"\u0301 \\\u0301"}}}"#,
    #"{"key": "form-marks", "request": {"method": "POST", "url": "/form-marks", "body": {"form": {"": "no name", "'\u0301": "'\u0301; exit 3; '"}}}}"#,
    #"{"key": "part-marks", "request": {"method": "POST", "url": "/part-marks", "body": {"multipart": [{"name": "a", "filename": "'\u0301\"\u0301;\n.txt", "body": {"equalTo": "'\u0301; exit 3; ' ;type=x"}}]}}}"#,
    #"{"key": "part-names", "request": {"method": "POST", "url": "/part-names", "body": {"multipart": [{"name": "a=b", "headers": {"Content-Type": "text/plain;filename=c"}, "body": {"equalTo": "x"}}]}}}"#,
    #"{"key": "long", "request": {"method": "POST", "url": "/long", "body": {"equalTo": "\#(String(repeating: "long ", count: 40_000))"}}}"#,
    #"{"key": "head", "request": {"method": "HEAD", "url": "/head"}}"#,
    #"{"key": "basic", "request": {"method": "DELETE", "url": "/basic", "basicAuth": {"username": "ada", "password": "p'w:1"}, "cookies": {"a": "1", "b": "2"}}}"#,
    #"{"key": "dots", "request": {"method": "GET", "url": "/a/../b"}}"#,
    #"{"key": "get-body", "request": {"method": "GET", "url": "/search", "body": {"equalToJson": {"q": 1}}}}"#,
    #"{"key": "graphql", "request": {"method": "POST", "url": "/graphql", "body": {"graphql": {"operationName": "Q", "query": "query Q { a(b: \"c\") }"}}}}"#,
  ]

  @Test func aCommandSaysWhatItSendsAndGets() throws {
    let run = try ExportRun(
      stubs: [
        #"""
        {"key": "charge", "summary": "refused, then accepted", "request": {"method": "POST",
           "url": "https://api.shop.test/v1/charges", "headers": {"Authorization": {"matches": "Bearer .+"}},
           "body": {"equalToJson": {"amount": 1200}}},
         "responses": [{"status": 402, "json": {"error": "declined"}, "repeat": 2}, {"status": 201},
           {"error": "timedOut"}]}
        """#,
        #"{"key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me"}}"#,
      ], as: try #require(Self.format))
    #expect(
      run.text == #"""
        # shop/test charge: refused, then accepted
        # 402 application/json, 20 bytes (2 times), then 201, then fails with timedOut
        curl -X POST 'https://api.shop.test/v1/charges' \
          -H 'Authorization: Bearer a' \
          -H 'Content-Type: application/json' \
          --data-raw '{"amount":1200}'

        # shop/test me
        # 200
        curl 'https://api.shop.test/v1/me'

        """#)
    #expect(run.ids(.changed) == ["example"])
    #expect(run.ids(.dropped) == [])
  }

  /// What is in a comment ends with its line.
  @Test(arguments: ["\n", "\r", "\r\n", "\u{B}"])
  func aCommentIsOneLine(end: String) throws {
    let run = try ExportRun(
      stubs: [
        #"""
        {"key": "a", "request": {"method": "GET", "url": "https://a.test/"},
          "responses": [{"error": {"domain": "x\#(JSONValue.string(end).canonicalText.dropFirst().dropLast())touch y", "code": 3}}]}
        """#
      ], as: try #require(Self.format))
    #expect(run.text.split(whereSeparator: \.isNewline).count == 3, "\(run.text)")
    #expect(run.text.hasPrefix("# shop/test a\n# fails with x"), "\(run.text)")
    #expect(run.text.hasSuffix("touch y 3\ncurl 'https://a.test/'\n"), "\(run.text)")
  }

  /// A catalog from elsewhere may have a key and a summary that no document can have.
  @Test(arguments: ["\n", "\r", "\u{202E}"])
  func aTitleIsOneLine(end: String) throws {
    let stub = Stub(
      key: Stub.Key(unchecked: "a\(end)touch x"), summary: "b\(end)touch y",
      request: try RequestPattern(method: .get, url: "https://a.test/"))
    let content = ExportContent(
      [Scenario(name: ScenarioName(unchecked: "shop"), stubs: [stub])], options: ExportOptions())
    let files = Exporter.result(of: content, as: try #require(Self.format)).files
    let text = files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
    #expect(text == "# shop a touch x: b touch y\n# 200\ncurl 'https://a.test/'\n")
  }

  @Test func allFeaturesAreAccountedFor() throws {
    let run = try ExportRun(FeatureDocuments.all, as: try #require(Self.format))
    #expect(run.unknown == [])
  }

  /// What curl itself sends is what the stubs answer.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
  func curlSendsWhatTheStubsAnswer() throws {
    let server = try LoopbackServer { _ in
      "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
    }
    var options = ExportOptions()
    options.server = server.url("")
    let run = try ExportRun(stubs: Self.stubs, as: try #require(Self.format), options: options)
    try withTemporaryFolder { folder in
      let script = folder.appendingPathComponent("stubs.sh")
      try Data(run.text.utf8).write(to: script)
      #expect(try Program.run("/bin/sh", ["-e", script.path]) == 0)
    }
    let sent = try server.requests.map(Self.request)
    let answers = try run.answers(to: sent)
    #expect(answers == run.content.stubs.map(\.stub.key.rawValue), "\(run.text)")
  }

  /// What the reader of curl commands makes of the commands is what the stubs answer; content from a pipe is not read.
  @Test func theCommandsReadBack() throws {
    let run = try ExportRun(
      stubs: Self.stubs.filter {
        !$0.contains("binaryEqualTo") && !$0.contains("multipart") && !$0.contains("long long")
      },
      as: try #require(Self.format))
    let sent = try run.text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { text in
      let command = try CurlCommand(parsing: text) { _ in Data() }
      var headers = HTTPFields()
      for field in command.fields {
        headers.append(HTTPField(name: try #require(.init(field.name)), value: field.value))
      }
      headers[.contentType] = command.contentType
      return StubRequest(
        method: command.method, url: command.url, headers: headers, body: .bytes(command.content))
    }
    let answers = try run.answers(to: sent)
    #expect(answers == run.content.stubs.map(\.stub.key.rawValue), "\(run.text)")
  }

  /// What is imported of the commands answers the requests that the stubs answer; content from a pipe is not read.
  @Test func theCommandsImportAsStubsOfTheSameRequests() throws {
    let run = try ExportRun(
      stubs: Self.stubs.filter { !$0.contains("binaryEqualTo") && !$0.contains("long long") },
      as: try #require(Self.format))
    let imported = try ImportRun("stubs.sh", run.text)
    #expect(imported.stubs.count == run.content.stubs.count)
    let read = try LoadedScenario(try #require(imported.result.scenarios.first)).run()
    for stub in run.content.stubs {
      for example in stub.examples(ExportOptions()) {
        guard case .respond? = read.respond(to: example.request) else {
          Issue.record("\(stub.stub.key): \(imported.result.report.text()) \(imported.documents)")
          continue
        }
      }
    }
  }

  private static func request(_ received: LoopbackServer.Request) throws -> StubRequest {
    let words = received.line.split(separator: " ").map(String.init)
    var headers = HTTPFields()
    for (name, value) in received.headers {
      headers[try #require(HTTPField.Name(name))] = value
    }
    return StubRequest(
      method: words[0], url: "http://any.test" + words[1], headers: headers,
      body: .bytes(received.body))
  }
}

extension ExportRun {
  /// The keys of the stubs that answer requests.
  fileprivate func answers(to requests: [StubRequest]) throws -> [String] {
    var scenario = try #require(content.scenarios.first).scenario
    scenario.stubs = content.stubs.map(\.stub)
    let run = try LoadedScenario(scenario).run()
    return requests.map { request in
      guard case .respond(let selection)? = run.respond(to: request) else {
        return "nothing for \(request)"
      }
      return selection.event.stubKey ?? ""
    }
  }
}
