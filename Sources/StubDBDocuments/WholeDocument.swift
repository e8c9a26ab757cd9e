internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// How documents are read, down to their short forms, and with advice for those who know other tools.
struct WholeDocument: DocumentRules {
  /// Reads the file that a response names.
  var readFile: (String) throws -> Data = ScenarioDocument.refuseFile

  func readEvents(
    _ events: DocumentNode, into response: inout WrittenResponse
  ) throws(DocumentError) {
    try events.readEvents(into: &response)
  }

  func content(ofFile file: DocumentNode) throws(DocumentError) -> ResponseBody {
    try file.fileContent(readFile)
  }

  func mainOperator(
    of node: DocumentNode, _ members: JSONObject, _ operators: DocumentOperators,
    besides others: [String]
  ) throws(DocumentError) -> String {
    try node.checkedOperator(of: members, operators, besides: others)
  }

  func check(_ response: WrittenResponse, of object: DocumentObject) throws(DocumentError) {
    try object.checkTogether(response)
  }

  func check(_ script: WebSocketScript, of object: DocumentObject) throws(DocumentError) {
    try object.check(script)
  }

  func checkPathParameters(
    of pattern: RequestPattern, _ object: DocumentObject
  ) throws(DocumentError) {
    try object.checkPathParameters(of: pattern)
  }

  func check(
    _ name: String, _ names: DocumentNames, of node: DocumentNode
  ) throws(DocumentError) {
    try node.check(name, names)
  }

  func scheme(_ text: String, of node: DocumentNode) throws(DocumentError) -> String {
    try node.checkedScheme(text)
  }

  func host(_ text: String, of node: DocumentNode) throws(DocumentError) -> String {
    try node.checkedHost(text)
  }

  func check(callbackURL text: String, of node: DocumentNode) throws(DocumentError) {
    try node.check(callbackURL: text)
  }

  func advice(on unknown: String, in object: DocumentObject) -> String? {
    if unknown == "mappings" || unknown == "response" && object.has("request") {
      return "stub mappings of WireMock are read by `stubdb import FILE`"
    }
    if let what = Self.foreignFiles[unknown] { return "\(what) are read by `stubdb import FILE`" }
    if let key = Self.foreignKeys[unknown] { return "write \(key)" }
    return nil
  }

  /// What stands here for keys of WireMock, and of other tools, that have other names.
  private static let foreignKeys: [String: String] = [
    "queryParameters": #""query""#, "formParameters": #""body": {"form": …}"#,
    "urlPath": #""url": "/v1/items""#, "urlPathTemplate": #""url": "/v1/items/{id}""#,
    "urlPattern": #""url": {"matches": …}"#, "urlPathPattern": #""path": {"matches": …}"#,
    "bodyPatterns": #""body": [{"equalToJson": …}]"#, "basicAuthCredentials": #""basicAuth""#,
    "jsonBody": #""json""#, "base64Body": #""base64""#, "bodyFileName": #""file": "body.json""#,
    "body": #""json", "text" or "base64""#, "fixedDelayMilliseconds": #""delay": "200ms""#,
    "delayDistribution": #""delay": {"uniform": …}"#, "chunkedDribbleDelay": #""chunks""#,
    "transformers": #""template": true"#, "scenarioName": #""flow": {"name": …}"#,
    "requiredScenarioState": #""flow": {"requires": …}"#,
    "newScenarioState": #""flow": {"becomes": …}"#,
  ]

  /// What a key at the top of another tool's file says that the file is.
  private static let foreignFiles: [String: String] = [
    "log": "HTTP archives (HAR)", "openapi": "descriptions in OpenAPI",
    "swagger": "descriptions in Swagger", "interactions": "contracts of Pact",
    "http_interactions": "cassettes of VCR", "httpRequest": "expectations of MockServer",
  ]
}
