import StubDBJSON
import Testing

/// `stubdb check --openapi`.
struct OpenAPICheckTests {
  private static let description = """
    openapi: 3.0.3
    info: {title: Shop, version: "1"}
    servers: [{url: https://api.shop.test/v1}]
    security: [{key: []}]
    paths:
      /orders:
        get:
          parameters:
            - {name: state, in: query, schema: {type: string, enum: [open, paid]}}
            - {name: page, in: query, required: true, schema: {type: integer}}
          responses:
            "200":
              description: ok
              headers:
                X-Total: {required: true, schema: {type: integer}}
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/Order"}}
            4XX: {description: refused}
        post:
          deprecated: true
          security: []
          requestBody:
            content:
              application/json: {schema: {$ref: "#/components/schemas/Order"}}
          responses:
            "201": {description: made}
            default: {description: any}
      /orders/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          security: []
          responses:
            "200":
              description: ok
              content:
                application/json: {schema: {$ref: "#/components/schemas/Order"}}
            "404": {description: missing}
    components:
      securitySchemes:
        key: {type: apiKey, in: header, name: X-Key}
      schemas:
        Order:
          type: object
          required: [id, card, total]
          properties:
            id: {type: integer, readOnly: true}
            card: {type: string, writeOnly: true}
            total: {type: integer, nullable: true}
    """

  private static func box(_ stubs: String) throws -> Sandbox {
    let box = try Sandbox()
    try box.write("shop.yaml", description)
    try box.write("stubs.json", #"{"scenario": "a/b", "stubs": [\#(stubs)]}"#)
    try box.must("init", "a.stubdb")
    try box.must("add", "--file", "stubs.json")
    return box
  }

  /// `level id pointer` of each finding.
  private static func findings(_ stubs: String) throws -> [String] {
    let result = try box(stubs).run("check", "--openapi", "shop.yaml", "--json")
    guard case .object(let members) = try JSONValue(parsing: result.out),
      case .array(let findings)? = members["findings"]
    else { return ["\(result)"] }
    let texts = try findings.map { finding -> String in
      guard case .object(let members) = finding else { return "\(finding)" }
      return try ["level", "id", "pointer"].map { name in
        guard case .string(let text)? = members[name] else { throw CancellationError() }
        return text
      }.joined(separator: " ")
    }
    #expect(result.code == (texts.contains { $0.hasPrefix("error") } ? 2 : 0), "\(result)")
    return texts
  }

  private static let url = "https://api.shop.test/v1/orders"

  private static func one(_ answer: String, id: String = "7") -> String {
    #"{"key":"k","request":{"method":"GET","url":"\#(url)/\#(id)"},"responses":[\#(answer)]}"#
  }

  private static func list(_ request: String, _ answer: String) -> String {
    #"""
    {"key":"k","request":{"method":"GET","url":"\#(url)","headers":{"X-Key":"a"}\#(request)},
     "responses":[\#(answer)]}
    """#
  }

  private static let answered = #"{"headers":{"X-Total":"1"},"json":[]}"#

  @Test(arguments: [
    (one(#"{"json":{"id":1,"total":null}}"#), []),
    (one(#"{"json":{"id":1,"total":"x"}}"#), ["error body-schema /responses/0/json/total"]),
    (one(#"{"json":{"id":1}}"#), ["error body-schema /responses/0/json"]),
    (
      one(#"{"json":{"id":1,"total":1,"card":"4242"}}"#),
      ["error body-schema /responses/0/json/card"]
    ),
    (one(#"{"status":404}"#), []),
    (one(#"{"status":404,"text":"no"}"#), ["warning undefined-media-type /responses/0"]),
    (one(#"{"status":204}"#), ["error undefined-status /responses/0/status"]),
    (one(#"{"status":418}"#), ["warning undefined-status /responses/0/status"]),
    (one(#"{"text":"a"}"#), ["error undefined-media-type /responses/0/headers/Content-Type"]),
    (one(#"{"status":404}"#, id: "{id}"), []),
    (one(#"{"status":404}"#, id: "seven"), ["error request-cannot-match /request/url"]),
    (one(#"{"status":404}"#, id: "7/items"), ["error unknown-path /request"]),
    (
      #"{"key":"k","request":{"method":"PUT","url":"\#(url)"}}"#,
      ["error unknown-method /request/method"]
    ),
    (
      #"{"key":"k","request":{"method":"POST","url":"\#(url)","body":{"equalToJson":{"card":"a","total":1}}},"responses":[{"status":500}]}"#,
      ["note deprecated /request"]
    ),
    (
      #"{"key":"k","request":{"method":"POST","url":"\#(url)","body":{"equalToJson":{"total":"x"},"ignoreExtraElements":true}},"responses":[{"status":201}]}"#,
      ["note deprecated /request", "error request-cannot-match /request/body/total"]
    ),
    (list("", answered), []),
    (list("", #"{"json":[]}"#), ["error missing-required-header /responses/0/headers/X-Total"]),
    (
      list("", #"{"headers":{"X-Total":"many"},"json":[]}"#),
      ["error header-schema /responses/0/headers/X-Total"]
    ),
    (list("", #"{"status":429}"#), []),
    (list(#","query":{"state":"open"}"#, answered), []),
    (
      list(#","query":{"state":"gone"}"#, answered),
      ["error request-cannot-match /request/query/state"]
    ),
    (
      list(#","query":{"sort":"asc"}"#, answered),
      ["error request-cannot-match /request/query/sort"]
    ),
    (
      list(#","query":{"state":"open"},"queryIsExact":true"#, answered),
      ["error request-cannot-match /request/query"]
    ),
    (list(#","query":{"state":"open","page":"1"},"queryIsExact":true"#, answered), []),
    (
      #"{"key":"k","request":{"method":"GET","url":"\#(url)"},"responses":[\#(answered)]}"#,
      ["note security-missing /request"]
    ),
    (#"{"key":"k","request":{"url":"https://other.test/x"}}"#, []),
  ])
  func eachRule(stub: String, found: [String]) throws {
    #expect(try Self.findings(stub) == found)
  }

  @Test func whatHasNoStubIsListed() throws {
    let box = try Self.box(Self.one(#"{"status":404}"#))
    let result = try box.run("check", "--openapi", "shop.yaml", "--coverage")
    #expect(
      result
        == CommandResult(
          out: """
            GET /orders: no stub
            POST /orders: no stub
            GET /orders/{id}: no stub answers with 200

            """, err: "a.stubdb against the description: no problems; 3 without a stub.\n"))
  }

  @Test func aResourceHasItsListAndItsItems() throws {
    let stub =
      #"{"key":"k","resource":{"at":"\#(Self.url)","id":"integer","seed":[{"id":1,"total":"x"}]}}"#
    let result = try Self.box(stub).run("check", "--openapi", "shop.yaml", "--coverage")
    #expect(result.code == 2)
    // Of what is at the URLs, only the list is in the catalog.
    #expect(result.out.contains("a/b k /resource/seed/0/total: error body-schema"), "\(result)")
    #expect(!result.out.contains("/responses/0/json"), "\(result)")
    #expect(
      result.out.split(separator: "\n").filter { $0.contains("no stub") }
        == ["GET /orders: no stub answers with 4XX"])
    let read = try Self.box(stub.replacing("{\"key\"", with: #"{"request":{"method":"GET"},"key""#))
    let lines = try read.run("check", "--openapi", "shop.yaml", "--coverage").out
    #expect(lines.contains("POST /orders: no stub\n") && !lines.contains("GET /orders/{id}"))
  }

  @Test func aRuleCanBeSwitchedOff() throws {
    let box = try Self.box(Self.one(#"{"status":204}"#))
    let found = try box.run("check", "--openapi", "shop.yaml")
    #expect(
      found
        == CommandResult(
          out: """
            a/b k /responses/0/status: error undefined-status: the description has no status 204 of GET \
            /orders/{id}

            """, err: "a.stubdb against the description: 1 error.\n", code: 2))
    try box.write(
      ".stubdb-verify.json",
      #"{"ignore": [{"id": "undefined-status", "reason": "the description is late"}]}"#)
    let result = try box.run("check", "--openapi", "shop.yaml")
    #expect(result.code == 0 && result.out == "")
    #expect(result.err.contains("1 excepted in .stubdb-verify.json"))
  }

  @Test func whatIsNoDescriptionIsRefused() throws {
    let box = try Self.box(Self.one("{}"))
    let other = try box.run("check", "--openapi", "stubs.json")
    #expect(other.code == 1 && other.err.contains("this is no description in OpenAPI 3"))
    #expect(try box.run("check", "--openapi", "missing.yaml").code == 1)
    #expect(try box.run("check", "--coverage").code == 64)
    #expect(try box.run("check", "--openapi", "shop.yaml", "--max-age", "30d").code == 64)
  }

  /// A description is somebody else's file.
  @Test(arguments: [
    // Nothing is fetched, and nothing is known of what was not fetched.
    (#"{"$ref": "http://169.254.169.254/schema.json"}"#, 0, "no problems; 1 inconclusive"),
    (##"{"$ref": "#/components/schemas/A"}"##, 0, "no problems"),
    (##"{"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "array"}]}"##, 2, "1 error"),
    (##"{"$ref": "#/components/schemas/Loop"}"##, 1, "references"),
    (#"{"$ref": "/etc/passwd"}"#, 1, "/etc/passwd"),
    (#"{"$ref": "../outside.json"}"#, 1, "outside.json"),
    (##"{"$ref": "#/components/schemas/Missing"}"##, 1, "refers to what is not there"),
    (#"{"pattern": "(a+)+$", "type": "string"}"#, 2, "1 error"),
  ])
  func referencesLeadNowhereElse(schema: String, code: Int32, says text: String) throws {
    let box = try Sandbox()
    try box.write(
      "api.json",
      """
      {"openapi": "3.1.0", "info": {"title": "A", "version": "1"},
       "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json":
         {"schema": \(schema)}}}}}}},
       "components": {"schemas": {
         "A": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
         "Loop": {"$ref": "#/components/schemas/Pool"},
         "Pool": {"$ref": "#/components/schemas/Loop"}}}}
      """)
    try box.must("init", "a.stubdb")
    try box.must("add", "a/b", "--url", "https://api.shop.test/a", "--json", #"{"a": {"a": {}}}"#)
    let result = try box.run("check", "--openapi", "api.json")
    #expect(result.code == code && result.err.contains(text), "\(result)")
  }

  /// Descriptions of large services have schemas that refer to nearly all others.
  @Test func schemasAreComparedAsFarAsTheContentGoes() throws {
    let box = try Sandbox()
    let schemas = (0..<3_000).map { number in
      let next = ##"{"$ref": "#/components/schemas/S\##((number + 1) % 3_000)"}"##
      return #""S\#(number)": {"allOf": [{"type": "object", "required": ["n"], "properties": {"#
        + #""n": {"type": "integer"}, "next": \#(next), "all": {"type": "array", "items": \#(next)}}}]}"#
    }
    let paths = (0..<50).map {
      #""/a/\#($0)": {"get": {"responses": {"200": {"content": {"application/json": {"schema": "#
        + ##"{"$ref": "#/components/schemas/S\##($0)"}}}}}}}"##
    }
    try box.write(
      "api.json",
      """
      {"openapi": "3.1.0", "info": {"title": "A", "version": "1"},
       "paths": {\(paths.joined(separator: ","))},
       "components": {"schemas": {\(schemas.joined(separator: ","))}}}
      """)
    let wrong = #"{"n": 1, "next": {"n": 2, "all": [{"n": 3, "next": {"n": "4"}}]}}"#
    let stubs = (0..<50).map {
      #"{"key": "k\#($0)", "request": {"method": "GET", "url": "https://a.test/a/\#($0)"}, "#
        + #""responses": [{"json": \#($0 == 7 ? wrong : #"{"n": 1, "next": {"n": 2}}"#)}]}"#
    }
    try box.write(
      "a.json", #"{"scenario": "a/b", "stubs": [\#(stubs.joined(separator: ","))]}"#)
    try box.must("init", "a.stubdb")
    try box.must("add", "--file", "a.json")
    let result = try box.run("check", "--openapi", "api.json")
    #expect(result.err == "a.stubdb against the description: 1 error.\n")
    #expect(
      result.out.hasPrefix("a/b k7 /responses/0/json/next/all/0/next/n: error body-schema: "),
      "\(result)")
  }

  @Test func aKeptDescriptionIsOneScenarioThatNoCheckReads() throws {
    let box = try Self.box(Self.one(#"{"status": 404}"#))
    for _ in 1...2 {
      let result = try box.run("check", "--openapi", "shop.yaml", "--keep")
      #expect(result.code == 0, "\(result)")
      #expect(
        result.err.hasPrefix("Kept 3 operations of shop.yaml as openapi/shop in a.stubdb. "),
        "\(result)")
    }
    #expect(try box.run("list").out.contains("Shop: requests of 3 operations, kept from shop.yaml"))
    #expect(try box.run("check").code == 0)
    let checked = try box.run("check", "--openapi", "shop.yaml", "--json")
    #expect(checked.code == 0 && !checked.out.contains("openapi/shop"), "\(checked)")
    try box.write("shop.yaml", Self.description.replacing("/orders/{id}:", with: "/order/{id}:"))
    _ = try box.run("check", "--openapi", "shop.yaml", "--keep")
    #expect(try box.run("show", "openapi/shop", "--json").out.contains(#""GET /order/{id}""#))
  }

  @Test func thousandsOfStubsShareASchema() throws {
    let box = try Sandbox()
    let properties = (0..<9_000).map { #""p\#($0)": {"type": "string"}"# }.joined(separator: ",")
    try box.write(
      "api.json",
      """
      {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a/{id}": {"get":
       {"responses": {"200": {"content": {"application/json": {"schema":
       {"type": "object", "required": ["p1"], "properties": {\(properties)}}}}}}}}}}
      """)
    let stubs = (0..<150).map {
      #"{"key": "k\#($0)", "request": {"method": "GET", "url": "https://a.test/a/\#($0)"}, "#
        + #""responses": [{"json": {}}]}"#
    }
    try box.write(
      "a.json", #"{"scenario": "a/b", "stubs": [\#(stubs.joined(separator: ","))]}"#)
    try box.must("init", "a.stubdb")
    try box.must("add", "--file", "a.json")
    let result = try box.run("check", "--openapi", "api.json")
    #expect(result.code == 2)
    #expect(result.err == "a.stubdb against the description: 150 errors.\n")
  }
}
