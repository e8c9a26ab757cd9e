import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What recorders write wrongly, or leave out: it is read or reported, and never lost without a line.
@Suite struct RecordedContentTests {
  private func har(
    request: String = "", headers: String = "[]", content: String = HARText.content("{}")
  ) throws(FormatError) -> ImportRun {
    let method = request.isEmpty ? "GET" : "POST"
    return try ImportRun(
      "a.har",
      HARText.archive([HARText.entry(method, request: request, headers: headers, content: content)])
    )
  }

  private func vcr(
    uri: String = "https://api.shop.test/v1/me", request: String = "''", response: String = "hello"
  ) throws(FormatError) -> ImportRun {
    try ImportRun(
      "a.yml",
      """
      http_interactions:
      - request: {method: post, uri: '\(uri)', body: \(request)}
        response: {status: {code: 200}, headers: {Content-Type: [text/plain]}, body: \(response)}
      """)
  }

  private func nock(_ members: String) throws(FormatError) -> ImportRun {
    try ImportRun(
      "a.json",
      #"[{"scope": "https://a.test", "method": "GET", "path": "/x", "status": 200, \#(members)}]"#)
  }

  @Test(arguments: [
    (#", "postData": {"mimeType": "text/plain", "params": "a=1"}"#, "no-request-body"),
    (#", "postData": {"mimeType": "text/plain", "text": {"a": 1}}"#, "no-request-body"),
    (#", "postData": {"mimeType": "text/plain", "text": ["a"]}"#, "no-request-body"),
  ])
  func contentsOfRequestsOfAWrongTypeAreReported(request: String, id: String) throws {
    let run = try har(request: request)
    #expect(run.ids(.dropped) == [id])
    #expect(run.ids(.changed) == [id])
    #expect(run.stubs[0].request.body == [])
    #expect(run.unknown == [])
  }

  @Test(arguments: [#"{"a": 1}"#, "[1]"])
  func contentsOfAnswersOfAWrongTypeAreReported(text: String) throws {
    let run = try har(content: #"{"size": 2, "mimeType": "text/plain", "text": \#(text)}"#)
    #expect(run.ids(.dropped) == ["no-body", "no-body"])
    #expect(run.stubs[0].responses[0].body == nil)
    let cassette = try vcr(response: "{string: \(text)}")
    #expect(cassette.ids(.dropped) == ["no-body", "no-body"])
    #expect(cassette.unknown == [])
  }

  @Test func headerFieldsMayBeAnObject() throws {
    let run = try har(headers: #"{"X-A": "1", "X-B": ["2", "3"]}"#)
    #expect(run.stubs[0].responses[0].headers.map(\.value) == ["1", "2", "3", "text/plain"])
    #expect(run.unknown == [])
  }

  @Test(arguments: ["not base64!", "AAE", "A"])
  func whatIsMarkedAsBase64AndIsNotIsReported(text: String) throws {
    let content = HARText.content(text, type: "image/png", more: #", "encoding": "base64""#)
    let isBase64 = text == "AAE"
    let run = try har(content: content)
    #expect(run.ids(.changed) == (isBase64 ? [] : ["damaged"]))
    #expect(run.stubs[0].responses[0].body == (isBase64 ? .data(Data([0, 1])) : .text(text)))
    let cassette = try vcr(response: "{base64_string: '\(text)'}")
    #expect(cassette.ids(.changed) == (isBase64 ? [] : ["damaged"]))
    let fixture = try nock(#""responseIsBinary": true, "response": "xyz""#)
    #expect(fixture.ids(.changed) == ["damaged"])
    #expect(fixture.stubs[0].responses[0].body == .text("xyz"))
  }

  @Test func theTypeOfTheContentStandsInForTheHeaderField() throws {
    let run = try har(
      request:
        #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "a=1&b=2"}"#)
    #expect(
      run.stubs[0].request.body == [
        .form([NamedPattern("a", "1"), NamedPattern("b", "2")], isExact: true)
      ])
  }

  @Test func partsWithoutAContentAreReported() throws {
    let run = try har(
      request:
        #", "postData": {"mimeType": "multipart/form-data", "params": [{"name": "f", "fileName": "a.png"}, {"name": "t", "value": "x"}]}"#
    )
    #expect(run.ids(.changed) == ["no-request-body"])
    #expect(run.result.report.lines.first?.text.contains("\"f\"") == true)
  }

  @Test(arguments: [100, 103, 199])
  func interimAnswersAreNoAnswers(status: Int) throws {
    let run = try ImportRun("a.har", HARText.archive([HARText.entry(status: status)]))
    #expect(run.stubs.isEmpty)
    #expect(run.ids(.dropped) == ["no-answer"])
  }

  @Test(arguments: [
    ("_ga=GA1.2", false), ("_ga_1ABC=x", false), ("_gid=1", false), ("AWSALB=x", false),
    ("_gallery=1", true), ("_gatsby=1", true), ("session=1", true),
  ])
  func onlyCookiesOfAnalyticsAreLeftOut(cookie: String, isKept: Bool) throws {
    let run = try har(headers: #"[{"name": "Set-Cookie", "value": "\#(cookie); Path=/"}]"#)
    #expect(run.stubs[0].responses[0].headers.contains { $0.name == .setCookie } == isKept)
  }

  @Test(arguments: [
    ("state=af0ifjsldkj1234567890ABC", "has a value that looks made for one request"),
    ("expires=1763632800123", "has a value that looks made for one request"),
    ("cb=5", "has another value in every request, as its name says"),
  ])
  func theReportSaysWhyAParameterIsNotMatched(query: String, reason: String) throws {
    let run = try ImportRun(
      "a.har", HARText.archive([HARText.entry("GET", "https://a.test/?\(query)")]))
    #expect(run.result.report.lines.first?.text.contains(reason) == true)
    #expect(run.stubs[0].request.query.map(\.pattern) == [.anything])
  }

  @Test func valuesOfURLsStayOutOfReports() throws {
    let url = "http://ada:hunter2secret@exa mple:port/?token=hunter3secret"
    let run = try ImportRun("a.har", HARText.archive([HARText.entry("GET", url)]))
    let text = run.result.report.lines.map(\.text).joined()
    #expect(run.ids(.dropped) == ["invalid-url"])
    #expect(!text.contains("hunter"))
  }

  @Test func unknownValuesNameTheirStub() throws {
    let text = HARText.archive([HARText.entry(), HARText.entry("GET", "https://a.test/2")])
      .replacingOccurrences(
        of: #""url": "https://a.test/2""#, with: #""url": "https://a.test/2", "colour": "red""#)
    let run = try ImportRun("a.har", text)
    let line = try #require(run.result.report.lines.first { $0.id == .unknown })
    #expect(line.pointer == "/log/entries/1/request/colour")
    #expect(line.key == "get-2")
    #expect(line.scenario == "a")
  }

  @Test(
    arguments: [
      ("https://<HOST>/v1/me", nil, "/v1/me", 0), ("<<BASE_URL>>v1/me?k=<<KEY>>", nil, "/v1/me", 0),
      ("https://a.test/users/<USER_ID>", "a.test", "/users/{user_id}", 0),
      ("https://a.test/x?key=<API_KEY>&a=1", "a.test", "/x", 1),
      ("https://a.test/x?key=%3CAPI_KEY%3E&a=1", "a.test", "/x", 1),
      ("https://a.test/x?q=a%3Cb&a=1", "a.test", "/x", 2),
    ] as [(String, String?, String, Int)])
  func placeholdersInURLsAreFree(uri: String, host: String?, path: String, count: Int) throws {
    let run = try vcr(uri: uri)
    let request = run.stubs[0].request
    #expect(request.host?.literal == host)
    #expect(request.path == .template(path))
    #expect(request.query.count == count)
    #expect(run.ids(.changed).contains("variable") == (count != 2))
  }

  @Test func rubyInAnAnswerIsReported() throws {
    let run = try vcr(response: "{string: 'Hello <%= name %>'}")
    #expect(run.stubs[0].responses[0].body == .text("Hello <%= name %>"))
    #expect(run.ids(.changed) == ["template"])
  }

  @Test func fieldsThatNockMatchesAreMatched() throws {
    let run = try nock(
      #""response": "x", "reqheaders": {"accept": "application/json", "content-type": "text/plain", "authorization": "Bearer abcdef", "host": "a.test", "user-agent": "x", "content-length": 7}"#
    )
    // As the file writes the names.
    let (accept, contentType, authorization) = (
      try #require(HTTPField.Name("accept")), try #require(HTTPField.Name("content-type")),
      try #require(HTTPField.Name("authorization"))
    )
    #expect(
      run.stubs[0].request.headers
        == HeaderPattern.sorted([
          HeaderPattern(accept, "application/json"), HeaderPattern(contentType, "text/plain"),
          HeaderPattern(authorization, .matches(".+")),
        ]))
    #expect(!run.documents.contains("abcdef"))
    #expect(run.unknown == [])
  }

  @Test(arguments: [
    (#""response": "x", "query": {"a": "1", "b": [2, 3]}"#, ["a", "b"]),
    (#""response": "x", "query": "c=1&d=2""#, ["c", "d"]), (#""response": "x", "query": true"#, []),
  ])
  func theQueryOfNockMayStandByItself(members: String, names: [String]) throws {
    let run = try nock(members)
    #expect(run.stubs[0].request.query.map(\.name) == names)
    #expect(run.unknown == [])
  }

  @Test func pathsOfNockWithoutASlashAreReadAndExpressionsLeftOut() throws {
    let run = try ImportRun(
      "a.json",
      #"[{"scope": "https://a.test/", "path": "v1/x", "status": 200, "response": "x"}, {"scope": "/a\\.test/", "path": "/y", "status": 200, "response": "x"}]"#
    )
    #expect(run.stubs.map(\.request.path) == [.template("/v1/x")])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  @Test func expressionsOfMocktailHaveAGroupOnlyWhereTheyNeedOne() throws {
    func pattern(_ expression: String) throws -> ValuePattern? {
      try ImportRun("a.tail", "GET\n\(expression)\n200\ntext/plain\n\nx").stubs[0].request.wholeURL
    }
    #expect(try pattern(".*/users") == .matches("(?si).*.*/users.*"))
    #expect(try pattern("/a|/b") == .matches("(?si).*(?:/a|/b).*"))
  }

  /// Each file is read once, however many of a folder cannot be read.
  @Test func badFilesDoNotMakeTheOthersBeReadAgain() throws {
    try withTemporaryFolder { folder in
      for number in 0..<60 {
        try Data(#"{"request": {"urlPath": "/\#(number)"}, "response": {}}"#.utf8).write(
          to: folder.appendingPathComponent("good\(number).json"))
      }
      for number in 0..<10 {
        try Data(#"{"request": {"urlPath": "/x"}, "response": {"bodyFileName": "no.txt"}}"#.utf8)
          .write(
            to: folder.appendingPathComponent("wrong\(number).json"))
      }
      let log = ReportLog()
      var shown: [String] = []
      log.progress = { shown.append($0) }
      let inputs = try ImportFiles(log: log).inputs(at: folder, named: "mocks")
      let result = try Importer(log: log).scenarios(of: inputs)
      #expect(result.report.stubCount == 60)
      #expect(result.report.lines.count { $0.id == .unreadable } == 10)
      #expect(shown.filter { $0.hasSuffix("requests read") } == ["64 requests read"])
      #expect(shown.contains("64 of 70 files read"))
    }
  }

  @Test func foldersThatCannotBeReadAreNamed() throws {
    try withTemporaryFolder { folder in
      for name in ["a", "b"] {
        let place = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(HARText.archive([HARText.entry()]).utf8).write(
          to: place.appendingPathComponent("shop.har"))
      }
      struct Refusal: Error {}
      func inputs(without refused: String) throws -> ([ImportInput], ReportLog) {
        let log = ReportLog()
        let files = ImportFiles(log: log) { path in
          if path.hasSuffix(refused) { throw Refusal() }
          return try FileManager.default.contentsOfDirectory(atPath: path)
        }
        return (try files.inputs(at: folder, named: "recordings"), log)
      }
      let (found, log) = try inputs(without: "/b")
      #expect(found.map(\.file) == ["recordings/a/shop.har"])
      let result = try Importer(log: log).scenarios(of: found)
      #expect(result.report.lines.map(\.file) == ["recordings/b"])
      #expect(result.report.lines.map(\.id) == [.unreadable])
      let error = #expect(throws: FormatError.self) { try inputs(without: folder.path) }
      #expect(error?.file == "recordings")
    }
  }

  @Test(arguments: [
    (
      "har", "bad.har", #"{"log": {"entries": [{"request": 5}]}}"#,
      HARText.archive([HARText.entry()])
    ),
    (
      "vcr", "bad.json", #"{"http_interactions": [{"request": {}}]}"#,
      #"{"http_interactions": [{"request": {"uri": "https://a.test/"}, "response": {"status": {"code": 200}}}]}"#
    ),
    (
      "nock", "bad.json", #"[{"scope": 1, "path": "/"}, {"scope": []}]"#,
      #"[{"scope": "https://a.test", "path": "/", "status": 200, "response": ""}]"#
    ),
    ("tail", "bad.tail", "GET\n[\n200\ntext/plain\n\nx", "GET\n.*\n200\ntext/plain\n\nx"),
    (
      "http", "bad.txt", "HTTP/1.1 200 OK\n\nx",
      "GET /x HTTP/1.1\nHost: a.test\n\nHTTP/1.1 200 OK\n\nx"
    ),
    (
      "pact", "bad.json", #"{"consumer": {}, "provider": {}, "interactions": [{}]}"#,
      #"{"consumer": {}, "provider": {}, "interactions": [{"request": {"method": "GET", "path": "/"}, "response": {"status": 200}}]}"#
    ),
    (
      "wiremock", "bad.json", #"{"mappings": [{"request": {"urlPath": "/"}}, 5]}"#,
      #"{"request": {"urlPath": "/"}, "response": {}}"#
    ),
    ("syntax", "bad.har", "{", HARText.archive([HARText.entry()])),
  ])
  func oneBadFileOfAFolderIsLeftOutByItself(
    folder: String, name: String, bad: String, good: String
  ) throws {
    try withTemporaryFolder { root in
      let root = root.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      let ending = name.drop { $0 != "." }
      try Data(bad.utf8).write(to: root.appendingPathComponent(name))
      try Data(good.utf8).write(to: root.appendingPathComponent("good\(ending)"))
      let run = try ImportRun(folder: root)
      #expect(run.result.report.stubCount == 1)
      let lines = run.result.report.lines.filter { $0.level == .dropped }
      #expect(lines.map(\.id.rawValue) == ["unreadable"])
      #expect(lines.map(\.file) == ["\(folder)/\(name)"])
      #expect(run.unknown == [])
      // The file by itself, or a folder of nothing else, is an error.
      try FileManager.default.removeItem(at: root.appendingPathComponent("good\(ending)"))
      #expect(throws: FormatError.self) { try ImportRun(folder: root) }
      #expect(throws: FormatError.self) {
        try ImportRun(folder: root.appendingPathComponent(name))
      }
    }
  }

  @Test func aFileOfAFolderThatReachesOutOfItEndsTheImport() throws {
    try withTemporaryFolder { folder in
      let root = folder.appendingPathComponent("in")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      let content = #"{"size": -1, "mimeType": "text/plain", "_file": "../secret"}"#
      try Data("secret".utf8).write(to: folder.appendingPathComponent("secret"))
      try Data(HARText.archive([HARText.entry(content: content)]).utf8).write(
        to: root.appendingPathComponent("bad.har"))
      try Data(HARText.archive([HARText.entry()]).utf8).write(
        to: root.appendingPathComponent("good.har"))
      let error = #expect(throws: FormatError.self) { try ImportRun(folder: root) }
      #expect(error?.file == "in/bad.har")
    }
  }
}
