import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@Suite struct ExportFrameTests {
  @Test func nothingOfADocumentIsSilent() throws {
    let run = try ExportRun(FeatureDocuments.all, as: ExampleFormat())
    // The format says nothing of responses, so the frame does.
    #expect(run.unknown.contains("url /responses"))
    #expect(run.unknown.contains(" /tags"))
    #expect(!run.unknown.contains { $0.contains("/request") })
  }

  @Test func linesHavePlacesAndNoFiles() throws {
    let run = try ExportRun(FeatureDocuments.all, as: ExampleFormat())
    let line = try #require(run.result.report.lines.first { $0.pointer == "/then" })
    #expect(line.scenario == "shop/features")
    #expect(line.key == "url")
    #expect(line.line == nil)
    #expect(
      line.description
        == "shop/features url /then: dropped: examples has no counterpart for this; it was left out"
    )
    guard case .object(let members) = line.json else { return #expect(Bool(false)) }
    #expect(members["file"] == .null)
  }

  @Test func scenariosThatAreGivenTwiceCountOnce() throws {
    let run = try ExportRun(
      FeatureDocuments.all + [FeatureDocuments.included], as: ExampleFormat())
    #expect(run.content.scenarios.map(\.name.rawValue) == ["shop/features", "shop/included"])
    #expect(run.content.stubs.last?.stub.key == "me")
  }

  @Test func stubsAreOrderedAsTheyAnswer() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "late", "priority": 9}"#, #"{"key": "b"}"#, #"{"key": "c"}"#,
        #"{"key": "early", "priority": 1}"#,
      ], as: ExampleFormat())
    #expect(
      run.content.stubsInAnswerOrder.map(\.stub.key.rawValue) == ["early", "b", "c", "late"])
    #expect(run.content.stubs.map(\.stub.key.rawValue) == ["late", "b", "c", "early"])
  }

  /// The request of a stub, and the ids of what its example lacks.
  @Test(arguments: [
    (#"{"url": "https://a.test/x?b=2"}"#, ""),
    (#"{"url": "/x"}"#, "variable"), ("{}", "variable"),
    (#"{"host": "a.test", "path": "/x"}"#, "variable"),
    (#"{"host": "a.test", "port": 81}"#, "variable"),
    (#"{"host": "a.test", "scheme": "http"}"#, ""),
    (#"{"url": "https://a.test/{id}/**"}"#, "example"),
    (#"{"url": "https://a.test/{id}", "pathParameters": {"id": "a b/c"}}"#, "example"),
    (#"{"url": {"matches": "https://a\\.test/v[0-9]/.*"}}"#, "example"),
    (#"{"url": "https://a.test/", "query": {"q": {"matches": "(?i)[a-f]{3}"}}}"#, "example"),
    (#"{"url": "https://a.test/", "query": {"q": {"before": "now -3 days"}}}"#, "example"),
    (
      #"{"url": "https://a.test/", "query": {"q": {"and": [{"contains": "a"}, {"contains": "b"}]}}}"#,
      "example"
    ),
    (
      #"{"url": "https://a.test/", "headers": {"Authorization": {"matches": "Bearer .+"}}}"#,
      "example"
    ),
    (#"{"url": "https://a.test/", "headers": {"X-A": ["1", "2"]}}"#, ""),
    (#"{"url": "https://a.test/", "cookies": {"a": "1", "b": {"not": "2"}}}"#, "example"),
    (
      #"{"url": "https://a.test/", "body": {"matchesJsonPath": "$.a[?(@.b == 'x')].c"}}"#, "example"
    ),
    (
      #"{"url": "https://a.test/", "body": {"matchesJsonPath": {"expression": "$.n", "greaterThanNumber": 4}}}"#,
      "example"
    ),
    (
      #"{"url": "https://a.test/", "body": [{"matchesJsonPath": "$.a"}, {"matchesJsonPath": "$.b"}]}"#,
      "example example"
    ),
    (
      #"{"url": "https://a.test/", "body": [{"matchesJsonPath": "$.a[0].b"}, {"contains": "mug"}]}"#,
      "example example"
    ),
    (
      #"{"url": "https://a.test/", "body": {"equalToJson": {"a": ["${json-unit.any-number}", 2]}}}"#,
      "example"
    ),
    (#"{"url": "https://a.test/", "body": {"equalToJson": {"a": [1, 2]}}}"#, ""),
    (
      #"{"url": "https://a.test/", "body": {"matchesXPath": {"expression": "/a/b[@id='1']/text()", "equalTo": "x"}}}"#,
      "example"
    ),
    (#"{"url": "https://a.test/", "body": {"form": {"a": "1 2", "b": ["x", "y"]}}}"#, ""),
    (#"{"url": "https://a.test/", "body": {"not": {"contains": "x"}}}"#, "example"),
    (#"{"url": "https://a.test/", "body": {"or": [{"equalToJson": 1}, "x"]}}"#, "example"),
  ])
  func examplesSatisfyTheirPatterns(request: String, ids: String) throws {
    let run = try ExportRun(
      stubs: [#"{"key": "a", "request": \#(request), "responses": [{"status": 299}]}"#],
      as: ExampleFormat())
    let lines = run.result.report.lines.filter { $0.id != .unknown }
    #expect(lines.map(\.id.rawValue).joined(separator: " ") == ids, "\(lines)")
    #expect(lines.allSatisfy { $0.level == .changed })
    let examples = ExportContent(run.scenarios).stubs[0].examples(ExportOptions())
    #expect(try run.play(examples).map { $0?.status } == [299])
  }

  @Test func whatNoExampleSatisfiesIsReported() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"url": "https://a.test/", "body": {"matches": "(?=x)y"}}}"#,
        #"{"key": "b", "request": {"url": "https://a.test/", "path": {"matches": "/(?=x)y"}}}"#,
      ].map { $0.replacingOccurrences(of: #""url": "https://a.test/", "path""#, with: #""path""#) },
      as: ExampleFormat())
    #expect(run.ids(.dropped) == ["operator", "stub-left-out"])
    #expect(run.result.report.stubCount == 1)
  }

  @Test func anExampleThatAnotherStubAnswersIsReported() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "narrow", "priority": 1, "request": {"url": "https://a.test/x", "method": "GET", "query": {"a": "1"}}}"#,
        #"{"key": "wide", "priority": 2, "request": {"url": "https://a.test/x", "method": "GET"}}"#,
        #"{"key": "hidden", "request": {"url": "https://a.test/x", "method": "GET", "query": {"b": "1"}}}"#,
      ], as: ExampleFormat())
    let lines = run.result.report.lines.filter { $0.id == .priority }
    #expect(lines.map(\.key) == ["hidden"])
    #expect(lines.map(\.text) == ["The stub wide answers the example first"])
  }

  @Test func everyMethodHasItsExample() throws {
    let run = try ExportRun(
      stubs: [#"{"key": "a", "request": {"url": "https://a.test/x", "method": ["PUT", "GET"]}}"#],
      as: ExampleFormat())
    #expect(run.text == "GET https://a.test/x\nPUT https://a.test/x\n")
  }

  @Test func responsesArePlayedWithTheExample() throws {
    let run = try ExportRun(
      stubs: [
        #"""
        {"key": "a", "request": {"method": "POST", "url": "https://a.test/{id}", "body": {"equalToJson": {"n": 7}}},
         "capture": {"last": {"jsonPath": "$.n"}},
         "responses": [
          {"text": "{{request.path.id}} {{captured.last}} {{now}}", "template": true, "repeat": 3},
          {"next": true}, {"error": "timedOut"}, {"text": "abcdef", "fault": "truncated"},
          {"status": 204}, {"json": [1], "delay": "2s"}],
         "flow": {"name": "f", "requires": "paid"}}
        """#
      ], as: ExampleFormat())
    let stub = run.content.stubs[0]
    let example = try #require(stub.examples(ExportOptions()).first)
    let played = stub.played(example)
    #expect(played.map(\.index) == [0, 1, 2, 3, 4, 5])
    #expect(played[0].text == "1 7 2026-01-01T00:00:00Z")
    #expect(played[0].repeatCount == 3)
    #expect(played[1].ending == .next)
    #expect(played[2].ending == .error(try #require(ResponseError(urlErrorName: "timedOut"))))
    #expect(played[3].text == "abc")
    #expect(played[4].status == 204)
    #expect(played[5].headers[.contentType] == "application/json")
    #expect(played[5].delay == .seconds(2))
  }

  /// A byte order mark is a part of the content, in files of their own, too; a description has no contents that are text.
  @Test(arguments: ExportFormats.all.map(\.name).filter { $0 != "openapi" })
  func byteOrderMarksStay(name: String) throws {
    let format = try #require(ExportFormats.named(name))
    for rest in ["a", String(repeating: "a", count: 70_000)] {
      let run = try ExportRun(
        stubs: [
          #"""
          {"key": "a", "request": {"method": "POST", "url": "https://a.test/x",
             "body": {"equalTo": "\uFEFFa"}}, "responses": [{"text": "\uFEFF\#(rest)"}]}
          """#
        ], as: format)
      let imported = try withTemporaryFolder { folder in
        for file in run.result.files {
          let url = folder.appendingPathComponent(file.path)
          try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
          try file.content.write(to: url)
        }
        return try ImportRun(folder: folder)
      }
      let stub = try #require(imported.stubs.first)
      #expect(stub.request.body == [.value(.equalTo("\u{FEFF}a"))])
      // Commands have no answers.
      guard name != "curl" else { continue }
      #expect(stub.responses.first?.body == .text("\u{FEFF}" + rest))
    }
  }

  @Test func fieldsThatWouldEndInASpaceGetALongerExample() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"url": "/a", "headers": {"Authorization": {"matches": "Bearer .*"}, "B": {"matches": "[a-z]* [a-z]*"}}}}"#
      ], as: ExampleFormat())
    #expect(run.ids(.dropped).filter { $0 != "unknown" } == [])
    let example = try #require(run.content.stubs[0].examples(ExportOptions()).first)
    #expect(example.headers[.authorization] == "Bearer a")
    #expect(example.headers.map(\.value).last == "a a")
  }

  @Test func whatHasNoExampleHasOneLine() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"url": "/a", "headers": {"A": "1", "B": {"matches": "(?=x)y"}}}}"#
      ], as: ExampleFormat())
    let lines = run.result.report.lines.filter {
      $0.pointer?.hasPrefix("/request/headers") ?? false
    }
    #expect(lines.map(\.pointer) == ["/request/headers/B"])
    #expect(lines.map(\.level) == [.dropped])
  }

  @Test(arguments: ExportFormats.all.map(\.name))
  func progressIsTold(format: String) throws {
    let stubs = (0..<40).map {
      #"{"key": "s\#($0)", "request": {"method": "GET", "url": "https://h.test/\#($0)"}}"#
    }
    let scenario = try ScenarioDocument.decode(
      Data(#"{"scenario": "a/b", "stubs": [\#(stubs.joined(separator: ","))]}"#.utf8))
    let log = ReportLog()
    var shown: [String] = []
    log.progress = { shown.append($0) }
    let content = ExportContent([scenario], log: log)
    _ = Exporter.result(of: content, as: try #require(ExportFormats.named(format)))
    #expect(shown == ["16 stubs written", "32 stubs written"])
  }

  @Test(arguments: ["har", "postman"])
  func stubsThatOnlyFieldsTellApartAreReported(format: String) throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "b", "request": {"method": "GET", "url": "https://h.test/a", "headers": {"X": "1"}}}"#,
        #"{"key": "a", "request": {"method": "GET", "url": "https://h.test/a"}}"#,
        #"{"key": "c", "request": {"method": "GET", "url": "https://h.test/c", "headers": {"X": "1"}}}"#,
      ], as: try #require(ExportFormats.named(format)))
    let lines = run.result.report.lines.filter { $0.id == .priority }
    #expect(lines.map(\.key) == ["a"])
    #expect(lines.first?.text.contains("The stub b has the same method, URL and content") == true)
  }

  @Test(arguments: ["har", "curl", "postman", "pact", "wiremock"])
  func aHostOfWhichOnlyTheDefaultPortAnswersIsExported(format: String) throws {
    let document = #"""
      {"scenario": "a/b", "stubs": [{"key": "c", "responses": [{"json": {"a": 1}}],
       "request": {"method": "GET", "url": {"matches": "[a-z]+://[^/:?]+(?:[/?].*)?"},
         "host": "h.test", "path": "/a"}}]}
      """#
    let run = try ExportRun([document], as: try #require(ExportFormats.named(format)))
    #expect(run.ids(.dropped) == [])
    let text = run.result.files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
    #expect(text.contains("/a\"") || text.contains("/a'"), "\(text)")
    #expect(text.contains("h.test") || format == "pact", "\(text)")
  }

  @Test(arguments: ExportFormats.all.map(\.name))
  func ofAResourceTheListIsExported(format: String) throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "items", "resource": {"at": "https://h.test/items", "seed": [{"id": "needle"}]}}"#
      ], as: try #require(ExportFormats.named(format)))
    #expect(run.unknown == [])
    let lines = run.result.report.lines.filter {
      $0.text.contains(format == "openapi" ? "keeps in a run" : "became a stub for its list")
    }
    #expect(lines.map(\.key) == ["items"])
    let text = run.result.files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
    #expect(text.contains("/items"))
    #expect(!text.contains("(/[^/]+)?"))
    // A command has no answers.
    #expect(text.contains("needle") == (format != "curl"))
  }
}

extension ExportRun {
  /// The scenarios as they were given.
  fileprivate var scenarios: [Scenario] {
    content.scenarios.map { exported in
      var scenario = exported.scenario
      scenario.stubs = exported.stubs.map(\.stub)
      return scenario
    }
  }
}
