import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What descriptions become: usual answers, situations, and values made from schemas.
@Suite struct OpenAPIImportTests {
  private func run(
    paths: String, more: String = "", options: ImportOptions = ImportOptions()
  ) throws(FormatError) -> ImportRun {
    try ImportRun(
      "shop.json",
      #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": \#(paths)\#(more)}"#,
      options: options)
  }

  private func body(ofSchema schema: String, more: String = "") throws -> JSONValue? {
    let run = try run(
      paths: #"""
        {"/a": {"get": {"responses": {"200": {"description": "", "content":
          {"application/json": {"schema": \#(schema)}}}}}}}
        """#, more: more)
    guard case .bytes(let data) = try #require(run.stubs.first).responses[0].body?.content else {
      return nil
    }
    return try JSONValue(parsing: data)
  }

  @Test(arguments: [
    ("{}", "{}"), (#"{"type": "string"}"#, #""string""#),
    (#"{"type": "string", "format": "date-time"}"#, #""2026-01-01T00:00:00Z""#),
    (#"{"type": "string", "pattern": "^[A-Z]{3}-\\d+$"}"#, #""AAA-0""#),
    (#"{"type": "string", "minLength": 8}"#, #""stringst""#),
    (#"{"type": "string", "maxLength": 3}"#, #""str""#),
    (#"{"type": "integer", "minimum": 5, "multipleOf": 4}"#, "8"),
    (#"{"type": "number", "exclusiveMinimum": 1}"#, "1.5"),
    (#"{"type": ["null", "boolean"]}"#, "true"),
    (#"{"enum": [null, "b"]}"#, #""b""#), (#"{"const": 7}"#, "7"),
    (#"{"type": "integer", "example": 42}"#, "42"),
    (#"{"type": "array", "items": {"type": "integer"}, "minItems": 2}"#, "[0, 0]"),
    (
      #"{"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": true}"#,
      "[0, 1]"
    ),
    (
      #"{"type": "object", "properties": {"a": {"type": "integer"}, "secret": {"type": "string", "writeOnly": true}}}"#,
      #"{"a": 0}"#
    ),
    (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"key": 0}"#),
    (
      #"{"allOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": {"const": 2}}}], "properties": {"c": {"const": 3}}}"#,
      #"{"a": 1, "b": 2, "c": 3}"#
    ),
    (#"{"oneOf": [{"type": "null"}, {"type": "integer"}]}"#, "0"),
  ])
  func schemasBecomeValues(schema: String, wanted: String) throws {
    #expect(try body(ofSchema: schema) == JSONValue(parsing: wanted))
  }

  @Test func discriminatorsNameTheirBranch() throws {
    let components = #"""
      , "components": {"schemas": {
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}],
          "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}},
        "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"const": 9}}}}}
      """#
    let value = try body(ofSchema: ##"{"$ref": "#/components/schemas/Pet"}"##, more: components)
    #expect(value == ["kind": "cat", "lives": 9])
  }

  @Test func schemasThatReferToThemselvesEnd() throws {
    let components = #"""
      , "components": {"schemas": {"Node": {"type": "object", "required": ["next"],
        "properties": {"id": {"const": 1}, "next": {"$ref": "#/components/schemas/Node"},
          "all": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}}}}
      """#
    let value = try body(ofSchema: ##"{"$ref": "#/components/schemas/Node"}"##, more: components)
    #expect(value == ["id": 1, "next": [:], "all": []])
  }

  @Test(arguments: [
    (#"{"201": {}, "200": {}, "404": {}}"#, 200, ["get-a/201", "get-a/404"]),
    (#"{"2XX": {}, "default": {}}"#, 200, ["get-a/default"]),
    (#"{"default": {}}"#, 200, []), (#"{"404": {}}"#, 404, []), (#"{}"#, 200, []),
    (#"{"400": {}, "4XX": {}, "200": {}}"#, 200, ["get-a/400", "get-a/4xx"]),
  ])
  func theUsualAnswerIsInTheMainScenario(responses: String, status: Int, others: [String]) throws {
    var options = ImportOptions()
    options.answers = .all
    let run = try run(
      paths: #"{"/a": {"get": {"responses": \#(responses)}}}"#, options: options)
    #expect(run.stubs.map { $0.responses[0].status } == [status])
    #expect(run.result.scenarios.dropFirst().map(\.name.rawValue) == others.map { "shop/\($0)" })
  }

  @Test func statusesOfYAMLAndOfClassesAreNumbers() throws {
    var options = ImportOptions()
    options.answers = .all
    let run = try ImportRun(
      "shop.yaml",
      """
      openapi: 3.0.3
      info: {title: Shop, version: 2014-01-11}
      paths:
        /a:
          get:
            operationId: getA
            responses:
              200: {description: fine}
              4XX: {description: wrong}
              default: {description: broken}
      """, options: options)
    #expect(
      run.result.scenarios.map { $0.stubs.map { $0.responses[0].status } } == [[200], [400], [500]])
    #expect(
      run.result.scenarios.map(\.name.rawValue) == ["shop", "shop/get-a/4xx", "shop/get-a/default"])
  }

  @Test func examplesArePairedByTheirNames() async throws {
    let run = try run(
      paths: #"""
        {"/pay": {"post": {"operationId": "pay",
          "requestBody": {"content": {"application/json": {"examples": {
            "ok": {"value": {"card": 1}}, "declined": {"value": "{\"card\": 2}"}}}}},
          "responses": {
            "201": {"content": {"application/json": {"examples": {"ok": {"value": {"id": 1}}}}}},
            "402": {"content": {"application/json": {"examples": {"declined": {"value": {"error": "declined"}}}}}}}}}}
        """#)
    try await run.play([
      RecordedCase(
        method: "POST", url: "https://a.test/pay", body: Data(#"{"card": 2}"#.utf8), status: 402,
        content: Data(#"{"error":"declined"}"#.utf8)),
      RecordedCase(method: "POST", url: "https://a.test/pay", body: Data("{}".utf8), status: 201),
    ])
    #expect(run.result.scenarios.map(\.name.rawValue) == ["shop", "shop/pay/402"])
  }

  @Test func examplesOfParametersArePairedByTheirNames() async throws {
    let run = try run(
      paths: ##"""
        {"/users/{user-id}": {
          "parameters": [{"in": "path", "name": "user-id", "required": true,
            "examples": {"ada": {"value": 7}, "nobodyThere": {"value": "404"}}}],
          "get": {"operationId": "showUser", "parameters": [
            {"$ref": "#/components/parameters/fields"},
            {"in": "header", "name": "X-Mode", "examples": {"ada": {"value": "full"}}},
            {"in": "header", "name": "Accept", "examples": {"ada": {"value": "text/csv"}}},
            {"in": "cookie", "name": "lang", "examples": {"other": {"value": "de"}}}],
          "responses": {
            "200": {"content": {"application/json": {"examples": {
              "usual": {"value": {"id": 0}}, "ada": {"value": {"id": 7}}}}}},
            "404": {"content": {"application/json": {"examples": {"nobodyThere": {"value": {"error": "gone"}}}}}}}}}}
        """##,
      more: ##"""
        , "components": {"parameters": {"fields": {"in": "query", "name": "fields",
          "examples": {"ada": {"value": ["a", "b"]}}}}}
        """##)
    let url = "https://a.test/users/"
    try await run.play([
      RecordedCase(
        url: url + "7?fields=b&fields=a", headers: [try #require(HTTPField.Name("X-Mode")): "full"],
        content: Data(#"{"id": 7}"#.utf8)),
      RecordedCase(url: url + "7?fields=a", content: Data(#"{"id": 0}"#.utf8)),
      RecordedCase(url: url + "404", status: 404, content: Data(#"{"error": "gone"}"#.utf8)),
      RecordedCase(url: url + "8", content: Data(#"{"id": 0}"#.utf8)),
    ])
    #expect(
      run.stubs.map(\.key.rawValue) == ["show-user-ada", "show-user-nobody-there", "show-user"])
    #expect(run.stubs[0].request.headers.map(\.name.rawName) == ["X-Mode"])
  }

  @Test func literalPathsAnswerFirstAndPartsOfSegmentsAreExpressions() throws {
    let run = try run(
      paths:
        #"{"/users/{id}": {"get": {}}, "/users/me": {"get": {}}, "/v{v}/a.{ext}": {"get": {}}}"#,
      more:
        #", "servers": [{"url": "https://{region}.shop.test/v1", "variables": {"region": {"default": "eu"}}}]"#
    )
    #expect(
      run.stubs.map(\.request.path) == [
        .template("/v1/users/me"), .template("/v1/users/{id}"),
        .value(.matches(#"/v1/v[^/]+/a\.[^/]+"#)),
      ])
    #expect(run.stubs[0].request.host == .equalTo("eu.shop.test"))
    #expect(run.ids(.changed).filter { $0 == "operator" }.count == 1)
  }

  @Test func tagsAreScenariosThatTheMainOneIncludes() throws {
    let run = try run(
      paths: #"{"/a": {"get": {"tags": ["Orders"]}}, "/b": {"get": {"tags": ["Users & Co"]}}}"#)
    #expect(
      run.result.scenarios.map(\.name.rawValue) == ["shop", "shop/orders", "shop/users-co"])
    #expect(run.result.scenarios[0].includes.map(\.rawValue) == ["shop/orders", "shop/users-co"])
  }

  @Test func swagger2IsReadTheSameWay() throws {
    let run = try ImportRun(
      "pets.json",
      ##"""
      {"swagger": "2.0", "info": {"title": "Pets"}, "host": "pets.test", "basePath": "/v2", "schemes": ["http"],
       "paths": {"/pets": {"get": {"responses": {
         "200": {"schema": {"$ref": "#/definitions/Pet"}, "headers": {"X-Rate": {"type": "integer", "default": 5}}},
         "404": {"examples": {"application/json": {"error": "none"}}}}}}},
       "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}}
      """##)
    #expect(run.stubs[0].responses[0].body == .json(["name": "string"]))
    #expect(run.stubs[0].request.scheme == "http")
    #expect(run.stubs[0].request.path == .template("/v2/pets"))
    #expect(run.stubs[0].responses[0].headers.first { $0.name.rawName == "X-Rate" }?.value == "5")
    #expect(run.result.scenarios[1].stubs[0].responses[0].body == .json(["error": "none"]))
  }

  @Test func referencesGoToFilesBesideTheDescriptionOnly() throws {
    try withTemporaryFolder { folder in
      try Data(
        "Pet: {type: object, properties: {id: {const: 1}, tag: {$ref: '#/Tag'}}}\nTag: {const: x}\n"
          .utf8
      )
      .write(to: folder.appendingPathComponent("models.yaml"))
      func run(_ reference: String) throws(FormatError) -> ImportRun {
        try ImportRun(
          "shop.json",
          #"""
          {"openapi": "3.0.0", "info": {}, "paths": {"/a": {"get": {"responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "\#(reference)"}}}}}}}}}
          """#, folder: folder)
      }
      #expect(
        try run("./models.yaml#/Pet").stubs[0].responses[0].body == .json(["id": 1, "tag": "x"]))
      for wrong in ["../../etc/passwd#/a", "missing.yaml#/a", "models.yaml#/Nobody"] {
        #expect(throws: FormatError.self) { try run(wrong) }
      }
      let remote = try run("https://a.test/models.yaml#/Pet")
      #expect(remote.ids(.dropped).contains("unknown"))
    }
  }

  @Test(arguments: [
    ("localhost:3000", "localhost", 3000, nil, "/a"),
    ("api.shop.test/v1/", "api.shop.test", nil, nil, "/v1/a"),
    ("http://localhost:3000", "localhost", 3000, "http", "/a"),
    ("./v1", nil, nil, nil, "/v1/a"), ("v1", nil, nil, nil, "/v1/a"), ("/", nil, nil, nil, "/a"),
  ])
  func serversAreHostsOrPaths(
    server: String, host: String?, port: Int?, scheme: String?, path: String
  ) throws {
    let run = try run(
      paths: #"{"/a": {"get": {"responses": {"200": {}}}}}"#,
      more: #", "servers": [{"url": "\#(server)"}]"#)
    let request = try #require(run.stubs.first).request
    #expect(request.host == host.map { .equalTo($0) })
    #expect(request.port == port && request.scheme == scheme && request.path == .template(path))
    #expect(run.ids(.changed) == (host != nil && scheme == nil ? ["variable"] : []))
  }

  /// The alias of an anchor would be refused there.
  @Test func starsInTextsAreNoAliases() throws {
    let run = try ImportRun(
      "shop.yaml",
      """
      openapi: 3.0.0
      info: {title: Shop, version: &version 1}
      x-version: *version
      paths:
        /a:
          get:
            description: |
              **state**: what it is in
              *Note: none
              - *More*: none
            responses:
              '200': {description: Q&A}
      """)
    #expect(run.stubs.count == 1)
  }

  @Test(arguments: [("\t/a: {}", 3, "cannot start"), ("  /a: {}\n  /a: {}", 3, "given twice")])
  func whatIsNoYAMLIsRefusedWithItsPlace(paths: String, line: Int, wanted: String) {
    let error = #expect(throws: FormatError.self) {
      try ImportRun("shop.yaml", "openapi: 3.0.0\npaths:\n\(paths)\n")
    }
    #expect(error?.line == line && error?.message.contains(wanted) == true)
  }
}
