import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// What `--require` makes requests satisfy.
@Suite struct OpenAPIRequirementTests {
  private func run(
    _ operation: String, path: String = "/a", version: String = #""openapi": "3.1.0""#,
    more: String = "", requiring requirements: Set<ImportOptions.Requirement>
  ) throws -> ImportRun {
    var options = ImportOptions()
    options.requirements = requirements
    options.answers = .all
    return try ImportRun(
      "shop.json",
      #"{\#(version), "info": {"title": "Shop", "version": "1"}, "paths": {"\#(path)": {"post": \#(operation)}}\#(more)}"#,
      options: options)
  }

  /// The statuses that requests get; nil for one that nothing answers.
  private func expect(
    _ run: ImportRun, _ cases: [(query: String, headers: HTTPFields, body: String, status: Int?)]
  ) async throws {
    for (query, headers, body, status) in cases {
      let request = RecordedCase(
        method: "POST", url: "https://a.test\(query)", headers: headers, body: Data(body.utf8),
        status: status ?? 200)
      if status == nil {
        await #expect(throws: (any Error).self, "\(query) \(body)") {
          try await run.play([request])
        }
      } else {
        try await run.play([request])
      }
    }
  }

  @Test func requiredParametersMustBeThere() async throws {
    let operation = #"""
      {"parameters": [
        {"in": "query", "name": "page", "required": true, "schema": {"type": "integer"}},
        {"in": "query", "name": "sort", "required": true, "schema": {"enum": ["up", "down"]}},
        {"in": "query", "name": "filter", "required": true, "schema": {"type": "object"}},
        {"in": "query", "name": "free", "schema": {"type": "string"}},
        {"in": "path", "name": "id", "required": true, "schema": {"type": "integer"}},
        {"in": "path", "name": "code", "required": true, "schema": {"pattern": "^[a-z]+$"}}],
       "responses": {"200": {}, "400": {}}}
      """#
    let run = try run(operation, path: "/a/{id}/{code}", requiring: [.required])
    try await expect(
      run,
      [
        ("/a/7/x?page=1&sort=up", [:], "", 200), ("/a/7/x?page=1&sort=sideways", [:], "", nil),
        ("/a/7/x?page=&sort=up", [:], "", nil), ("/a/7/x?sort=up", [:], "", nil),
        ("/a/x/x?page=1&sort=up", [:], "", nil), ("/a/7/X?page=1&sort=up", [:], "", nil),
      ])
    // The stub of another situation answers whatever is asked.
    #expect(run.result.scenarios[1].stubs[0].request.query == [])
    let usual = try self.run(operation, path: "/a/{id}/{code}", requiring: [])
    try await expect(usual, [("/a/x/X", [:], "", 200)])
  }

  @Test func contentsSatisfyTheirSchema() async throws {
    let more = ##"""
      , "components": {"schemas": {"Node": {"type": "object", "required": ["id", "made"], "properties": {
          "id": {"type": "integer", "minimum": 1, "exclusiveMinimum": true, "example": 5},
          "made": {"type": "string", "readOnly": true}, "note": {"type": "string", "nullable": true},
          "next": {"$ref": "#/components/schemas/Node"}}, "additionalProperties": false}}}
      """##
    func operation(_ isRequired: Bool) -> String {
      ##"""
      {"requestBody": {"required": \##(isRequired), "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Node"}}}}, "responses": {"201": {}}}
      """##
    }
    let old = #""openapi": "3.0.3""#
    let run = try run(operation(true), version: old, more: more, requiring: [.body])
    try await expect(
      run,
      [
        ("/a", [:], #"{"id": 2, "note": null, "next": {"id": 3}}"#, 201),
        ("/a", [:], #"{"id": 1}"#, nil), ("/a", [:], #"{"id": 2, "next": {"id": "x"}}"#, nil),
        ("/a", [:], #"{"id": 2, "more": 1}"#, nil), ("/a", [:], "", nil),
      ])
    #expect(run.unknown == [])
    let optional = try self.run(operation(false), version: old, more: more, requiring: [.body])
    try await expect(optional, [("/a", [:], "", 201), ("/a", [:], #"{"id": 1}"#, nil)])
  }

  @Test func otherContentsAreThereOrHaveTheirFields() async throws {
    func operation(_ content: String) -> String {
      #"{"requestBody": {"required": true, "content": {\#(content)}}, "responses": {"201": {}}}"#
    }
    let form = try run(
      operation(
        #""application/x-www-form-urlencoded": {"schema": {"type": "object", "required": ["a"]}}"#),
      requiring: [.body])
    let type: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    try await expect(form, [("/a", type, "a=1&b=2", 201), ("/a", type, "b=2", nil)])
    let text = try run(operation(#""text/plain": {}"#), requiring: [.body])
    try await expect(text, [("/a", [:], "x", 201), ("/a", [:], "", nil)])
    let broken = try run(
      operation(#""application/json": {"schema": {"type": "string", "pattern": "("}}"#),
      requiring: [.body])
    #expect(broken.ids(.dropped) == ["schema-size"])
    try await expect(broken, [("/a", [:], "1", 201)])
  }

  @Test func requestsWithoutCredentialsAreRefused() async throws {
    let more = #"""
      , "security": [{"token": []}, {"key": []}], "components": {"securitySchemes": {
        "token": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "query", "name": "key"}}}
      """#
    let run = try run(
      #"{"operationId": "payNow", "responses": {"201": {}, "401": {}}}"#, more: more,
      requiring: [.security])
    #expect(run.stubs.map(\.key.rawValue) == ["pay-now", "pay-now-2", "pay-now-401"])
    try await expect(
      run,
      [
        ("/a", [.authorization: "Bearer x"], "", 201), ("/a?key=1", [:], "", 201),
        ("/a", [.authorization: "Basic x"], "", 401), ("/a", [:], "", 401),
      ])
    // What is wrong with the content of a signed-in request is not its credentials.
    let strict = try self.run(
      #"{"requestBody": {"required": true, "content": {"text/plain": {}}}, "responses": {"201": {}, "401": {}}}"#,
      more: more, requiring: [.body, .security])
    try await expect(
      strict,
      [
        ("/a", [.authorization: "Bearer x"], "", nil), ("/a?key=1", [:], "", nil),
        ("/a", [:], "", 401), ("/a", [.authorization: "Bearer x"], "b", 201),
      ])
    for open in [#""security": [], "#, #""security": [{"token": []}, {}], "#] {
      let run = try self.run(
        #"{\#(open)"responses": {"201": {}, "401": {}}}"#, more: more, requiring: [.security])
      try await expect(run, [("/a", [:], "", 201)])
    }
  }

  @Test func aSchemeThatIsNotDescribedOrNotSeenIsReportedOnce() throws {
    let run = try run(
      #"""
      {"security": [{"lost": [], "key": []}, {"lost": []}, {"tls": []}],
       "responses": {"201": {}, "401": {}}}
      """#,
      more: #"""
        , "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "k"},
          "tls": {"type": "mutualTLS"}}}
        """#,
      requiring: [.security])
    #expect(
      run.result.report.lines.map(\.text) == [
        "The security scheme lost is not described, so its credentials are not asked for",
        "Stubs do not see the credentials of the security scheme tls, and do not ask for them",
      ])
  }

  @Test func credentialsAreNeverRefusedInOtherCombinations() async throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let schemes = names.map { #""\#($0)": {"type": "apiKey", "in": "query", "name": "\#($0)"}"# }
    let run = try run(
      #"""
      {"security": [{"a": [], "b": [], "c": []}, {"d": [], "e": [], "f": []}],
       "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
       "responses": {"201": {}, "401": {}}}
      """#,
      more: #", "components": {"securitySchemes": {\#(schemes.joined(separator: ", "))}}"#,
      requiring: [.security, .body])
    #expect(run.ids(.changed) == ["operator"])
    try await expect(
      run, [("/a?a=1&b=1&c=1", [:], "{}", 201), ("/a?a=1&b=1&c=1", [:], "5", nil)])
  }

  @Test func whatIsTooLargeIsNamed() async throws {
    let properties = (0..<20_000).map { #""p\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let run = try run(
      #"""
      {"requestBody": {"content": {"application/json": {"schema": {"properties": {\#(properties)}}}}},
       "security": [\#((0..<9).map { #"{"s\#($0)": []}"# }.joined(separator: ", "))], "responses": {"201": {}}}
      """#,
      more: #", "components": {"securitySchemes": {"#
        + (0..<9).map { #""s\#($0)": {"type": "apiKey", "in": "query", "name": "k\#($0)"}"# }
        .joined(separator: ", ") + "}}", requiring: [.body, .security])
    #expect(run.ids(.dropped) == ["schema-size"])
    #expect(run.stubs.count == 8)
    #expect(run.ids(.changed) == ["operator"])
  }

  @Test func swagger2AsksForTheSame() async throws {
    let run = try run(
      #"""
      {"parameters": [{"in": "body", "name": "body", "required": true, "schema": {"type": "object", "required": ["a"]}},
        {"in": "header", "name": "X-Mode", "required": true, "type": "string", "enum": ["full"]}],
       "security": [{"basic": []}], "responses": {"201": {}}}
      """#, version: #""swagger": "2.0""#,
      more: #", "securityDefinitions": {"basic": {"type": "basic"}}"#,
      requiring: [.required, .body, .security])
    let mode = try #require(HTTPField.Name("X-Mode"))
    let all: HTTPFields = [.authorization: "Basic eDp5", mode: "full"]
    try await expect(
      run,
      [
        ("/a", all, #"{"a": 1}"#, 201), ("/a", all, "{}", nil),
        ("/a", [.authorization: "Basic eDp5"], #"{"a": 1}"#, nil),
        ("/a", [mode: "full"], #"{"a": 1}"#, nil),
      ])
  }
}
