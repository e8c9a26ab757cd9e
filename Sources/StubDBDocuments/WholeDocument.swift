internal import StubDBJSON
internal import StubDBModel

/// How documents are read, down to their short forms, and with advice for those who know other tools.
struct WholeDocument: DocumentRules {
  func readEvents(
    _ events: DocumentNode, into response: inout WrittenResponse
  ) throws(DocumentError) {
    try events.readEvents(into: &response)
  }

  func check(_ response: WrittenResponse, of object: DocumentObject) throws(DocumentError) {
    try object.checkTogether(response)
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
