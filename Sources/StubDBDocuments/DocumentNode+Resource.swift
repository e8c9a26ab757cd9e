internal import StubDBJSON
package import StubDBModel

extension DocumentObjectKind {
  package static let resource = DocumentObjectKind("a resource", ["at", "id", "seed", "page"])
  package static let resourceID = DocumentObjectKind("the id of a resource", ["member", "kind"])
  package static let page = DocumentObjectKind("a page", ["limit", "offset", "number", "size"])
}

extension DocumentNode {
  /// Reads a resource into its stub, whose request and responses are read already.
  func readResource(into stub: inout Stub, of whole: DocumentObject) throws(DocumentError) {
    let object = try object(.resource)
    let at = try object.required("at")
    let parts = try at.resourceURL()
    try whole.checkRequest(ofResourceAt: parts)
    try whole.checkResponseOfResource()
    var row: JSONObject = ["at": .string(parts.path)]
    try object["id"]?.readID(into: &row)
    try object["page"]?.readPage(into: &row)
    let resource = Resource(row: row)
    stub.keep(try object["seed"]?.items(of: resource) ?? [], of: resource, at: parts)
  }

  private func readID(into row: inout JSONObject) throws(DocumentError) {
    var kind = self
    if case .object = value {
      let object = try object(.resourceID)
      kind = try object.required("kind")
      if let member = try object["member"]?.line("the member"), member != "id" {
        row["member"] = .string(member)
      }
    }
    let word = try kind.word("a kind of ids", of: ["uuid", "integer"])
    if word == "integer" { row["kind"] = .string(word) }
  }

  private func readPage(into row: inout JSONObject) throws(DocumentError) {
    let object = try object(.page)
    let starts = ["offset", "number"].filter(object.has)
    guard starts.count == 1 else {
      throw failure(
        starts.isEmpty ? .missingKey : .conflict,
        "a page has an \"offset\" or a \"number\": the parameter for where it begins")
    }
    for key in ["limit"] + starts {
      let node = try object.required(key)
      row[key] = .string(try node.line("the parameter"))
      if key != "limit", row[key] == row["limit"] {
        throw node.failure(.duplicate, "\"limit\" is this parameter, too; each needs its own")
      }
    }
    row["size"] = try object["size"].map { (node) throws(DocumentError) in
      .number(JSONNumber(try node.integer("the size", in: 1...Int.max)))
    }
  }

  /// The items that a run begins with.
  private func items(of resource: Resource) throws(DocumentError) -> [JSONValue] {
    let items = try list("a list of items").map(\.value)
    try resource.check(items, at: place.pointer)
    return items
  }
}

extension DocumentObject {
  /// Throws for parts of the request that the resource says itself.
  fileprivate func checkRequest(ofResourceAt parts: URLParts) throws(DocumentError) {
    guard let request = try self["request"]?.object(.request) else { return }
    let origin = parts.scheme == nil ? [] : ["scheme", "host", "port"]
    for key in ["url", "path", "pathParameters"] + origin {
      guard let node = request[key] else { continue }
      throw node.failure(
        .conflict, "the URL of a resource is its \"at\"; leave \"\(key)\" of the request out")
    }
  }

  /// Throws for members of the last response in whose place the resource answers.
  fileprivate func checkResponseOfResource() throws(DocumentError) {
    guard let last = try self["responses"]?.list("a list of responses").last else { return }
    let response = try last.object(.response)
    for part in ResponsePart.all where !part.isUsedWithResource {
      guard let node = response[part.rawValue] else { continue }
      throw node.failure(
        .conflict,
        "\"\(part.rawValue)\" is never used, because the resource answers in place of the last response; leave it "
          + "out, or add {} after this response")
    }
  }
}
