import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Inputs that are meant to harm, and those that are only strange.
@Suite struct HostileImportTests {
  @Test func filesBesideTheFilesOfAMappingAreNotRead() throws {
    try withTemporaryFolder { folder in
      for (name, text) in [
        "home/.ssh/key": "secret", "home/__files/body.txt": "fine",
        "home/mappings/sub/bad.json":
          #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "../.ssh/key"}}"#,
        "home/mappings/sub/good.json":
          #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "body.txt"}}"#,
      ] {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      func run(_ name: String) throws(FormatError) -> ImportRun {
        try ImportRun(folder: folder.appendingPathComponent("home/mappings/sub/\(name).json"))
      }
      #expect(try run("good").stubs.first?.responses[0].body == .text("fine"))
      #expect(throws: FormatError.self) { try run("bad") }
    }
  }

  @Test(arguments: [
    "99999999999999999999-01-01T00:00:00Z", "2026-01-01T00:00:00+019223372036854775807",
    "aaaa-bb-ccTdd:ee:ff", "", "2026-13-45T99:99:99Z",
  ])
  func timesThatAreNoneAreIgnored(time: String) throws {
    let text = HARText.archive([HARText.entry()])
      .replacingOccurrences(of: "2026-01-01T10:00:00.000Z", with: time)
    #expect(try ImportRun("a.har", text).stubs.count == 1)
  }

  @Test(arguments: [
    #""priority": 9223372036854775807, "request": {"urlPath": "/a"}, "response": {}"#,
    #""priority": -9223372036854775808, "request": {"urlPath": "/a"}, "response": {}"#,
    #""request": {"urlPath": "/a"}, "response": {"fixedDelayMilliseconds": 9223372036854775807, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 2}}"#,
    #""request": {"urlPath": "/a"}, "response": {"delayDistribution": {"type": "lognormal", "median": 1e300, "sigma": 1}}"#,
    #""request": {"urlPath": "/a"}, "response": {"fixedDelayMilliseconds": 5, "delayDistribution": {"type": "fixed", "milliseconds": 9223372036854775807}}"#,
    #""request": {"urlPath": "/a"}, "response": {"body": "x", "chunkedDribbleDelay": {"numberOfChunks": -3, "totalDuration": -9223372036854775808}}"#,
  ])
  func hugeNumbersDoNoHarm(mapping: String) throws {
    let run = try ImportRun(
      "a.json",
      #"{"mappings": [{\#(mapping)}, {"priority": -5, "request": {"urlPath": "/b"}, "response": {}}]}"#
    )
    #expect(run.stubs.contains { $0.key == "any-b" })
    #expect(run.unknown == [])
  }

  @Test(arguments: [
    #""GET /a""#, "5", "[]", #"{"urlPath": "/a", "headers": "X: 1"}"#,
    #"{"urlPath": "/a", "headers": ["X"]}"#, #"{"urlPath": "/a", "queryParameters": "a=1"}"#,
    #"{"urlPath": "/a", "bodyPatterns": {"equalTo": "x"}}"#,
    #"{"urlPath": "/a", "bodyPatterns": [{"and": "x"}]}"#,
    #"{"urlPath": "/a", "bodyPatterns": [{"or": {"equalTo": "x"}}]}"#,
    #"{"urlPath": "/a", "multipartPatterns": {"bodyPatterns": []}}"#,
  ])
  func conditionsOfAWrongTypeLeaveTheStubOut(request: String) throws {
    let run = try ImportRun(
      "a.json",
      #"{"mappings": [{"request": {"urlPath": "/b"}, "response": {}}, {"request": \#(request), "response": {"status": 204}}]}"#
    )
    #expect(run.stubs.map(\.key) == ["any-b"])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  @Test func namesThatAreAliasesAndEndlessMergesAreRefused() {
    var lists = "k0: &k0 [x, x, x]\n"
    var merges = "m0: &m0 {a: 1, b: 2}\n"
    for level in 1...14 {
      let all = Array(repeating: "*k\(level - 1)", count: 9).joined(separator: ", ")
      lists += "k\(level): &k\(level) [\(all)]\n"
      let maps = Array(repeating: "*m\(level - 1)", count: 9).joined(separator: ", ")
      merges += "m\(level): &m\(level) {<<: [\(maps)]}\n"
    }
    for text in [
      lists + "z: {? *k14 : 1}\n", lists + "? *k14\n: 1\n", lists + "*k14 : 1\n", merges,
    ] {
      #expect(throws: FormatError.self) { try ImportRun("a.yaml", text) }
    }
  }

  @Test func filesThatAreTooLargeAreRefusedByTheirSize() throws {
    try withTemporaryFolder { folder in
      // Files without blocks: reading one of them would take a gigabyte.
      func write(_ name: String, _ size: Int) throws {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
      }
      try write("large.har", ImportInput.maximumByteCount + 1)
      let error = #expect(throws: FormatError.self) {
        try ImportRun(folder: folder.appendingPathComponent("large.har"))
      }
      #expect(error?.message.contains("at most \(ImportInput.maximumByteCount)") == true)
      try write("large.har", ImportInput.maximumByteCount / 2 + 1)
      try write("second.har", ImportInput.maximumByteCount / 2 + 1)
      let all = #expect(throws: FormatError.self) { try ImportRun(folder: folder) }
      #expect(all?.message.contains("its files have") == true)
    }
  }

  @Test func pipesAreNotRead() throws {
    try withTemporaryFolder { folder in
      #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
      let content = #"{"size": -1, "mimeType": "text/plain", "_file": "pipe"}"#
      let error = #expect(throws: FormatError.self) {
        try ImportRun("a.har", HARText.archive([HARText.entry(content: content)]), folder: folder)
      }
      #expect(error?.message.contains("not a file") == true)
      let pipe = #expect(throws: FormatError.self) {
        try ImportRun(paths: [folder.appendingPathComponent("pipe")])
      }
      #expect(pipe?.message.contains("it is a pipe; pass what comes out of it") == true)
    }
  }

  @Test func noTokenBecomesPartOfAStub() throws {
    func entry(_ name: String, _ value: String, _ text: String) -> String {
      HARText.entry(
        request: #", "headers": [{"name": "\#(name)", "value": "\#(value)"}]"#,
        content: HARText.content(text))
    }
    for (name, one, other) in [
      ("Authorization", "s3cr3tTOKENaaa+1", "s3cr3tTOKENbbb+2"),
      ("Authorization", "Bearer abc", "Bearer def"),
      ("X-Api-Key", "key-one", "key-two"), ("X-Request-Id", "request-one", "request-two"),
      ("X-Trace", "8f14e45fceea167a5a36dedd4bea2543", "c9f0f895fb98ab9159f51fd0297e236d"),
    ] {
      let run = try ImportRun(
        "a.har", HARText.archive([entry(name, one, "a"), entry(name, other, "b")]))
      #expect(!run.documents.contains(one), "\(name)")
      #expect(run.stubs.count == 1, "\(name)")
    }
  }

  @Test func credentialsOfARequestAreAskedForAndNotKept() async throws {
    var options = ImportOptions()
    options.matchedHeaders = ["Authorization", "Cookie", "X-Api-Key", "X-Kind"]
    let fields = ["Authorization", "Cookie", "X-Api-Key", "X-Kind"].map {
      #"{"name": "\#($0)", "value": "value-of-\#($0)"}"#
    }.joined(separator: ", ")
    let run = try ImportRun(
      "a.har",
      HARText.archive([
        HARText.entry("GET", "https://bob:hunter2secret@a.test/1"),
        HARText.entry("GET", "https://a.test/2", request: #", "headers": [\#(fields)]"#),
      ]), options: options)
    for secret in ["hunter2", "bob", "value-of-Auth", "value-of-Cookie", "value-of-X-Api"] {
      #expect(!run.documents.contains(secret), "\(secret)")
    }
    #expect(run.documents.contains("value-of-X-Kind"))
    #expect(run.ids(.changed) == ["variable"])
    try await run.play([
      RecordedCase(url: "https://a.test/1", headers: [.authorization: "Basic eDp5"])
    ])
    await #expect(throws: (any Error).self) {
      try await run.play([RecordedCase(url: "https://a.test/1")])
    }
  }

  @Test func aConditionIsPartOfTheStubThatAnswersIt() throws {
    let run = try ImportRun(
      "a.har",
      HARText.archive([
        HARText.entry(
          request: #", "headers": [{"name": "If-None-Match", "value": "v1"}]"#, status: 304,
          content: #"{"size": 0, "mimeType": "x-unknown"}"#)
      ]))
    #expect(run.stubs[0].request.headers.map(\.name) == [.ifNoneMatch])
  }

  @Test func theEndOfAChoiceIsNotTheEndOfTheExpression() throws {
    let run = try ImportRun(
      "a.json", #"{"request": {"urlPattern": "/a|/b(\\?.*)?"}, "response": {}}"#)
    #expect(run.stubs[0].request.path == nil)
    #expect(run.stubs[0].request.wholeURL != nil)
  }

  @Test func recordedTextsThatLookLikePlaceholdersStandForThemselves() throws {
    let body = JSONValue.string(#"{"a": "${json-unit.any-string}"}"#).canonicalText
    let run = try ImportRun(
      "a.har",
      HARText.archive([
        HARText.entry(
          "POST", request: #", "postData": {"mimeType": "application/json", "text": \#(body)}"#)
      ]))
    #expect(run.stubs[0].request.body == [.value(.equalTo(#"{"a": "${json-unit.any-string}"}"#))])
  }

  @Test func contentOfOldContractsIsWhatItSays() throws {
    let run = try ImportRun(
      "a.json",
      """
      {"consumer": {"name": "a"}, "provider": {"name": "b"}, "metadata": {"pactSpecification": {"version": "2.0.0"}},
       "interactions": [{"description": "x", "request": {"method": "GET", "path": "/a"},
         "response": {"status": 200, "body": {"content": "hello", "id": 1}}}]}
      """)
    #expect(run.stubs[0].responses[0].body == .json(["content": "hello", "id": 1]))
  }

  @Test func filesOfOneNameAreDifferentScenarios() throws {
    let run = try ImportRun([
      "a/shop.har": Data(HARText.archive([HARText.entry()]).utf8),
      "b/shop.har": Data(HARText.archive([HARText.entry("GET", "https://a.test/x")]).utf8),
    ])
    #expect(run.result.scenarios.map(\.name.rawValue) == ["a/shop", "b/shop"])
  }
}
