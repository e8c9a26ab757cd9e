/// A kind of object in a document: what it is called and the keys it may have, in canonical order.
///
/// The decoder refuses every other key, the encoder writes in this order, and a test holds the JSON
/// Schema to the same lists.
package struct DocumentObjectKind: Sendable {
  /// What a message calls it, with its article.
  package let name: String
  /// Every key it may have, in canonical order.
  package let keys: [String]
  /// The keys as the end of a sentence, for a message.
  let summary: String
  private let keySet: Set<String>

  package init(_ name: String, _ keys: [String], summary: String? = nil) {
    self.name = name
    self.keys = keys
    self.summary = summary ?? keys.map { "\"\($0)\"" }.joined(separator: ", ")
    keySet = Set(keys)
  }

  package func has(_ key: String) -> Bool { keySet.contains(key) }
}

extension DocumentObjectKind {
  package static let request = DocumentObjectKind(
    "a request", RequestPart.all.map(\.rawValue))

  package static let basicAuth = DocumentObjectKind("basicAuth", ["username", "password"])

  package static let response = DocumentObjectKind(
    "a response", ResponsePart.all.map(\.rawValue))

  package static let delay = DocumentObjectKind("a delay", ["uniform", "lognormal"])
  package static let lognormal = DocumentObjectKind("lognormal", ["median", "sigma"])
  package static let chunks = DocumentObjectKind("chunks", ["count", "over"])
  package static let piece = DocumentObjectKind("a chunk", ["json", "text", "base64", "after"])
  package static let webSocket = DocumentObjectKind(
    "webSocket", ["protocol", "frames", "repeatFrom", "otherwise"])
  package static let frame = DocumentObjectKind(
    "a frame", ["send", "expect", "close", "reason", "fault", "within", "after"])
  package static let message = DocumentObjectKind("a message", ["json", "text", "base64"])
  /// The keys of which a frame has exactly one.
  package static let frameKinds = ["send", "expect", "close", "fault"]
  /// The other keys of a frame, with the keys that they go with.
  static let frameOptions = [
    ("reason", ["close"]), ("within", ["expect"]), ("after", ["send", "close", "fault"]),
  ]
  package static let error = DocumentObjectKind("an error", ["domain", "code", "userInfo"])
  package static let callback = DocumentObjectKind(
    "a callback", ["request", "after", "times", "template"])
  package static let callbackRequest = DocumentObjectKind(
    "the request of a callback",
    ["method", "url", "headers"] + ResponsePart.contents.map(\.rawValue))
  package static let flow = DocumentObjectKind("a flow step", ["name", "requires", "becomes"])
  package static let recorded = DocumentObjectKind("recorded", ["at", "from"])

  package static let capture = DocumentObjectKind(
    "a capture", Capture.Source.Kind.allCases.filter { $0 != .nothing }.map(\.rawValue))

  package static let part = DocumentObjectKind(
    "a multipart part", ["name", "filename", "headers", "body"])

  package static let graphQL = DocumentObjectKind(
    "graphql", ["operationName", "variables", "query"])

  package static let jsonPath = DocumentObjectKind(
    "matchesJsonPath", ["expression"] + DocumentOperators.body.keys,
    summary: "\"expression\" and the operators of a body")

  package static let xPath = DocumentObjectKind(
    "matchesXPath", ["expression", "namespaces"] + DocumentOperators.value.keys,
    summary: "\"expression\", \"namespaces\" and the operators of a value")
}
