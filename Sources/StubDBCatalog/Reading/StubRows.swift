internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Turns the rows of ``ReadQueries/stubs`` and ``ReadQueries/responses`` into stubs.
struct StubRows {
  /// Bodies up to this many bytes are read with their stub.
  let largestBody: Int
  let path: String
  /// Header fields and patterns by their text: many stubs of a scenario have the same.
  private var headersByText: [String: HTTPFields] = [:]
  private var patternsByText: [String: RequestPattern] = [:]
  /// Whether a body was left in the catalog.
  private(set) var hasStoredBodies = false

  init(largestBody: Int, path: String) {
    self.largestBody = largestBody
    self.path = path
  }

  /// Gives every stub of a scenario, in order.
  mutating func readStubs(
    ofScenario id: Int64, on connection: Connection, _ body: (consuming Stub) -> Void
  ) throws {
    let stubs = try connection.prepare(ReadQueries.stubs)
    try stubs.bind(1, id)
    let responses = try connection.prepare(ReadQueries.responses)
    try responses.bind(1, id)
    try responses.bind(2, largestBody)
    // Both come in the order of the stubs, so one pass over each is enough.
    var hasResponse = try responses.step()
    while try stubs.step() {
      var stub = try stub(stubs)
      let position = stubs.integer(0)
      stub.responses.removeAll()
      while hasResponse, responses.integer(0) == position {
        stub.responses.append(try response(responses))
        hasResponse = try responses.step()
      }
      if stub.responses.isEmpty { throw damaged("stub") }
      body(stub)
    }
  }

  mutating func stubs(ofScenario id: Int64, on connection: Connection) throws -> [Stub] {
    var stubs: [Stub] = []
    try readStubs(ofScenario: id, on: connection) { stubs.append($0) }
    return stubs
  }

  private mutating func stub(_ row: Statement) throws -> Stub {
    var stub = Stub(
      key: try row.text(1), summary: try row.optionalText(2), priority: row.integer(3),
      isRequired: row.integer(4) != 0, request: try requestPattern(row), responses: [])
    guard let exhaustion = Exhaustion(rawValue: try row.text(11)) else { throw damaged("stub") }
    stub.then = exhaustion
    if let text = try row.optionalText(12) {
      stub.flow = try FlowStep(jsonObject: members(text, "stub"), validation: .trusted)
    }
    return stub
  }

  private mutating func requestPattern(_ row: Statement) throws -> RequestPattern {
    let path = try row.optionalText(9)
    var pattern = RequestPattern()
    if let text = try row.optionalText(10) { pattern = try self.pattern(text, path: path) }
    if let method = try row.optionalText(5) { pattern.methods = [method] }
    if let scheme = try row.optionalText(6) { pattern.scheme = scheme }
    if let host = try row.optionalText(7) { pattern.host = .equalTo(host) }
    if !row.isNull(8) { pattern.port = row.integer(8) }
    if let path { pattern.path = .template(path) }
    return pattern
  }

  private mutating func pattern(_ text: String, path: String?) throws -> RequestPattern {
    if let pattern = patternsByText[text] { return pattern }
    var members = try members(text, "stub")
    let needsPath = members["pathParameters"] != nil
    if needsPath, let path { members["path"] = .string(path) }
    let pattern = try RequestPattern(jsonObject: members, validation: .trusted)
    if !needsPath { patternsByText[text] = pattern }
    return pattern
  }

  private mutating func response(_ row: Statement) throws -> StubResponse {
    var response = StubResponse()
    if let text = try row.optionalText(4) {
      response = try StubResponse(jsonObject: members(text, "response"), validation: .trusted)
    }
    response.status = row.integer(1)
    if let text = try row.optionalText(2) { response.headers = try headers(text) }
    response.body = try body(row)
    return response
  }

  private mutating func headers(_ text: String) throws -> HTTPFields {
    if let headers = headersByText[text] { return headers }
    let value = JSONValue.object(try members(text, "response"))
    let headers = try StubResponse(jsonObject: ["headers": value], validation: .trusted).headers
    headersByText[text] = headers
    return headers
  }

  private mutating func body(_ row: Statement) throws -> ResponseBody? {
    guard let name = try row.optionalText(3) else { return nil }
    guard let kind = ResponseBody.Kind(rawValue: name), !row.isNull(6) else {
      throw damaged("body")
    }
    guard row.integer(5) <= largestBody else {
      hasStoredBodies = true
      let body = StoredBody(digest: row.data(6), byteCount: row.integer(5))
      return ResponseBody(kind: kind, content: .stored(body))
    }
    let isWhole = row.withBytes(7) { bytes in
      row.withBytes(6) { SHA256Digest.isDigest($0, of: bytes) }
    }
    guard isWhole else { throw damaged("body") }
    return ResponseBody(kind: kind, content: .bytes(row.data(7)))
  }

  private func members(_ text: String, _ what: String) throws -> [String: JSONValue] {
    guard case .object(let members)? = try? JSONValue(parsing: text) else { throw damaged(what) }
    return members
  }

  private func damaged(_ what: String) -> CatalogError {
    CatalogError(
      .damaged,
      "the catalog \(path) is damaged: a \(what) does not hold what was written; restore it, for "
        + "example with git", path: path)
  }
}
