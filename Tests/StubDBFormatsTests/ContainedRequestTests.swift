import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Recorded requests of which one contains the other: each gets its own answer, in whatever order they were recorded.
@Suite struct ContainedRequestTests {
  /// A request with less than another one of the same URL.
  struct Pair: CustomStringConvertible, Sendable {
    var description: String
    var less: JSONObject
    var more: JSONObject
  }

  private static let boundary = "multipart/form-data; boundary=b"

  private static func form(_ text: String) -> JSONObject {
    content(text, "application/x-www-form-urlencoded")
  }

  private static func content(_ text: String, _ type: String) -> JSONObject {
    ["postData": ["mimeType": .string(type), "text": .string(text)]]
  }

  private static func parts(_ names: String...) -> JSONObject {
    let parts = names.map { name in
      "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n1\r\n"
    }
    return content(parts.joined() + "--b--\r\n", boundary)
  }

  private static func url(_ text: String) -> JSONObject { ["url": .string(text)] }

  static let pairs = [
    Pair(description: "a field", less: form("amount=1"), more: form("amount=1&dry_run=true")),
    Pair(description: "a second value", less: form("id=1"), more: form("id=1&id=2")),
    Pair(description: "the same value twice", less: form("id=1"), more: form("id=1&id=1")),
    Pair(
      description: "a value that differs each time",
      less: form("a=1&_=1763632800123"), more: form("a=1&b=2&_=1763632800999")),
    Pair(
      description: "a further metric of CloudWatch",
      less: form("Action=GetMetricData&Metrics.member.1=a&Version=2010-08-01"),
      more: form("Action=GetMetricData&Metrics.member.1=a&Metrics.member.2=b&Version=2010-08-01")),
    Pair(
      description: "a language", less: form("status=x"), more: form("status=x&lang=de")),
    Pair(description: "a part", less: parts("a"), more: parts("a", "b")),
    Pair(description: "the same part twice", less: parts("a"), more: parts("a", "a")),
    Pair(
      description: "a parameter", less: url("https://a.test/x?q=a"),
      more: url("https://a.test/x?q=a&lang=de")),
    Pair(
      description: "a parameter that differs each time", less: url("https://a.test/x"),
      more: url("https://a.test/x?_=1763632800123")),
    Pair(
      description: "a parameter twice", less: url("https://a.test/x?q=a"),
      more: url("https://a.test/x?q=a&q=b")),
    Pair(
      description: "variables",
      less: content(#"{"query": "{ a }"}"#, "application/json"),
      more: content(#"{"query": "{ a }", "variables": {"id": 1}}"#, "application/json")),
    Pair(
      description: "the name of an operation",
      less: content(#"{"query": "query a { a }"}"#, "application/json"),
      more: content(#"{"query": "query a { a }", "operationName": "a"}"#, "application/json")),
    Pair(description: "a content", less: [:], more: form("amount=1")),
    Pair(
      description: "a content where none was kept",
      less: ["postData": ["mimeType": "text/plain"], "bodySize": 7], more: form("amount=1")),
  ]

  private static func entry(_ request: JSONObject, answer: String) -> JSONValue {
    var members: JSONObject = [
      "method": "POST", "url": "https://a.test/x", "headers": [],
    ]
    for (name, value) in request { members[name] = value }
    if case .object(let data)? = request["postData"], let type = data["mimeType"] {
      members["headers"] = [["name": "Content-Type", "value": type]]
    }
    return [
      "request": .object(members),
      "response": [
        "status": 200, "headers": [],
        "content": ["size": 1, "mimeType": "text/plain", "text": .string(answer)],
      ],
    ]
  }

  /// The same as an interaction of a cassette of VCR.
  private static func interaction(_ request: JSONObject, answer: String) -> JSONValue {
    let sent = Self.request(request)
    let content = String(decoding: sent.content ?? Data(), as: UTF8.self)
    let type = sent.headers[.contentType].map { JSONValue.array([.string($0)]) }
    return [
      "request": [
        "method": "post", "uri": .string(sent.url),
        "headers": type.map { ["Content-Type": $0] as JSONValue } ?? [:],
        "body": ["encoding": "UTF-8", "string": .string(content)],
      ],
      "response": [
        "status": ["code": 200, "message": "OK"], "headers": ["Content-Type": ["text/plain"]],
        "body": ["encoding": "UTF-8", "string": .string(answer)],
      ],
      "recorded_at": "Tue, 01 Nov 2011 04:49:54 GMT",
    ]
  }

  /// The request as a client sends it.
  private static func request(_ request: JSONObject) -> StubRequest {
    var sent = StubRequest(method: "POST", url: "https://a.test/x")
    if case .string(let url)? = request["url"] { sent.url = url }
    if case .object(let data)? = request["postData"] {
      if case .string(let type)? = data["mimeType"] { sent.headers[.contentType] = type }
      if case .string(let text)? = data["text"] { sent.body = .bytes(Data(text.utf8)) }
    }
    return sent
  }

  private func answers(
    _ requests: [JSONObject], of stubs: [Stub]
  ) throws -> [String?] {
    let scenario = Scenario(name: ScenarioName(unchecked: "s"), stubs: stubs)
    let loaded = try LoadedScenario(scenario)
    return requests.map { request in
      loaded.firstMatch(for: Self.request(request))?.stub.responses[0].body?.bytes.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  @Test(arguments: pairs, [false, true])
  func eachRecordedRequestGetsItsOwnAnswer(pair: Pair, lessFirst: Bool) throws {
    var entries = [
      Self.entry(pair.less, answer: "less"), Self.entry(pair.more, answer: "more"),
    ]
    if !lessFirst { entries.reverse() }
    let archive: JSONValue = [
      "log": [
        "version": "1.2", "creator": ["name": "Test", "version": "1"], "entries": .array(entries),
      ]
    ]
    let run = try ImportRun("a.har", archive.canonicalText)
    #expect(run.stubs.count == 2)
    #expect(try answers([pair.less, pair.more], of: run.stubs) == ["less", "more"])
    #expect(!run.result.report.lines.contains { $0.id.rawValue == "other-answer" })
  }

  /// All but the last pair, since a cassette has the content of each request.
  @Test(arguments: pairs.dropLast(), [false, true])
  func eachRequestOfACassetteGetsItsOwnAnswer(pair: Pair, lessFirst: Bool) throws {
    var interactions = [
      Self.interaction(pair.less, answer: "less"), Self.interaction(pair.more, answer: "more"),
    ]
    if !lessFirst { interactions.reverse() }
    let cassette: JSONValue = [
      "http_interactions": .array(interactions), "recorded_with": "VCR 6.1.0",
    ]
    let run = try ImportRun("cassettes/a.json", cassette.canonicalText)
    #expect(run.stubs.count == 2)
    #expect(try answers([pair.less, pair.more], of: run.stubs) == ["less", "more"])
    #expect(!run.result.report.lines.contains { $0.id.rawValue == "other-answer" })
  }

  /// What a recorder knows from an earlier session does not answer a request that has more.
  ///
  /// A request without a content, and an operation without a name, say nothing about what a further one has.
  @Test(arguments: pairs.prefix(11))
  func whatWasRecordedBeforeLeavesARequestWithMoreToTheServer(pair: Pair) throws {
    let log = ReportLog()
    let sent = Self.request(pair.less)
    var exchange = RecordedExchange(
      method: sent.method, url: sent.url,
      outcome: .answer(RecordedAnswer(status: 200, body: .text("less"))),
      source: ReportSource(file: "draft", log: log))
    exchange.requestHeaders = RecordedHeaders(
      sent.headers.map { RecordedHeaders.Field($0.name.rawName, $0.value) })
    exchange.requestBody = (sent.content ?? Data()).isEmpty ? .none : .bytes(sent.content ?? Data())
    let stubs = RecordedStubs(of: [exchange]).list.map(\.stub)
    #expect(try answers([pair.less, pair.more], of: stubs) == ["less", nil])
  }
}

/// Requests of different hosts, methods and paths of which one contains the other.
@Suite struct RequestOrderTests {
  private static func json(_ members: JSONObject) -> RequestPattern {
    RequestPattern(
      host: "a.test", body: [.equalToJSON(.object(members), ignoreExtraElements: true)])
  }

  /// Pairs of which the first one accepts all of the second one.
  private static let pairs: [@Sendable () throws -> (RequestPattern, RequestPattern)] = [
    {
      let less = try RequestPattern(method: .get, url: "/items")
      return (less, try RequestPattern(method: .get, url: "https://a.test/items?page=2"))
    },
    {
      let less = try RequestPattern(url: "https://a.test/items")
      return (less, try RequestPattern(method: .get, url: "https://a.test/items?page=2"))
    },
    {
      let less = try RequestPattern(url: "/items/**")
      return (less, try RequestPattern(method: .get, url: "https://a.test/items/7"))
    },
    {
      let more = try RequestPattern(method: .get, url: "https://a.test/items?page=2")
      return (RequestPattern(methods: [.get, .post], path: .template("/items")), more)
    },
    {
      let less = RequestPattern(path: .value(.matches("/v1/.*")))
      return (less, RequestPattern(host: "a.test", path: .value("/v1/a")))
    },
    {
      let names = (10..<50).map { ("a\($0)", JSONValue.string("x")) }
      var members = JSONObject(names)
      members["z"] = 1
      return (json(["z": 1]), json(members))
    },
  ]

  @Test(arguments: pairs.indices)
  func whatAsksForMoreComesFirst(index: Int) throws {
    let (less, more) = try Self.pairs[index]()
    let other = try RequestPattern(method: .get, url: "https://b.test/other")
    #expect(RequestOrder.sorted([less, other, more]) { $0 } == [more, less, other])
    #expect(RequestOrder.sorted([more, other, less]) { $0 } == [more, other, less])
  }

  @Test func anExampleOfAnyHostComesAfterThoseThatAskForMore() throws {
    let run = try ImportRun(
      "c.json",
      """
      {"info": {"name": "S", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": [
         {"name": "any", "request": "{{base}}/items", "response": [{"code": 200, "body": "all"}]},
         {"name": "second", "request": "https://api.test/items?page=2",
          "response": [{"code": 200, "body": "2"}]}]}
      """)
    #expect(run.stubs.map(\.request.host) == [.equalTo("api.test"), nil])
    #expect(!run.result.report.lines.contains { $0.id.rawValue == "other-answer" })
  }

  @Test(arguments: [
    ("$BASE/items", "https://api.test/items?page=2"),
    ("https://api.test/items", "$BASE/items?page=2"),
  ])
  func aParameterAtAnotherHostIsOneThatTheStubMustNotAnswer(less: String, more: String) throws {
    let run = try ImportRun("calls.sh", "curl \"\(less)\"\ncurl \"\(more)\"\n")
    let isExact = run.stubs.map { ($0.request.query.isEmpty, $0.request.queryIsExact) }
    #expect(isExact.count == 2)
    #expect(isExact.allSatisfy { $0.0 == $0.1 })
  }
}
