import Foundation
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

@Suite struct PostmanExportTests {
  private static let format = ExportFormats.named("postman")

  @Test func aRequestHasItsSavedExamples() throws {
    let run = try ExportRun(
      stubs: [
        #"""
        {"key": "order", "summary": "An order", "request": {"method": "PUT", "url": "/v1/orders/{id}?full=a%20b",
           "basicAuth": {"username": "ada", "password": "pw"}, "body": {"equalToJson": {"n": 1}}},
         "responses": [{"status": 201, "json": {"id": 1}, "delay": "2s"}, {"status": 404}]}
        """#
      ], as: try #require(Self.format))
    let request = #"""
      "auth": {"type": "basic", "basic": [{"key": "username", "value": "ada", "type": "string"}, {"key": "password", "value": "pw", "type": "string"}]},
      "method": "PUT", "header": [{"key": "Content-Type", "value": "application/json"}],
      "body": {"mode": "raw", "raw": "{\"n\":1}", "options": {"raw": {"language": "json"}}}
      """#
    func url(_ id: String) -> String {
      #"""
      {"raw": "{{baseUrl}}/v1/orders/:id?full=a%20b", "host": ["{{baseUrl}}"], "path": ["v1", "orders", ":id"],
        "query": [{"key": "full", "value": "a%20b"}], "variable": [{"key": "id", "value": "\#(id)"}]}
      """#
    }
    let expected = #"""
      {"info": {"name": "shop/test", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "order", "request": {\#(request), "url": \#(url("1")), "description": "An order"},
         "response": [
          {"name": "201 Created", "originalRequest": {\#(request), "url": \#(url(""))}, "status": "Created", "code": 201,
           "_postman_previewlanguage": "json", "header": [{"key": "Content-Type", "value": "application/json"}],
           "cookie": [], "responseTime": 2000, "body": "{\"id\":1}"},
          {"name": "404 Not Found", "originalRequest": {\#(request), "url": \#(url(""))}, "status": "Not Found", "code": 404,
           "_postman_previewlanguage": "text", "header": [], "cookie": [], "responseTime": 0, "body": ""}]}],
       "variable": [{"key": "baseUrl", "value": "", "type": "string"}]}
      """#
    #expect(try run.json == (try JSONValue(parsing: expected)))
    #expect(run.ids(.changed) == ["sequence", "timing"])
    #expect(run.ids(.dropped) == [])
  }

  @Test func includedScenariosAreFolders() throws {
    let run = try ExportRun(FeatureDocuments.all, as: try #require(Self.format))
    guard case .object(let root) = try run.json, case .array(let items)? = root["item"],
      case .object(let folder)? = items.last
    else { return #expect(Bool(false)) }
    #expect(folder["name"] == "shop/included")
  }

  @Test func allFeaturesAreAccountedFor() throws {
    let run = try ExportRun(FeatureDocuments.all, as: try #require(Self.format))
    #expect(run.unknown == [])
  }

  /// What is imported of the collection answers the example requests as the scenario did first.
  @Test func aCollectionReadsBackAsTheSameAnswers() throws {
    let run = try ExportRun(
      stubs: [
        #"{"key": "a", "request": {"method": "GET", "url": "https://a.test:8443/items?b=1&b=x%26y"}, "responses": [{"json": {"n": [1, 2.50]}}, {"status": 503}]}"#,
        #"{"key": "b", "request": {"method": "PUT", "url": "/items/{id}/x", "body": {"form": {"a": "1 2&3"}}}, "responses": [{"text": "später"}]}"#,
        #"{"key": "c", "request": {"method": "POST", "url": "https://a.test/upload", "body": {"multipart": [{"name": "n", "body": {"equalTo": "x"}}]}}, "responses": [{"status": 201, "headers": {"Set-Cookie": ["a=1", "b=2"], "Location": "/x"}}]}"#,
        #"{"key": "d", "request": {"method": "POST", "url": "https://a.test/graphql", "body": {"graphql": {"operationName": "Q", "variables": {"a": 1}, "query": "query Q { a }"}}}, "responses": [{"json": {"data": 1}}]}"#,
        #"{"key": "e", "request": {"method": "POST", "url": "https://a.test/items/%3Aid", "body": {"equalTo": "<a/>"}}, "responses": [{"status": 204}]}"#,
        #"{"key": "f", "request": {"method": "GET", "url": "/items/{id}", "pathParameters": {"id": "a b"}}}"#,
      ], as: try #require(Self.format))
    let imported = try ImportRun("stubs.json", run.text)
    #expect(imported.unknown == [])
    #expect(imported.result.scenarios.first?.name.rawValue == "shop/test")
    try imported.expectSameAnswers(as: run, onlyFirst: true)
    let template = imported.stubs.first { $0.key == "b" }
    #expect(template?.request.path == .template("/items/{id}/x"))
    #expect(template?.request.host == nil)
  }

  @Test func aServerIsTheValueOfTheVariable() throws {
    var options = ExportOptions()
    options.server = "http://localhost:8080"
    let run = try ExportRun(
      stubs: [#"{"key": "a", "request": {"method": "GET", "url": "/x"}}"#],
      as: try #require(Self.format), options: options)
    guard case .object(let root) = try run.json else { return #expect(Bool(false)) }
    #expect(
      root["variable"]
        == (try JSONValue(
          parsing: #"[{"key": "baseUrl", "value": "http://localhost:8080", "type": "string"}]"#)))
  }
}
