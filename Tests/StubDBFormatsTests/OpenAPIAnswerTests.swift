import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Which answers and operations of a description become stubs, what is in them, and what the report says of the others.
@Suite struct OpenAPIAnswerTests {
  private func run(
    _ paths: String, more: String = "", answers: ImportOptions.Answers = .examples
  ) throws(FormatError) -> ImportRun {
    var options = ImportOptions()
    options.answers = answers
    return try ImportRun(
      "shop.json", #"{"openapi": "3.0.0", "info": {"title": "S"}, "paths": \#(paths)\#(more)}"#,
      options: options)
  }

  @Test(arguments: [
    (ImportOptions.Answers.usual, ["shop"], 4),
    (.examples, ["shop", "shop/get-a/402", "shop/get-a/empty"], 2),
    (.all, ["shop", "shop/get-a/400", "shop/get-a/402", "shop/get-a/500", "shop/get-a/empty"], 0),
  ])
  func answersWithoutAnExampleAreMadeOnRequest(
    answers: ImportOptions.Answers, names: [String], leftOut: Int
  ) throws {
    let run = try run(
      #"""
      {"/a": {"get": {"responses": {
        "200": {"content": {"application/json": {"examples": {"full": {"value": [1]}, "empty": {"value": []}}}}},
        "400": {"description": "bad"},
        "402": {"content": {"application/json": {"example": {"error": "declined"}}}},
        "500": {"content": {"application/json": {"schema": {"type": "object"}}}}}}}}
      """#, answers: answers)
    #expect(run.result.scenarios.map(\.name.rawValue).sorted() == names)
    let lines = run.result.report.lines.filter { $0.id == .answers }
    #expect(lines.map(\.level) == (leftOut == 0 ? [] : [.ignored]))
    #expect(lines.allSatisfy { run.result.report.text().contains($0.description) })
    #expect(!run.result.report.hasLosses || answers == .all)
  }

  /// Of AWS's descriptions: the fragment is never sent, and the parameter that it names is.
  @Test func fragmentsTellOperationsApartByTheirParameters() throws {
    let run = try run(
      #"""
      {"/": {"get": {"responses": {"204": {}}}},
       "/#X-Amz-Target=App.Create": {"post": {"responses": {"201": {}}, "parameters": [
         {"name": "X-Amz-Target", "in": "header", "required": true, "schema": {"type": "string", "enum": ["App.Create"]}}]}},
       "/#X-Amz-Target=App.Delete": {"post": {"responses": {"202": {}}, "parameters": [
         {"name": "X-Amz-Target", "in": "header", "required": true, "schema": {"type": "string", "enum": ["App.Delete"]}}]}},
       "/tags": {"get": {"responses": {"200": {}}}},
       "/tags#Resource": {"get": {"responses": {"203": {}}, "parameters": [
         {"name": "resource", "in": "query", "required": true, "schema": {"type": "string"}}]}},
       "/list?kind=old": {"get": {"responses": {"206": {}}}}}
      """#)
    let scenario = try #require(run.result.scenarios.first)
    let target = try #require(HTTPField.Name("X-Amz-Target"))
    for (method, url, field, status) in [
      ("POST", "https://h.test/", "App.Create", 201), ("POST", "/", "App.Delete", 202),
      ("GET", "/", nil, 204),
      ("GET", "/tags?resource=a", nil, 203), ("GET", "/tags", nil, 200),
      ("GET", "/list?kind=old", nil, 206),
      ("POST", "/", "App.Other", nil), ("GET", "/list?kind=new", nil, nil),
    ] as [(String, String, String?, Int?)] {
      let request = StubRequest(
        method: method, url: url, headers: field.map { [target: $0] } ?? [:])
      var given: Int?
      if case .respond(let selection) = try LoadedScenario(scenario).run(seed: 0).respond(
        to: request)
      {
        given = selection.response.status
      }
      #expect(given == status, "\(method) \(url) \(run.documents)")
    }
    #expect(run.ids(.changed) == ["url-fragment", "url-fragment", "url-fragment"])
  }

  @Test(arguments: [
    (##""allOf": [{"$ref": "#/components/schemas/Repo"}, {"description": "d"}]"##, #"{"id": 1}"#),
    (##""allOf": [{"description": "d"}, {"$ref": "#/components/schemas/Repo"}]"##, #"{"id": 1}"#),
    (##""oneOf": [{"$ref": "#/components/schemas/Repo"}]"##, #"{"id": 1}"#),
    (
      ##""anyOf": [{"$ref": "#/components/schemas/Repo"}, {"type": "integer"}]"##,
      #"{"id": 1, "parent": 0}"#
    ),
    (
      ##""allOf": [{"$ref": "#/components/schemas/Named"}, {"nullable": true}]"##,
      #"{"id": 1, "parent": {"name": "n"}}"#
    ),
  ])
  func aSchemaThatLeadsBackToItselfIsLeftOut(parent: String, wanted: String) throws {
    let run = try run(
      ##"{"/r": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Repo"}}}}}}}}"##,
      more: ##"""
        , "components": {"schemas": {
          "Repo": {"type": "object", "properties": {"id": {"const": 1}, "parent": {\##(parent)}}},
          "Named": {"type": "object", "properties": {"name": {"const": "n"}}}}}
        """##)
    #expect(run.stubs.first?.responses[0].body == .json(try JSONValue(parsing: wanted)))
  }

  @Test func aReferenceToNothingCostsItsOperation() throws {
    let run = try run(
      ##"""
      {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/nowhere"}}}}}},
              "put": {"responses": {"204": {}}}},
       "/b": {"$ref": "#/nowhere"}, "/c": {"get": {"responses": {"200": {}}}}}
      """##)
    #expect(run.stubs.map(\.key.rawValue) == ["put-a", "get-c"])
    #expect(run.ids(.dropped) == ["stub-left-out", "stub-left-out"])
    #expect(
      run.result.report.lines.allSatisfy { $0.key == nil && $0.pointer?.hasSuffix("$ref") == true })
  }

  @Test func formsAreWrittenAsForms() throws {
    let run = try run(
      #"""
      {"/form": {"get": {"responses": {"200": {"content": {"multipart/form-data":
         {"schema": {"type": "object", "properties": {"log": {"const": "a b"}, "n": {"const": 1}}}}}}}}},
       "/url": {"get": {"responses": {"200": {"content": {"application/x-www-form-urlencoded":
         {"example": {"q": "a&b", "n": [1, 2]}}}}}}}}
      """#)
    let responses = run.stubs.map { $0.responses[0] }
    #expect(
      responses.map { $0.headers[.contentType] } == [
        "multipart/form-data; boundary=stubdb-part-boundary", "application/x-www-form-urlencoded",
      ])
    let part = "--stubdb-part-boundary\r\nContent-Disposition: form-data; name="
    #expect(
      responses[0].body
        == .text(
          "\(part)\"log\"\r\n\r\na b\r\n\(part)\"n\"\r\n\r\n1\r\n--stubdb-part-boundary--\r\n"))
    #expect(responses[1].body == .text("n=1&n=2&q=a%26b"))
  }

  /// What follows a line break in a name would be a field of the part.
  @Test func namesOfPartsStayInTheirQuotes() throws {
    let run = try run(
      #"""
      {"/form": {"get": {"responses": {"200": {"content": {"multipart/form-data":
         {"example": {"a\r\nX: \"\u0301": "1"}}}}}}}}
      """#)
    let part = "--stubdb-part-boundary\r\nContent-Disposition: form-data; name="
    #expect(
      run.stubs.map(\.responses[0].body) == [
        .text("\(part)\"a%0D%0AX: %22\u{301}\"\r\n\r\n1\r\n--stubdb-part-boundary--\r\n")
      ])
  }

  @Test func theReportNamesTheStubThatALineIsAbout() throws {
    let run = try run(
      #"""
      {"/form": {"get": {"responses": {"200": {}}}},
       "/xml": {"get": {"responses": {"200": {"content": {"application/xml": {"schema": {"type": "object"}}}}}}}}
      """#)
    #expect(run.result.report.lines.filter { $0.level == .dropped }.map(\.key) == ["get-xml"])
  }
}
