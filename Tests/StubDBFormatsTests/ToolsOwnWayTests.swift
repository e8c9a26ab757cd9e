import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBModel
import Testing

/// What is written in a tool's own way: what the tool refuses no stub answers, and what it answers the stub does.
@Suite struct ToolsOwnWayTests {
  struct Request: Sendable {
    var url = "https://h.test/a"
    var method = "GET"
    var headers: HTTPFields = [:]
    var body = ""
    var isAnswered: Bool
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var file = "a.json"
    var text: String
    var requests: [Request]
  }

  private static func mockServer(_ name: String, _ request: String, _ requests: Request...) -> Case
  {
    Case(
      testDescription: "MockServer: \(name)",
      text: #"{"httpRequest": \#(request), "httpResponse": {"statusCode": 201}}"#,
      requests: requests)
  }

  private static func curl(_ command: String, _ requests: Request...) -> Case {
    Case(testDescription: command, file: "a.sh", text: command, requests: requests)
  }

  private static let cases: [Case] = [
    mockServer(
      "the field Host", #"{"headers": {"Host": ["x.test"]}}"#,
      Request(url: "https://x.test/a", isAnswered: true),
      Request(url: "https://x.test:8443/a", isAnswered: false), Request(isAnswered: false)),
    Case(
      testDescription: "WireMock: the field Host",
      text: #"""
        {"request": {"urlPath": "/a", "headers": {"host": {"equalTo": "x.test:81"}}},
         "response": {"status": 201}}
        """#,
      requests: [
        Request(url: "http://x.test:81/a", isAnswered: true),
        Request(url: "http://x.test/a", isAnswered: false),
      ]),
    Case(
      testDescription: "WireMock: patterns of the field Host and of the URL",
      text: #"""
        {"request": {"urlPattern": "/a.*", "headers": {"Host": {"matches": "[xy]\\.test"}}},
         "response": {"status": 201}}
        """#,
      requests: [
        Request(url: "http://x.test/ab", isAnswered: true),
        Request(url: "http://x.test:8080/ab", isAnswered: false),
        Request(url: "http://x.test/b", isAnswered: false),
      ]),
    Case(
      testDescription: "WireMock: the port in a pattern of the field Host",
      text: #"""
        {"request": {"urlPath": "/a", "headers": {"Host": {"matches": "x\\.test.*"}}},
         "response": {"status": 201}}
        """#,
      requests: [
        Request(url: "http://x.test:8080/a", isAnswered: true),
        Request(url: "http://y.test/a", isAnswered: false),
      ]),
    curl(
      #"curl https://h.test/a -d "$BODY""#,
      Request(method: "POST", body: "z", isAnswered: true)),
    curl(
      "curl https://h.test/x/../a/./",
      Request(url: "https://h.test/a/", isAnswered: true),
      Request(url: "https://h.test/x/a/", isAnswered: false)),
    curl(
      "curl https://h.test/a -r 0-5", Request(headers: [.range: "bytes=0-5"], isAnswered: true),
      Request(isAnswered: false)),
  ]

  @Test(arguments: cases)
  func requestsAreAnsweredAsTheToolDoes(example: Case) throws {
    let run = try ImportRun(example.file, example.text)
    let scenario = try LoadedScenario(try #require(run.result.scenarios.first))
    for request in example.requests {
      let outcome = scenario.run().respond(
        to: StubRequest(
          method: request.method, url: request.url, headers: request.headers,
          body: .bytes(Data(request.body.utf8))))
      var isAnswered = false
      if case .respond = outcome { isAnswered = true }
      #expect(isAnswered == request.isAnswered, "\(request)")
    }
  }

  /// What is not compared, or cannot be, is said.
  @Test(arguments: [
    ("a.sh", #"curl "$URL""#, [String](), ["unreadable"]),
    ("a.sh", #"curl -X "$M" https://h.test/a"#, [], ["unreadable"]),
    (
      "a.har", HARText.archive([HARText.entry(headers: #"[{"name": "Ü", "value": "1"}]"#)]), [],
      ["header"]
    ),
  ])
  func whatIsNotComparedIsSaid(
    file: String, text: String, changed: [String], dropped: [String]
  ) throws {
    let run = try ImportRun(file, text)
    #expect(run.ids(.changed) == changed)
    #expect(run.ids(.dropped) == dropped)
    #expect(
      run.result.report.lines.allSatisfy { !$0.text.unicodeScalars.contains { $0.value == 0xFDD0 } }
    )
  }
}
