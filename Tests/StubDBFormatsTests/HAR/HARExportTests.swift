import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

@Suite struct HARExportTests {
  private static let format = ExportFormats.named("har")

  /// The server of an expression for the whole URL, and what comes of the archive read back.
  @Test func anExampleOfAWholeURLCanBeAsked() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "any", "request": {"url": {"matches": "[a-z]+://[^/?]*(?:/users.*)"}}, "responses": [{"error": "networkConnectionLost"}]}"#
      ], as: try #require(Self.format))
    let back = try ImportRun("a.har", run.text)
    #expect(
      back.stubs.map(\.request) == [try RequestPattern(method: .get, url: "https://any.test/users")]
    )
    #expect(back.stubs.map(\.recorded) == [nil])
    #expect(back.result.report.lines == [])
  }

  @Test func anEntryHasWhatReadersNeed() throws {
    let run = try ExportRun(
      stubs: [
        #"""
        {"key": "charge", "summary": "refused",
         "request": {"method": "POST", "url": "https://api.shop.test/v1/charges?expand=customer",
           "cookies": {"a": "1"}, "body": {"equalToJson": {"amount": 1200}}},
         "responses": [{"status": 302, "headers": {"Location": "/v1/x", "Set-Cookie": ["s=1; Path=/", "t=2"]},
           "json": {"error": "declined"}, "delay": "200ms"}]}
        """#
      ], as: try #require(Self.format))
    #expect(run.result.files.map(\.path) == ["stubs.har"])
    #expect(run.result.report.lines == [])
    #expect(
      run.text == #"""
        {
          "log": {
            "version": "1.2",
            "creator": {
              "name": "stubdb",
              "version": "1"
            },
            "entries": [
              {
                "startedDateTime": "1970-01-01T00:00:00.000Z",
                "time": 200,
                "request": {
                  "method": "POST",
                  "url": "https://api.shop.test/v1/charges?expand=customer",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [
                    {
                      "name": "a",
                      "value": "1"
                    }
                  ],
                  "headers": [
                    {
                      "name": "Cookie",
                      "value": "a=1"
                    },
                    {
                      "name": "Content-Type",
                      "value": "application/json"
                    }
                  ],
                  "queryString": [
                    {
                      "name": "expand",
                      "value": "customer"
                    }
                  ],
                  "postData": {
                    "mimeType": "application/json",
                    "text": "{\"amount\":1200}"
                  },
                  "headersSize": -1,
                  "bodySize": 15
                },
                "response": {
                  "status": 302,
                  "statusText": "Found",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [
                    {
                      "name": "s",
                      "value": "1"
                    },
                    {
                      "name": "t",
                      "value": "2"
                    }
                  ],
                  "headers": [
                    {
                      "name": "Location",
                      "value": "/v1/x"
                    },
                    {
                      "name": "Set-Cookie",
                      "value": "s=1; Path=/"
                    },
                    {
                      "name": "Set-Cookie",
                      "value": "t=2"
                    },
                    {
                      "name": "Content-Type",
                      "value": "application/json"
                    }
                  ],
                  "content": {
                    "size": 20,
                    "mimeType": "application/json",
                    "text": "{\"error\":\"declined\"}"
                  },
                  "redirectURL": "/v1/x",
                  "headersSize": -1,
                  "bodySize": 20
                },
                "cache": {},
                "timings": {
                  "send": 0,
                  "wait": 200,
                  "receive": 0
                },
                "comment": "shop/test charge: refused"
              }
            ]
          }
        }

        """#)
  }

  @Test func allFeaturesAreAccountedFor() throws {
    let run = try ExportRun(FeatureDocuments.all, as: try #require(Self.format))
    #expect(run.unknown == [])
    // The WebSocket is no entry.
    #expect(run.result.report.stubCount == run.content.stubs.count - 1)
    #expect(run.ids(.dropped).filter { $0 == "stub-left-out" }.count == 1)
  }

  @Test func sameScenariosGiveSameBytes() throws {
    let runs = try (0..<2).map { _ in
      try ExportRun(FeatureDocuments.all, as: try #require(Self.format))
    }
    #expect(runs[0].result.files == runs[1].result.files)
    #expect(runs[0].result.report.lines == runs[1].result.report.lines)
  }

  /// What is imported of the archive answers the example requests as the scenario did.
  @Test func anArchiveReadsBackAsTheSameAnswers() async throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"method": "GET", "url": "https://a.test/items?b=1&b=2"}, "responses": [{"json": {"n": [1, 2.50]}}, {"status": 503, "text": "später", "repeat": 2}, {"status": 204}]}"#,
        #"{"key": "b", "request": {"method": "PUT", "url": "https://a.test/items/{id}", "body": {"form": {"a": "1 2"}}}, "responses": [{"base64": "AAH/", "headers": {"Content-Type": "image/png"}}]}"#,
        #"{"key": "c", "request": {"method": "POST", "url": "https://a.test/upload", "body": {"multipart": [{"name": "f", "filename": "a.txt", "body": {"equalTo": "x"}}]}}, "responses": [{"status": 201, "headers": {"Set-Cookie": ["a=1", "b=2"], "Location": "/x"}}]}"#,
        #"{"key": "d", "request": {"method": "POST", "url": "https://a.test/graphql", "body": {"graphql": {"operationName": "Q", "query": "query Q { a }"}}}, "responses": [{"json": {"data": 1}}]}"#,
        #"{"key": "e", "request": {"method": "GET", "url": "https://a.test/lost"}, "responses": [{"error": "cannotFindHost"}, {"fault": "never"}]}"#,
        #"{"key": "f", "request": {"method": "HEAD", "url": "https://a.test/items"}, "responses": [{"headers": {"Content-Length": "17"}}]}"#,
        #"{"key": "g", "request": {"method": "POST", "url": "https://a.test/bytes", "body": {"binaryEqualTo": "AAH/"}}, "responses": [{"text": "{{request.method}}", "template": true}]}"#,
      ], as: try #require(Self.format))
    let imported = try ImportRun("stubs.har", run.text)
    #expect(imported.unknown == [])
    try imported.expectSameAnswers(as: run)
  }

  @Test func hugeRepetitionsAreCut() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"method": "GET", "url": "https://a.test/"}, "responses": [{"repeat": 100000}]}"#
      ], as: try #require(Self.format))
    #expect(run.text.split(separator: "\n").count { $0.contains("startedDateTime") } == 100)
    #expect(run.ids(.changed) == ["sequence"])
  }

  @Test(arguments: [
    #""https://a.test/"}, "responses": [{"passthrough": true}]"#,
    #""wss://a.test/"}, "responses": [{"webSocket": {"frames": [{"send": {"text": "a"}}]}}]"#,
  ])
  func delegationsAndWebSocketsAreLeftOut(rest: String) throws {
    let run = try ExportRun(
      stubs: [#"{"key": "a", "request": {"method": "GET", "url": \#(rest)}"#],
      as: try #require(Self.format))
    #expect(
      try run.json
        == (try JSONValue(
          parsing:
            #"{"log": {"version": "1.2", "creator": {"name": "stubdb", "version": "1"}, "entries": []}}"#
        )))
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }
}
