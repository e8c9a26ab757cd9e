import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// The hard cases of archives: what each producer writes, and what becomes of it.
@Suite struct HARImportTests {
  private func run(
    _ entries: [String], creator: String = "Test", options: ImportOptions = ImportOptions()
  ) throws -> ImportRun {
    try ImportRun("shop.har", HARText.archive(entries, creator: creator), options: options)
  }

  @Test func entriesWithoutARequestAreLines() throws {
    let run = try ImportRun(
      "a.har", HARText.archive([HARText.entry(), "{}", #"{"request": {"method": "GET"}}"#]))
    #expect(run.stubs.count == 1)
    #expect(run.ids(.dropped) == ["invalid-url", "invalid-url"])
    #expect(run.result.report.lines.map(\.pointer) == ["/log/entries/1", "/log/entries/2"])
  }

  @Test func byteOrderMarksAndUTF16AreRead() throws {
    let text = HARText.archive([HARText.entry()])
    var marked = Data([0xEF, 0xBB, 0xBF])
    marked.append(Data(text.utf8))
    var wide = Data([0xFF, 0xFE])
    wide.append(text.data(using: .utf16LittleEndian) ?? Data())
    let plain = try ImportRun("shop.har", text).documents
    #expect(try ImportRun(["shop.har": marked]).documents == plain)
    #expect(try ImportRun(["shop.har": wide]).documents == plain)
  }

  @Test(arguments: [
    ("", "the file is empty"),
    ("{\n\"log\": {\n\"entries\": [\n{},\n{]}", "shop.har:5:2"),
    (#"{"lag": {}}"#, "it has the members lag"),
    (#"{"log": {"entries": [{}]}}"#, "/log/entries/0"),
  ])
  func whatIsNoArchiveIsRefusedWithItsPlace(text: String, wanted: String) {
    let error = #expect(throws: FormatError.self) { try ImportRun("shop.har", text) }
    #expect(
      error?.description.contains(wanted) == true, "\(error.map(String.init(describing:)) ?? "")")
  }

  @Test func anArchiveWithoutEntriesMakesNoStubs() throws {
    let run = try run([])
    #expect(run.stubs.isEmpty)
    #expect(run.ids(.dropped) == ["no-answer"])
  }

  @Test func failuresBecomeErrorsAndAbortsAreLeftOut() throws {
    let failed = HARText.entry(
      status: 0, content: "{}", response: #", "_error": "net::ERR_INTERNET_DISCONNECTED""#)
    let aborted = HARText.entry(
      "GET", "https://api.shop.test/v1/me", status: 0, content: "{}",
      response: #", "_error": "net::ERR_ABORTED""#)
    let answered = HARText.entry("GET", "https://api.shop.test/v1/me")
    let run = try run([failed, aborted, answered])
    #expect(run.stubs.count == 2)
    #expect(
      run.stubs[0].responses[0].error == ResponseError(urlErrorName: "notConnectedToInternet"))
    #expect(run.stubs[1].responses.map(\.status) == [200])
    #expect(run.ids(.changed) == ["error-guess"])
    #expect(run.ids(.dropped) == ["no-answer"])
  }

  @Test func cachedAnswersToConditionalRequestsBecomeTheAnswersThemselves() throws {
    let conditional = HARText.entry(
      request: #", "headers": [{"name": "If-None-Match", "value": "\"v1\""}]"#, status: 304,
      headers: #"[{"name": "ETag", "value": "\"v1\""}]"#)
    let run = try run([conditional])
    #expect(run.stubs[0].responses.map(\.status) == [200])
    #expect(run.stubs[0].responses[0].headers[.eTag] == "\"v1\"")
    #expect(run.ids(.changed) == ["not-modified"])
  }

  @Test func aConditionalRequestStandsBeforeThePlainOne() throws {
    let plain = HARText.entry(headers: #"[{"name": "ETag", "value": "\"v1\""}]"#)
    let conditional = HARText.entry(
      request: #", "headers": [{"name": "If-None-Match", "value": "\"v1\""}]"#, status: 304,
      content: #"{"size": 0, "mimeType": "x-unknown"}"#)
    let stubs = try run([plain, conditional]).stubs
    #expect(stubs.map { $0.responses.map(\.status) } == [[304], [200]])
    #expect(stubs[0].request.headers.map(\.name.rawName) == ["If-None-Match"])
    #expect(stubs[1].request.headers.isEmpty)
  }

  @Test func aCachedCopyOfAnAnswerIsTheSameStub() throws {
    let run = try run([HARText.entry(), HARText.entry(entry: #", "_fetchType": "Memory Cache""#)])
    #expect(run.stubs.count == 1)
    #expect(run.stubs[0].responses.count == 1)
  }

  @Test func contentIsDecodedWhereItIsCodedAndTakenAsItIsWhereNot() throws {
    let coding = #"[{"name": "Content-Encoding", "value": "gzip"}]"#
    // gzip of {"a":1}
    let zipped = "H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA"
    let decoded = HARText.entry(
      "GET", "https://a.test/1", headers: coding,
      content: HARText.content(zipped, type: "application/json", more: #", "encoding": "base64""#))
    let plain = HARText.entry(
      "GET", "https://a.test/2", headers: coding,
      content: HARText.content(#"{"a":1}"#, type: "application/json"))
    let broken = HARText.entry(
      "GET", "https://a.test/3", headers: coding,
      content: HARText.content("H4sIAAAA", type: "text/plain", more: #", "encoding": "base64""#))
    let run = try run([decoded, plain, broken])
    let responses = run.stubs.map { $0.responses[0] }
    #expect(responses[0].body == .json(["a": 1]))
    #expect(responses[1].body == .json(["a": 1]))
    #expect(responses[0].headers[.contentEncoding] == nil)
    #expect(responses[2].headers[.contentEncoding] == "gzip")
    #expect(responses[2].body?.kind == .base64)
    #expect(run.ids(.dropped) == ["encoding"])
    #expect(run.ids(.changed) == [])
  }

  @Test func damagedContentIsKeptAndReported() throws {
    let run = try run([HARText.entry(content: HARText.content("a\u{FFFD}b\u{FFFD}"))])
    #expect(run.ids(.changed) == ["damaged"])
  }

  @Test func repeatedFieldsBecomeLists() throws {
    let run = try run([
      HARText.entry(headers: #"[{"name": "Set-Cookie", "value": "a=1\nb=2"}]"#)
    ])
    #expect(run.stubs[0].responses[0].headers[values: .setCookie] == ["a=1", "b=2"])
  }

  /// Internet Explorer and Fiddler write `redirectionURL`; others write empty members.
  @Test func membersThatSayNothingAreNoLosses() throws {
    let entry = HARText.entry(
      response:
        #", "redirectionURL": "https://a.test/", "note": "", "list": [], "more": {"x": null}"#)
    #expect(!(try run([entry]).result.report.hasLosses))
    #expect(try run([HARText.entry(response: #", "note": "x""#)]).unknown.count == 1)
  }

  @Test func pairsAsHeaderFieldsAreRead() throws {
    let run = try run([HARText.entry(headers: #"[["X-Kind", "slack"]]"#)])
    #expect(run.documents.contains(#""X-Kind": "slack""#))
    #expect(run.unknown == [])
  }

  @Test func framingAndVolatileFieldsAreLeftOut() throws {
    let fields = """
      [{"name": "Date", "value": "Thu, 01 Jan 2026 00:00:00 GMT"},
       {"name": "Content-Length", "value": "2"}, {"name": "Transfer-Encoding", "value": "chunked"},
       {"name": "ETag", "value": "x"}, {"name": ":status", "value": "200"},
       {"name": "X-Cache-Hits", "value": "1"}]
      """
    let names = try run([HARText.entry(headers: fields)]).stubs[0].responses[0].headers.map(
      \.name.rawName)
    #expect(names == ["ETag", "Content-Type"])
    var options = ImportOptions()
    options.keptHeaders = ["all"]
    let all = try run([HARText.entry(headers: fields)], options: options).stubs[0].responses[0]
    #expect(all.headers.map(\.name.rawName) == ["Date", "ETag", "X-Cache-Hits", "Content-Type"])
  }

  @Test func operationsOfOneURLAreToldApartByTheirContent() throws {
    let entries = ["Cart", "Me", "Pay"].map { name in
      let body = JSONValue.object([
        "operationName": .string(name), "query": .string("query \(name) { id }"),
      ]).canonicalText
      let post = JSONValue.string(body).canonicalText
      return HARText.entry(
        "POST", "https://api.shop.test/graphql",
        request: #", "postData": {"mimeType": "application/json", "text": \#(post)}"#)
    }
    let run = try run(entries)
    #expect(run.stubs.map(\.key) == ["post-graphql-cart", "post-graphql-me", "post-graphql-pay"])
    #expect(run.documents.contains(#""graphql""#))
  }

  @Test func repeatsBecomeOneResponseOrASequence() throws {
    func entry(_ text: String) -> String { HARText.entry(content: HARText.content(text)) }
    let equal = try run([entry("a"), entry("a"), entry("a")])
    #expect(equal.stubs[0].responses.map(\.repeatCount) == [1])
    let changing = try run([entry("a"), entry("a"), entry("b")])
    #expect(changing.stubs[0].responses.map(\.repeatCount) == [2, 1])
    #expect(changing.stubs[0].then == .repeatLast)
    #expect(changing.result.report.requestCount == 3)
  }

  @Test func parametersThatDifferEachTimeAreNotMatched() throws {
    let entries = ["1738456781", "1738456782"].map {
      HARText.entry("GET", "https://api.shop.test/v1/items?page=1&t=\($0)")
    }
    let run = try run(entries)
    #expect(run.stubs.count == 1)
    #expect(
      run.stubs[0].request.query == [
        NamedPattern("page", "1"), NamedPattern("t", .anything),
      ])
    #expect(run.ids(.changed) == ["volatile", "volatile"])
    var exact = ImportOptions()
    exact.flags.insert(.exact)
    #expect(try self.run(entries, options: exact).stubs.count == 2)
  }

  @Test(arguments: [
    ("?a=1&a=2", ["a"]), ("?a", ["a"]), ("?a=", ["a"]), ("?=", [""]), ("?&&", []),
  ])
  func queriesOfAnyFormAreRead(query: String, names: [String]) throws {
    let run = try run([HARText.entry("GET", "https://api.shop.test/x\(query)")])
    #expect(run.stubs[0].request.query.map(\.name) == names)
  }

  @Test func placeholdersInRecordedPathsStandForThemselves() throws {
    let run = try run([HARText.entry("GET", "https://api.shop.test/{id}/**/x")])
    #expect(run.stubs[0].request.path == .template("/%7Bid%7D/%2A%2A/x"))
  }

  @Test func redirectsStayOneStubAHop() throws {
    let entries = (0..<11).map { number in
      HARText.entry(
        "GET", "https://a.test/\(number)", status: 302,
        content: #"{"size": 0, "mimeType": "x-unknown"}"#,
        response: ""
      ).replacingOccurrences(
        of: #""redirectURL": """#, with: #""redirectURL": "https://a.test/\#(number + 1)""#)
    }
    let run = try run(entries)
    #expect(run.stubs.count == 11)
    #expect(run.stubs[10].responses[0].headers[.location] == "https://a.test/11")
  }

  @Test func webSocketsAreLeftOut() throws {
    let run = try run([
      HARText.entry(status: 101, content: "{}", entry: #", "_webSocketMessages": [{"data": "x"}]"#)
    ])
    #expect(run.stubs.isEmpty)
    #expect(run.ids(.dropped) == ["websocket"])
  }

  @Test func eventStreamsAreCutAtBlankLines() throws {
    let run = try run([
      HARText.entry(content: HARText.content("data: 1\n\ndata: 2\n\n", type: "text/event-stream"))
    ])
    guard case .pieces(let pieces) = run.stubs[0].responses[0].chunks?.kind else {
      Issue.record("not cut")
      return
    }
    #expect(pieces.map(\.body) == [.text("data: 1\n\n"), .text("data: 2\n\n")])
    #expect(run.ids(.changed) == ["stream-timing"])
  }

  @Test func browsersAskForMoreThanApplications() throws {
    let entries = [
      HARText.entry(entry: #", "_resourceType": "xhr""#),
      HARText.entry("GET", "https://a.test/logo.png", entry: #", "_resourceType": "image""#),
      HARText.entry(
        "GET", "https://www.google-analytics.com/collect", entry: #", "_resourceType": "xhr""#),
      HARText.entry(
        "OPTIONS", "https://api.shop.test/v1/items",
        request: #", "headers": [{"name": "Access-Control-Request-Method", "value": "PUT"}]"#),
    ]
    let run = try run(entries, creator: "WebInspector")
    #expect(run.stubs.count == 1)
    #expect(run.result.report.text().contains { $0.contains("3 of 4 entries left out") })
    var all = ImportOptions()
    all.flags.insert(.all)
    #expect(try self.run(entries, creator: "WebInspector", options: all).stubs.count == 4)
  }

  @Test func contentInLatin1BecomesUTF8() throws {
    let run = try run([
      HARText.entry(
        content:
          #"{"size": 1, "mimeType": "text/html; charset=ISO-8859-1", "text": "6Q==", "encoding": "base64"}"#
      )
    ])
    #expect(run.stubs[0].responses[0].body == .text("é"))
    #expect(run.stubs[0].responses[0].headers[.contentType] == "text/html; charset=utf-8")
    #expect(run.ids(.changed) == ["charset"])
  }

  @Test func theAnswerToHeadKeepsItsLength() throws {
    let run = try run([
      HARText.entry(
        "HEAD", headers: #"[{"name": "Content-Length", "value": "12345"}]"#,
        content: #"{"size": 0, "mimeType": "text/plain"}"#)
    ])
    #expect(run.stubs[0].responses[0].headers[.contentLength] == "12345")
    #expect(run.stubs[0].responses[0].body == nil)
  }

  @Test func partsOfAContentAnswerTheirRange() throws {
    let run = try run([
      HARText.entry(
        request: #", "headers": [{"name": "Range", "value": "bytes=0-1"}]"#, status: 206,
        headers: #"[{"name": "Content-Range", "value": "bytes 0-1/9"}]"#,
        content: HARText.content("ab"))
    ])
    #expect(run.stubs[0].request.headers == [HeaderPattern(.range, .equalTo("bytes=0-1"))])
    #expect(run.stubs[0].responses[0].status == 206)
  }

  @Test func entriesAreReadInTheOrderOfTheirTimes() throws {
    let late = HARText.entry(content: HARText.content("late"))
      .replacingOccurrences(of: "T10:00", with: "T11:00")
    let early = HARText.entry(content: HARText.content("early"))
    let zone = HARText.entry(content: HARText.content("zone"))
      .replacingOccurrences(of: "T10:00:00.000Z", with: "T11:30:00.000000+02:00")
    let run = try run([late, early, zone])
    #expect(
      run.stubs[0].responses.map(\.body) == [.text("zone"), .text("early"), .text("late")])
  }

  @Test func filesBesideAnArchiveAreReadAndOthersAreNot() throws {
    try withTemporaryFolder { folder in
      try Data(#"{"a":1}"#.utf8).write(to: folder.appendingPathComponent("body.json"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link", withDestinationPath: "/etc/hostname")
      func run(_ name: String) throws(FormatError) -> ImportRun {
        let content = #"{"size": -1, "mimeType": "application/json", "_file": "\#(name)"}"#
        return try ImportRun(
          "shop.har", HARText.archive([HARText.entry(content: content)]), folder: folder)
      }
      #expect(try run("body.json").stubs[0].responses[0].body == .json(["a": 1]))
      for name in ["../../etc/passwd", "/etc/passwd", "missing.json", "link"] {
        let error = #expect(throws: FormatError.self) { try run(name) }
        #expect(error?.description.contains(name) == true)
        #expect(error?.pointer == "/log/entries/0/response/content")
      }
    }
  }

  @Test func answersAreToldApartByAHeaderFieldThatExplainsThem() throws {
    func entry(_ accept: String, _ text: String) -> String {
      HARText.entry(
        request: #", "headers": [{"name": "Accept", "value": "\#(accept)"}]"#,
        content: HARText.content(text))
    }
    let run = try run([
      entry("text/csv", "a,b"), entry("text/plain", "a"), entry("text/csv", "a,b"),
    ])
    #expect(run.stubs.map { $0.request.headers.first?.pattern } == ["text/csv", "text/plain"])
  }

  @Test func aSmallerQueryDoesNotAnswerForALargerOne() throws {
    let run = try run([
      HARText.entry("GET", "https://api.shop.test/v1/items"),
      HARText.entry("GET", "https://api.shop.test/v1/items?page=2"),
    ])
    #expect(run.stubs.map(\.request.queryIsExact) == [true, false])
  }

  @Test func aStubWithoutContentDoesNotAnswerWhereASiblingAsksForOne() async throws {
    let empty = HARText.entry(
      "POST", request: #", "postData": {"mimeType": "", "text": ""}"#,
      content: HARText.content("empty"))
    let full = HARText.entry(
      "POST", request: #", "postData": {"mimeType": "application/json", "text": "{\"x\": 1}"}"#,
      content: HARText.content("full"))
    try await run([empty, full]).play([
      RecordedCase(
        method: "POST", url: "https://api.shop.test/v1/items", body: Data(#"{"x":1}"#.utf8),
        content: Data("full".utf8)),
      RecordedCase(
        method: "POST", url: "https://api.shop.test/v1/items", content: Data("empty".utf8)),
    ])
  }

  @Test func whatARecorderLostOfARequestIsReported() throws {
    let run = try run([HARText.entry("POST", content: HARText.content("a"))])
    #expect(run.ids(.changed) == ["no-request-body"])
    #expect(run.stubs[0].request.body.isEmpty)
  }

  @Test func aStubFromWhichParametersWereTakenAnswersItsOwnRequest() async throws {
    let run = try run([
      HARText.entry("GET", "https://a.test/a?t=1738456781000"),
      HARText.entry("GET", "https://a.test/a?x=1&t=1738456782000"),
    ])
    #expect(run.stubs.map(\.request.queryIsExact) == [true, false])
    try await run.play([RecordedCase(url: "https://a.test/a?t=1738456781000")])
  }

  @Test func flowsFollowTheTimesOfARecording() throws {
    func entry(_ method: String, _ path: String, _ second: Int, _ text: String) -> String {
      HARText.entry(
        method, "https://a.test\(path)",
        request: #", "postData": {"mimeType": "text/plain", "text": "x"}"#,
        content: HARText.content(text)
      ).replacingOccurrences(of: "10:00:00", with: "10:00:0\(second)")
    }
    var options = ImportOptions()
    options.flags.insert(.flows)
    // In the file the other write stands between the reads.
    let stubs = try run(
      [
        entry("GET", "/r", 2, "1"), entry("POST", "/x", 1, ""), entry("GET", "/r", 4, "2"),
        entry("POST", "/y", 3, ""),
      ],
      options: options
    ).stubs
    let writer = stubs.first { $0.flow?.becomes != nil }
    #expect(writer?.request.path == .template("/y"))
  }

  @Test func writesAdvanceAFlowWhereTheyExplainTheAnswers() throws {
    func get(_ text: String) -> String { HARText.entry(content: HARText.content(text)) }
    let put = HARText.entry("PUT", "https://api.shop.test/v1/items", status: 204, content: "{}")
    var options = ImportOptions()
    options.flags.insert(.flows)
    let stubs = try run([get("old"), put, get("new")], options: options).stubs
    #expect(stubs.map(\.flow?.requires) == ["started", "step-2", nil])
    #expect(stubs.map(\.flow?.becomes) == [nil, nil, "step-2"])
  }

  @Test func everyValueOfAnArchiveIsInOneOfFourBags() throws {
    let run = try run(
      [HARText.entry(entry: #", "_priority": "High", "serverIPAddress": "::1", "index": 0"#)])
    #expect(run.unknown == [])
    #expect(run.unknown == [])
    let strange = try ImportRun(
      "shop.har", HARText.archive([HARText.entry(entry: #", "what": {"is": "this"}"#)]))
    #expect(strange.unknown == ["/log/entries/0/what"])
  }

  @Test func theSameFileGivesTheSameDocuments() throws {
    let text = HARText.archive(
      (0..<20).map { HARText.entry("GET", "https://a.test/x/\($0 % 7)?p=\($0)") })
    let first = try ImportRun("shop.har", text).documents
    #expect(try ImportRun("shop.har", text).documents == first)
  }
}
