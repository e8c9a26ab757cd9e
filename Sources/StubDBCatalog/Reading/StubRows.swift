internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

/// Turns the rows of ``ReadQueries/stubs`` and ``ReadQueries/responses`` into stubs.
struct StubRows {
  /// Bodies up to this many bytes are read with their stub.
  let largestBody: Int
  private let content: StoredContent
  /// What columns were made into: the stubs of a scenario have much in common.
  private var methods = RecentValues<[String]>()
  private var schemes = RecentValues<String>()
  private var hosts = RecentValues<ValuePattern>()
  private var patterns = RecentValues<RequestPattern>()
  private var headers = RecentValues<HTTPFields>()
  private var exhaustions = RecentValues<Exhaustion>()
  private var kinds = RecentValues<ResponseBody.Kind>()
  private var checks = BodyChecks()
  /// How many bytes of bodies were read.
  private(set) var bodyByteCount = 0
  /// Whether a body was left in the catalog.
  private(set) var hasStoredBodies = false

  init(largestBody: Int, path: String) {
    self.largestBody = largestBody
    content = StoredContent(path: path)
  }

  /// The stubs of a scenario, in order.
  mutating func stubs(of header: ScenarioHeader, on connection: Connection) throws -> [Stub] {
    var sources: [LoadedScenario.Source] = []
    try append(stubsOf: header, on: connection, to: &sources)
    return sources.map(\.stub)
  }

  /// Appends the stubs of a scenario, in order, and compares their digest.
  mutating func append(
    stubsOf header: ScenarioHeader, on connection: Connection,
    to sources: inout [LoadedScenario.Source]
  ) throws {
    sources.reserveCapacity(sources.count + header.stubCount)
    do {
      let digest = try append(stubsOf: header.scenario.name, on: connection, to: &sources)
      if digest != header.stubsDigest { throw content.damaged("stub") }
      guard checks.finish() else { throw content.damaged("body") }
    } catch is DocumentError {
      throw content.damaged("stub")
    }
  }

  private mutating func append(
    stubsOf name: ScenarioName, on connection: Connection,
    to sources: inout [LoadedScenario.Source]
  ) throws -> Data {
    let id = RowID.scenario(name.rawValue)
    let selectStubs = try connection.prepare(ReadQueries.stubs)
    try selectStubs.bind(1, id)
    let stubs = HashedRows(
      selectStubs, columnCount: RowDigest.stubColumnCount,
      hasLaterColumn: RowDigest.hasLaterStubColumn)
    let selectResponses = try connection.prepare(ReadQueries.responses)
    try selectResponses.bind(1, id)
    try selectResponses.bind(2, largestBody)
    let responses = HashedRows(selectResponses, columnCount: RowDigest.responseColumnCount)
    // Both come in the order of the stubs, so one pass over each is enough.
    var hasResponse = try responses.step()
    while try stubs.step() {
      let position = stubs.integer(0)
      var given: [StubResponse] = []
      while hasResponse, responses.integer(0) == position {
        given.append(try response(responses, selectResponses))
        hasResponse = try responses.step()
      }
      if given.isEmpty { throw content.damaged("stub") }
      sources.append(LoadedScenario.Source(origin: name, stub: try stub(stubs, given)))
    }
    return RowDigest.ofStubs(stubs, responses: responses)
  }

  private mutating func stub(_ row: HashedRows, _ responses: [StubResponse]) throws -> Stub {
    let exhaustion = try exhaustions.value(of: row, 11) { [content] text in
      guard let exhaustion = Exhaustion(rawValue: text) else { throw content.damaged("stub") }
      return (exhaustion, isReusable: true)
    }
    guard let exhaustion else { throw content.damaged("stub") }
    let flow = try row.optionalText(12).map { text in
      try FlowStep(jsonObject: content.members(text, "stub"), validation: .trusted)
    }
    let captures = try row.laterText(13).map { text in
      try Capture.captures(jsonObject: content.members(text, "stub"), validation: .trusted)
    }
    return Stub(
      key: try row.text(1), summary: try row.optionalText(2), priority: row.integer(3),
      isRequired: row.integer(4) != 0, request: try requestPattern(row), captures: captures ?? [],
      responses: responses,
      then: exhaustion, flow: flow)
  }

  private mutating func requestPattern(_ row: HashedRows) throws -> RequestPattern {
    let path = try row.optionalText(9)
    var pattern =
      try patterns.value(of: row, 10) { [content] text in
        var members = try content.members(text, "stub")
        // A placeholder's pattern is read against the path that has the placeholder.
        let needsPath = members["pathParameters"] != nil
        if needsPath, let path { members["path"] = .string(path) }
        let pattern = try RequestPattern(jsonObject: members, validation: .trusted)
        return (pattern, isReusable: !needsPath)
      } ?? RequestPattern()
    if let methods = try methods.value(of: row, 5, { ([$0], isReusable: true) }) {
      pattern.methods = methods
    }
    if let scheme = try schemes.value(of: row, 6, { ($0, isReusable: true) }) {
      pattern.scheme = scheme
    }
    if let host = try hosts.value(of: row, 7, { (.equalTo($0), isReusable: true) }) {
      pattern.host = host
    }
    if !row.isNull(8) { pattern.port = row.integer(8) }
    if let path { pattern.path = .template(path) }
    return pattern
  }

  private mutating func response(
    _ row: HashedRows, _ statement: Statement
  ) throws -> StubResponse {
    var response = StubResponse()
    if let text = try row.optionalText(4) {
      response = try StubResponse(
        jsonObject: content.members(text, "response"), validation: .trusted)
    }
    response.status = row.integer(1)
    let headers = try headers.value(of: row, 2) { [content] text in
      let value = JSONValue.object(try content.members(text, "response"))
      let response = try StubResponse(jsonObject: ["headers": value], validation: .trusted)
      return (response.headers, isReusable: true)
    }
    if let headers { response.headers = headers }
    response.body = try body(row, statement)
    return response
  }

  private mutating func body(
    _ row: HashedRows, _ statement: Statement
  ) throws -> ResponseBody? {
    let kind = try kinds.value(of: row, 3) { [content] text in
      guard let kind = ResponseBody.Kind(rawValue: text) else { throw content.damaged("body") }
      return (kind, isReusable: true)
    }
    guard let kind else { return nil }
    if row.isNull(6) { throw content.damaged("body") }
    guard row.integer(5) <= largestBody else {
      hasStoredBodies = true
      let body = StoredBody(digest: Data(row.bytes(6)), byteCount: row.integer(5))
      return ResponseBody(kind: kind, content: .stored(body))
    }
    // The only column that is not copied with the row.
    let bytes = statement.data(7)
    guard checks.add(bytes, digest: row.bytes(6)) else { throw content.damaged("body") }
    bodyByteCount += bytes.count
    return ResponseBody(kind: kind, content: .bytes(bytes))
  }
}
