import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Cassettes of VCR, vcrpy, DVR and nock.
@Suite struct CassetteImportTests {
  private static let gzip = "H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA"  // {"a":1}

  private func vcr(request: String = "{encoding: UTF-8, string: ''}", response: String) -> String {
    """
    ---
    http_interactions:
    - request:
        method: get
        uri: https://api.shop.test/v1/me
        body: \(request)
        headers: {Accept: ['*/*'], Old: text, None: }
      response:
        status: {code: 200, message: OK}
        headers: {Content-Type: [application/json], Content-Encoding: [gzip]}
        body: \(response)
        http_version: '1.1'
      recorded_at: Tue, 01 Nov 2011 04:49:54 GMT
    recorded_with: VCR 6.1.0
    """
  }

  @Test(arguments: [
    "{encoding: ASCII-8BIT, base64_string: \"H4sIAAAAAAAAA6tWSlSy\\nMqwFAK+sG1YHAAAA\\n\"}",
    "{encoding: UTF-8, string: '{\"a\": 1}'}", "'{\"a\": 1}'", "! '{\"a\": 1}'",
    "{string: !binary H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA}",
  ])
  func contentOfVCRIsReadInAllItsForms(body: String) throws {
    let run = try ImportRun("cassettes/me.yml", vcr(response: body))
    #expect(run.stubs[0].responses[0].body == .json(["a": 1]))
    #expect(run.stubs[0].responses[0].headers[.contentEncoding] == nil)
    #expect(
      run.stubs[0].recorded == Stub.Recording(at: "2011-11-01", from: "https://api.shop.test"))
    #expect(run.result.scenarios[0].name.rawValue == "me")
    #expect(run.unknown == [])
  }

  @Test func bytesOfVCRAreReadFromEscapes() throws {
    let text = vcr(response: #"{encoding: ASCII-8BIT, string: "\x89PN\xFF"}"#)
    let run = try ImportRun(
      "me.yml", text.replacingOccurrences(of: "application/json", with: "image/png"))
    #expect(run.stubs[0].responses[0].body == .data(Data([0x89, 0x50, 0x4E, 0xFF])))
  }

  @Test(arguments: ["yes", "0123", "2014-01-11", "1e3", "~x"])
  func scalarsAreTextAsTheyWereWritten(value: String) throws {
    let text = vcr(response: "{string: \(value)}")
      .replacingOccurrences(of: "[application/json]", with: "[text/html]")
      .replacingOccurrences(of: "Content-Encoding: [gzip]", with: "X-A: [\(value)]")
    let response = try ImportRun("me.yml", text).stubs[0].responses[0]
    #expect(response.body == .text(value))
    #expect(response.headers.first { $0.name.rawName == "X-A" }?.value == value)
  }

  @Test func compressedCassettesAreRead() throws {
    let json = #"{"http_interactions": []}"#
    let run = try ImportRun("a.json", json)
    #expect(run.stubs.isEmpty)
    // zlib of the same text
    let zlib = Data(base64Encoded: "eJyrVsooKSmIz8wrSS1KTC7JzM8rVrJSiI6tBQB/3QmB") ?? Data()
    #expect(throws: Never.self) { try ImportRun(["a.gz": zlib]) }
  }

  @Test(arguments: [
    ("- !ruby/struct:VCR::HTTPInteraction\n  request: x\n", "VCR 1"),
    ("http_interactions:\n- request: {method: get, uri: 'https://a.test/<%= id %>'}\n", "--var"),
  ])
  func cassettesThatNeedRubyAreRefusedWithAdvice(text: String, wanted: String) {
    let error = #expect(throws: FormatError.self) { try ImportRun("a.yml", text) }
    #expect(error?.message.contains(wanted) == true)
  }

  @Test func variablesOfACassetteAreFilledIn() throws {
    var options = ImportOptions()
    options.variables = ["id": "7"]
    let run = try ImportRun(
      "a.yml",
      "http_interactions:\n- {request: {method: get, uri: 'https://a.test/<%= id %>'}, response: {status: {code: 200}, body: {string: 'id <%= id %>'}}}\n",
      options: options)
    #expect(run.stubs[0].request.path == .template("/7"))
    #expect(run.stubs[0].responses[0].body == .text("id 7"))
    #expect(run.ids(.changed) == [])
  }

  @Test func rubyInTheContentOfARequestIsReported() throws {
    let run = try ImportRun(
      "a.yml",
      "http_interactions:\n- {request: {method: post, uri: 'https://a.test/', body: {string: 'id <%= id %>'}}, response: {status: {code: 200}}}\n"
    )
    #expect(run.ids(.changed) == ["template"])
  }

  @Test(arguments: ["page=1&sort=up", ""])
  func cassettesAnswerNoFurtherParameters(query: String) async throws {
    let url = "https://api.shop.test/v1/me" + (query.isEmpty ? "" : "?\(query)")
    let cassettes = [
      "a.yml":
        "http_interactions:\n- {request: {method: get, uri: '\(url)'}, response: {status: {code: 204}}}\n",
      "b.yaml":
        "version: 1\ninteractions:\n- {request: {method: GET, uri: '\(url)'}, response: {status: {code: 204}}}\n",
      "c.json":
        #"[{"scope": "https://api.shop.test", "path": "\#(url.dropFirst(21))", "status": 204}]"#,
      "d.json":
        #"{"name": "d", "interactions": [{"recorded_at": 1, "request": {"method": "GET", "url": "\#(url)"}, "response": {"status": 204}}]}"#,
    ]
    for (name, text) in cassettes {
      let run = try ImportRun(name, text)
      try await run.play([RecordedCase(url: url, status: 204)])
      await #expect(throws: (any Error).self, "\(name)") {
        try await run.play([
          RecordedCase(url: url + (query.isEmpty ? "?" : "&") + "further=1", status: 204)
        ])
      }
    }
    let free = try ImportRun(
      "a.yml",
      "http_interactions:\n- {request: {method: get, uri: 'https://a.test/?key=<KEY>'}, response: {status: {code: 204}}}\n"
    )
    #expect(!free.stubs[0].request.queryIsExact)
  }

  private func vcrpy(_ response: String, request: String = "null") -> String {
    """
    version: 1
    interactions:
    - request: {method: POST, uri: 'https://api.shop.test/v1/x?b=2&a=1', body: \(request), headers: {Content-Type: [application/json]}}
      response: \(response)
    """
  }

  @Test(arguments: [
    "{status: {code: 200, message: OK}, headers: {Content-Type: application/json, content-encoding: [gzip]}, body: {string: !!binary H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA}}",
    "{status_code: 200, http_version: HTTP/2, headers: {Content-Type: [application/json], content-encoding: [gzip]}, content: '{\"a\": 1}'}",
  ])
  func contentOfVCRPyIsReadInAllItsForms(response: String) throws {
    let run = try ImportRun("cassettes/test_api/test_me.yaml", vcrpy(response))
    #expect(run.stubs[0].responses[0].body == .json(["a": 1]))
    #expect(run.result.scenarios[0].name.rawValue == "test_api/test_me")
    #expect(run.unknown == [])
  }

  @Test(arguments: [
    #"'{"q": 1}'"#, "!!python/unicode '{\"q\": 1}'",
    "!!python/object/new:_io.BytesIO {state: !!python/tuple [!!binary eyJxIjogMX0=, 0, null]}",
  ])
  func requestsOfVCRPyAreReadInAllTheirForms(body: String) throws {
    let run = try ImportRun("a.yaml", vcrpy("{status: {code: 204}}", request: body))
    #expect(run.stubs[0].request.body == [.equalToJSON(["q": 1])])
    #expect(run.unknown == [])
  }

  @Test func oldCassettesOfVCRPyAreLists() throws {
    let text = """
      [{"request": {"protocol": "https", "host": "a.test", "path": "/x", "method": "GET", "headers": {}},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": ["X-A: 1\\r\\n"], "body": {"string": "x"}}}]
      """
    let run = try ImportRun("old.json", text)
    #expect(run.stubs[0].responses[0].headers.map(\.value) == ["1"])
  }

  @Test func recordingsOfDVRAreRead() throws {
    let text = """
      {"name": "Cart & Co", "interactions": [
        {"recorded_at": 1700000000.5,
         "request": {"method": "GET", "url": "https://a.test/1", "headers": {}},
         "response": {"url": "https://a.test/1", "status": 200,
           "headers": {"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"},
           "body": {"a": 1}}},
        {"recorded_at": 1700000001,
         "request": {"method": "GET", "url": "https://a.test/2", "headers": {}},
         "response": {"url": "https://a.test/3", "status": 200,
           "headers": {"Content-Type": "image/png"}, "body": "AAEC"}}]}
      """
    let run = try ImportRun("cart.json", text)
    #expect(run.result.scenarios[0].name.rawValue == "cart-co")
    #expect(run.stubs.map { $0.responses[0].body } == [.json(["a": 1]), .data(Data([0, 1, 2]))])
    #expect(run.ids(.changed) == ["redirect-followed"])
    #expect(run.stubs[0].recorded?.at == "2023-11-14")
    #expect(run.unknown == [])
  }

  @Test func fixturesOfNockAreRead() throws {
    let text = """
      [{"scope": "https://a.test:443", "method": "GET", "path": "/1?x=1", "body": "", "status": 200,
        "response": ["1f8b0800000000000003", "ab564a54b232ac0500afac1b5607000000"],
        "rawHeaders": ["Content-Type", "application/json", "Content-Encoding", "gzip"],
        "responseIsBinary": false},
       {"scope": "https://a.test:443", "method": "GET", "path": "/2", "reply": "201",
        "response": ["all-applications"], "headers": {"Content-Type": "application/json"}},
       {"scope": "https://a.test", "method": "POST", "path": "/3", "body": "*", "status": 204,
        "response": "", "rawHeaders": [], "badheaders": ["Authorization"]},
       {"scope": "https://a.test", "method": "POST", "path": "/4", "body": {"a": 1}, "status": 200,
        "response": "0001ff", "responseIsBinary": true, "rawHeaders": []}]
      """
    let run = try ImportRun("fixture.json", text)
    #expect(
      run.stubs.map { $0.responses[0].body } == [
        .json(["a": 1]), .json(["all-applications"]), nil, .data(Data([0, 1, 255])),
      ])
    #expect(run.stubs.map { $0.responses[0].status } == [200, 201, 204, 200])
    #expect(run.stubs[2].request.headers == [HeaderPattern(.authorization, .absent)])
    #expect(run.stubs[2].request.body.isEmpty)
    #expect(run.stubs[3].request.body == [.equalToJSON(["a": 1])])
    #expect(run.unknown == [])
  }

  @Test func aliasesThatStandForBillionsOfValuesAreRefused() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let list = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(list)]\n"
    }
    let error = #expect(throws: FormatError.self) { try ImportRun("a.yaml", text) }
    #expect(error?.message.contains("aliases") == true)
  }

  @Test(arguments: ["{\"a\":", "["])
  func deepNestingIsRefused(opening: String) {
    let text = String(repeating: opening, count: 20_000)
    for name in ["a.json", "a.yaml"] {
      #expect(throws: FormatError.self) { try ImportRun(name, text) }
    }
  }
}
