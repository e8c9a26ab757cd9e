import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// What the saved examples of collections become.
@Suite struct PostmanImportTests {
  private func run(
    _ items: String, more: String = "", options: ImportOptions = ImportOptions()
  ) throws(FormatError) -> ImportRun {
    try ImportRun(
      "shop.json",
      """
      {"info": {"name": "Shop API", "_postman_id": "x",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": \(items)\(more)}
      """, options: options)
  }

  private func item(_ request: String, responses: String = #"[{"code": 200, "body": "ok"}]"#)
    -> String
  {
    #"[{"name": "Get it", "request": \#(request), "response": \#(responses)}]"#
  }

  @Test(arguments: [
    (
      #""https://api.shop.test/v1/me""#,
      #"{"host": "api.shop.test", "method": "GET", "path": "/v1/me", "scheme": "https"}"#
    ),
    (
      #"{"method": "GET", "header": null, "url": {"raw": "x", "host": ["{{baseUrl}}"], "path": ["users", ":id"], "query": [{"key": "x", "value": "{{y}}"}, {"key": "z", "value": "1"}, {"key": "off", "value": "1", "disabled": true}]}}"#,
      #"{"method": "GET", "path": "/users/{id}", "query": {"z": "1"}}"#
    ),
    (
      #"{"method": "POST", "header": "Content-Type: application/json\nX: 1\n", "body": {"mode": "raw", "raw": "{\"a\": {{n}}}"}, "url": "https://a.test/b"}"#,
      #"{"body": {"equalToJson": {"a": "${json-unit.ignore}"}}, "host": "a.test", "method": "POST", "path": "/b", "scheme": "https"}"#
    ),
    (
      #"{"method": "POST", "body": {"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "disabled": true}]}, "url": {"protocol": "https", "host": "a.test", "path": "b"}}"#,
      #"{"body": {"form": {"a": "1"}, "isExact": true}, "host": "a.test", "method": "POST", "path": "/b", "scheme": "https"}"#
    ),
    (
      #"{"method": "POST", "data": {"mode": "urlencoded", "content": [{"key": "a", "value": "1", "enabled": true}]}, "url": "https://a.test/b"}"#,
      #"{"body": {"form": {"a": "1"}, "isExact": true}, "host": "a.test", "method": "POST", "path": "/b", "scheme": "https"}"#
    ),
    (
      #"{"method": "GET", "body": {"mode": "formdata", "formdata": [], "raw": "x"}, "url": "https://a.test/b"}"#,
      #"{"host": "a.test", "method": "GET", "path": "/b", "scheme": "https"}"#
    ),
    (
      #"{"method": "POST", "body": {"mode": "graphql", "graphql": {"query": "query A { b }", "variables": "{\"c\": 1}"}}, "url": "https://a.test/g"}"#,
      #"{"body": {"graphql": {"query": "query A { b }", "variables": {"c": 1}}}, "host": "a.test", "method": "POST", "path": "/g", "scheme": "https"}"#
    ),
  ])
  func requestsAreTranslated(given: String, wanted: String) throws {
    let run = try run(item(given))
    let request = try #require(run.stubs.first).request.jsonObject
    #expect(.object(request) == (try JSONValue(parsing: wanted)))
    #expect(run.unknown == [])
    #expect(run.result.scenarios[0].name.rawValue == "shop-api")
    #expect(run.stubs[0].key == "get-it")
  }

  @Test func alternativesAreScenariosOfTheirOwn() throws {
    let responses = """
      [{"name": "Missing", "code": 404, "header": [{"key": "X-A", "value": "1"}], "body": null},
       {"name": "Fine", "code": 200, "header": ["Content-Type: application/json"], "body": "{\\"a\\": 1}"},
       {"name": "Other query", "code": 200, "originalRequest": {"method": "GET", "url": "https://a.test/b?p=2"}}]
      """
    let run = try run(
      #"[{"name": "Users", "item": \#(item(#""https://a.test/b""#, responses: responses))}]"#)
    #expect(
      run.result.scenarios.map(\.name.rawValue)
        == ["shop-api", "shop-api/users", "shop-api/users/missing"])
    #expect(run.result.scenarios[1].stubs.map { $0.responses[0].status } == [200, 200])
    // The one that asks for more comes first.
    #expect(run.result.scenarios[1].stubs.map(\.request.query) == [[NamedPattern("p", "2")], []])
    #expect(run.result.scenarios[1].stubs[1].responses[0].body == .json(["a": 1]))
    #expect(run.unknown == [])
  }

  /// A folder stands for everything in it; further examples of its requests are not part of it.
  @Test func aFolderIncludesItsFolders() throws {
    let responses = #"[{"code": 200, "body": "ok"}, {"name": "Bad", "code": 500}]"#
    let inner = item(#""https://a.test/inner""#, responses: responses)
    let items = #"""
      [{"name": "Empty", "item": [{"name": "Deeper", "item": []}]},
       {"name": "Orders", "item": [{"name": "Inner", "item": \#(inner)}]},
       {"name": "Me", "request": "https://a.test/me", "response": [{"code": 200, "body": "ok"}]}]
      """#
    let run = try run(items)
    #expect(
      run.result.scenarios.map { [$0.name.rawValue] + $0.includes.map(\.rawValue) } == [
        ["shop-api", "shop-api/orders"], ["shop-api/orders", "shop-api/orders/inner"],
        ["shop-api/orders/inner"], ["shop-api/orders/inner/bad"],
      ])
    #expect(run.result.scenarios.map(\.stubs.count) == [1, 0, 1, 1])
    var options = ImportOptions()
    options.only = ["/me"]
    let part = try self.run(items, options: options)
    #expect(part.result.scenarios.map(\.name.rawValue) == ["shop-api"])
    #expect(part.result.scenarios[0].includes == [])
    options.only = ["/other"]
    #expect(try self.run(items, options: options).result.scenarios == [])
    // What only includes others is no scenario of its own.
    var single = ImportOptions()
    single.naming = .single("a/b")
    let one = try self.run(
      #"[{"name": "A", "item": \#(item(#""https://a.test/1""#))}]"#, options: single)
    #expect(one.result.scenarios.map(\.name.rawValue) == ["a/b"])
    #expect(one.result.scenarios[0].includes == [])
  }

  @Test func requestsWithoutExamplesAreCounted() throws {
    let items = item(#""https://a.test/b""#, responses: "[]")
    let run = try run(items)
    #expect(run.stubs.isEmpty)
    let line = run.result.report.lines.first { $0.id == .noAnswer }
    #expect(line?.text.hasPrefix("1 request has no saved response: \"") == true)
    #expect(line?.key == nil)
    var options = ImportOptions()
    options.flags.insert(.empty)
    #expect(try self.run(items, options: options).stubs.count == 1)
  }

  @Test func variablesComeFromTheCollectionTheEnvironmentAndTheCommandLine() throws {
    let collection = """
      {"info": {"name": "S", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": \(item(#""{{base}}/{{version}}/{{id}}""#)),
       "variable": [{"key": "base", "value": "https://wrong.test"}, {"key": "version", "value": "v1"}]}
      """
    let environment =
      #"{"name": "test", "values": [{"key": "base", "value": "https://a.test", "enabled": true}]}"#
    var options = ImportOptions()
    options.variables = ["id": "7"]
    let run = try ImportRun(
      ["c.json": Data(collection.utf8), "e.json": Data(environment.utf8)], options: options)
    #expect(run.stubs[0].request.host == .equalTo("a.test"))
    #expect(run.stubs[0].request.path == .template("/v1/7"))
    #expect(run.unknown == [])
  }

  @Test func theBaseURLOfAVariableKeepsItsPath() throws {
    var options = ImportOptions()
    options.variables = ["base": "https://a.test:81/v2/"]
    let url = #"{"raw": "{{base}}/me", "host": ["{{base}}"], "path": ["me"]}"#
    let request = try #require(
      try run(item(#"{"method": "GET", "url": \#(url)}"#), options: options).stubs.first
    ).request
    #expect(request.host == .equalTo("a.test"))
    #expect(request.port == 81)
    #expect(request.path == .template("/v2/me"))
  }

  @Test(arguments: [("/", "/users/{id}"), ("", "/users/{id}"), ("/v1/", "/v1/users/{id}")])
  func aBaseURLThatIsAPathLeavesTheHostFree(base: String, path: String) throws {
    let url = #"{"host": ["{{baseUrl}}"], "path": ["users", ":id"]}"#
    let run = try run(
      item(#"{"method": "GET", "url": \#(url)}"#),
      more: #", "variable": [{"key": "baseUrl", "value": "\#(base)"}]"#)
    #expect(run.stubs.map(\.request.path) == [.template(path)])
    #expect(run.stubs.map(\.request.host) == [nil])
  }

  @Test func bracesInTheValueOfAPathVariableStandForThemselves() throws {
    let url =
      #"{"host": ["a", "test"], "path": [":id"], "variable": [{"key": "id", "value": "**"}]}"#
    let run = try run(item(#"{"method": "GET", "url": \#(url)}"#))
    #expect(run.stubs.map(\.request.path) == [.template("/%2A%2A")])
  }

  @Test func dynamicVariablesBecomeTemplates() throws {
    let run = try run(
      item(#""https://a.test/b""#, responses: #"[{"code": 200, "body": "{{$guid}}"}]"#))
    #expect(run.stubs[0].responses[0].isTemplate)
    #expect(run.stubs[0].responses[0].body == .text("{{uuid}}"))
  }

  @Test func odditiesOfRealCollectionsAreReadAndScriptsReported() throws {
    let run = try run(
      """
      [{"name": "a", "event": [{"listen": "test", "script": {"exec": ["pm.test()"]}}],
        "request": {"method": "GET", "url": null}, "response": [{"name": "x", "status": "Not Found"}]},
       {"name": "b", "request": "https://a.test/b", "response": [{"status": "Not Found"}]}]
      """)
    #expect(run.stubs.map { $0.responses[0].status } == [404])
    #expect(run.ids(.dropped) == ["script", "stub-left-out"])
    #expect(run.unknown == [])
  }

  @Test func examplesThatAreNoAnswersAreLeftOut() throws {
    let run = try run(
      """
      [{"name": "a", "request": "https://a.test/a", "response": [{"code": 101}, {"code": 304}]},
       {"name": "b", "request": {"method": "GET", "url": "https://a.test/b",
         "header": [{"key": "If-None-Match", "value": "v1"}]}, "response": [{"code": 304}]}]
      """)
    #expect(run.stubs.map(\.key.rawValue) == ["b"])
    #expect(run.stubs[0].request.headers == [HeaderPattern(.ifNoneMatch, "v1")])
    #expect(run.ids(.dropped) == ["not-modified", "websocket"])
  }

  @Test func foldersThatNestTooDeepAreNamed() throws {
    var items = item(#""https://a.test/deep""#)
    for number in 0..<70 { items = #"[{"name": "f\#(number)", "item": \#(items)}]"# }
    let run = try run(items)
    #expect(run.result.report.stubCount == 0)
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  @Test func whatHasNoCounterpartLeavesTheStubOutUnlessLenient() throws {
    for request in [
      #"{"method": "POST", "url": "https://a.test/b", "body": {"mode": "soap", "soap": "x"}}"#,
      #"{"method": "POST", "url": "https://a.test/b", "body": {"mode": "raw", "raw": "a {{b}}"}}"#,
      #"{"method": "POST", "url": "https://a.test/b", "body": {"mode": "graphql", "graphql": {"query": "{a}", "variables": "{"}}}"#,
      #"{"method": "G ET", "url": "https://a.test/b"}"#,
    ] {
      let run = try run(item(request))
      #expect(run.stubs == [], "\(request)")
      #expect(run.ids(.dropped) == ["stub-left-out"], "\(request)")
      var options = ImportOptions()
      options.flags.insert(.lenient)
      let lenient = try self.run(item(request), options: options)
      #expect(lenient.stubs.count == 1, "\(request)")
      #expect(lenient.ids(.dropped) == ["operator"], "\(request)")
    }
  }

  @Test(arguments: [
    (#"{"requests": [], "order": [], "info": {}}"#, "version 1"),
    (#"{"name": "env", "values": []}"#, "collection"),
  ])
  func whatIsNoCollectionIsRefused(text: String, wanted: String) {
    let error = #expect(throws: FormatError.self) { try ImportRun("a.json", text) }
    #expect(error?.message.contains(wanted) == true)
  }

  @Test func linesAreAboutTheirOwnRequests() throws {
    let run = try run(
      #"""
      [{"name": "a", "request": "https://h.test/a", "response": [{"code": 200, "body": "ok"}]},
       {"name": "b", "event": [{"listen": "test", "script": {"exec": ["x"]}}], "request": "https://h.test/b", "response": []}]
      """#)
    let line = try #require(run.result.report.lines.first { $0.id == .script })
    #expect(line.key == nil)
    #expect(line.pointer == "/item/1/event")
  }
}
