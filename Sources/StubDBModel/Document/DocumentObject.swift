internal import StubDBJSON
internal import StubDBSupport

/// An object of a document whose keys were checked against its kind.
package struct DocumentObject {
  let members: JSONObject
  let kind: DocumentObjectKind
  package let node: DocumentNode

  init(_ node: DocumentNode, _ kind: DocumentObjectKind) throws(DocumentError) {
    guard case .object(let members) = node.value else {
      throw node.failure(
        .wrongType, "expected an object (\(kind.name)), found \(node.value.typeName)")
    }
    self.members = members
    self.kind = kind
    self.node = node
    if isTrusted { return }
    for key in members.keys where !kind.has(key) { throw unknownKey() }
  }

  var isTrusted: Bool { node.context.isTrusted }

  /// The value of a key; nil if the key is missing.
  package subscript(key: String) -> DocumentNode? {
    guard let value = members[key] else { return nil }
    return DocumentNode(value: value, place: .member(key, of: node.place), context: node.context)
  }

  package func required(_ key: String) throws(DocumentError) -> DocumentNode {
    if let node = self[key] { return node }
    throw node.failure(.missingKey, "\"\(key)\" is missing; \(kind.name) needs it")
  }

  package func flag(_ key: String) throws(DocumentError) -> Bool {
    try self[key]?.bool() ?? false
  }

  func has(_ key: String) -> Bool { members[key] != nil }

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

  /// The error for the first unknown key by name, so that the same document always gives the same error.
  private func unknownKey() -> DocumentError {
    let unknown = members.keys.filter { !kind.has($0) }.min() ?? ""
    let place = DocumentPlace.member(unknown, of: node.place)
    return DocumentError(
      .unknownKey, pointer: place.pointer,
      message: "unknown key \"\(unknown)\"; \(advice(on: unknown))")
  }

  private func advice(on unknown: String) -> String {
    if unknown == "mappings" || unknown == "response" && has("request") {
      return "stub mappings of WireMock are read by `stubdb import FILE`"
    }
    if let what = Self.foreignFiles[unknown] { return "\(what) are read by `stubdb import FILE`" }
    if let key = Self.foreignKeys[unknown] { return "write \(key)" }
    if let name = kind.keys.nearest(to: unknown) { return "did you mean \"\(name)\"?" }
    return "\(kind.name) has \(kind.summary)"
  }
}

extension DocumentNode {
  package func object(_ kind: DocumentObjectKind) throws(DocumentError) -> DocumentObject {
    try DocumentObject(self, kind)
  }
}
