internal import Foundation
internal import HTTPTypes
package import StubDBEngine
package import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Makes stubs from the rows of ``ReadQueries/stubs`` and ``ReadQueries/responses``.
package struct StubRows {
  /// Bodies of up to this many bytes are read with their stub.
  package let largestBody: Int
  private let content: StoredContent
  /// Caches of parsed columns, because the stubs of a scenario have much in common.
  private var methods = RecentValues<[HTTPRequest.Method]>()
  private var schemes = RecentValues<String>()
  private var hosts = RecentValues<ValuePattern>()
  private var patterns = RecentValues<RequestPattern>()
  private var headers = RecentValues<HTTPFields>()
  private var exhaustions = RecentValues<AfterLastResponse>()
  private var kinds = RecentValues<ResponseBody.Kind>()
  /// What the row before was made of, which is often that of the next too.
  private var lastPattern = LastValue<RequestPattern>()
  private var lastResponse = LastValue<StubResponse>()
  private var checks = BodyChecks()
  /// How many bytes of bodies were read.
  private(set) var bodyByteCount = 0
  /// Whether a body was left in the catalog.
  private(set) var hasStoredBodies = false

  package init(largestBody: Int, path: String) {
    self.largestBody = largestBody
    content = StoredContent(path: path)
  }

  /// The stubs of a scenario, in order.
  package mutating func stubs(of header: ScenarioHeader, on connection: Connection) throws -> [Stub]
  {
    var sources: [LoadedScenario.Source] = []
    try append(stubsOf: header, as: header.scenario.name, on: connection, to: &sources)
    return sources.map(\.stub)
  }

  /// Appends the stubs of a scenario, in order, as those of an origin, and compares their digest.
  package mutating func append(
    stubsOf header: ScenarioHeader, as origin: ScenarioName, on connection: Connection,
    to sources: inout [LoadedScenario.Source]
  ) throws {
    sources.reserveCapacity(sources.count + header.stubCount)
    do {
      let digest = try append(
        stubsOf: header.scenario.name, as: origin, on: connection, to: &sources)
      if digest != header.stubsDigest { throw content.damaged("stub") }
      guard checks.finish() else { throw content.damaged("body") }
    } catch is DocumentError {
      throw content.damaged("stub")
    }
  }

  private mutating func append(
    stubsOf name: ScenarioName, as origin: ScenarioName, on connection: Connection,
    to sources: inout [LoadedScenario.Source]
  ) throws -> SHA256Digest.Value {
    let id = RowID.scenario(name.rawValue)
    let selectStubs = try connection.prepare(ReadQueries.stubs)
    try selectStubs.bind(1, id)
    let stubs = StubColumn.rows(of: selectStubs)
    let selectResponses = try connection.prepare(ReadQueries.responses)
    try selectResponses.bind(1, id)
    try selectResponses.bind(2, largestBody)
    let responses = ResponseColumn.rows(of: selectResponses)
    // Both lists come in the order of the stubs, so one pass over each is enough.
    var hasResponse = try responses.step()
    while try stubs.step() {
      let position = stubs.integer(0)
      var given: [StubResponse] = []
      while hasResponse, responses.integer(0) == position {
        given.append(try response(responses, selectResponses))
        hasResponse = try responses.step()
      }
      if given.isEmpty { throw content.damaged("stub") }
      sources.append(LoadedScenario.Source(origin: origin, stub: try stub(stubs, given)))
    }
    return RowDigest.ofStubs(stubs, responses: responses)
  }

  private mutating func stub(_ row: HashedRows, _ responses: [StubResponse]) throws -> Stub {
    var stub = Stub(key: .unset, request: try requestPattern(row), responses: responses)
    for column in StubColumn.all { try column.read(row, into: &stub, &self) }
    return stub
  }

  /// The members of a JSON column; nil for NULL.
  package func members(_ row: HashedRows, _ column: Int) throws -> JSONObject? {
    try row.optionalText(column).map { try content.members($0, "stub") }
  }

  package mutating func exhaustion(_ row: HashedRows) throws -> AfterLastResponse {
    let column = StubColumn.exhaustion.rawValue
    let exhaustion = try exhaustions.value(of: row, column) { [content] text in
      guard let exhaustion = AfterLastResponse(rawValue: text) else {
        throw content.damaged("stub")
      }
      return (exhaustion, isReusable: true)
    }
    guard let exhaustion else { throw content.damaged("stub") }
    return exhaustion
  }

  /// The pattern of the plain columns and the JSON of the request.
  private mutating func requestPattern(_ row: HashedRows) throws -> RequestPattern {
    let plain = row.encoding(of: StubColumn.method.rawValue...StubColumn.port.rawValue)
    let rest = row.encoding(of: StubColumn.pattern.rawValue...StubColumn.pattern.rawValue)
    let path = try row.optionalText(StubColumn.path.rawValue)
    if !lastPattern.isMade(of: plain, rest) {
      let (pattern, isReusable) = try newPattern(row, path)
      guard isReusable else { return pattern }
      lastPattern.keep(pattern, madeOf: plain, rest)
    }
    var pattern = lastPattern.value ?? RequestPattern()
    if let path { pattern.path = .template(path) }
    return pattern
  }

  /// Makes the pattern; it has a path only if it cannot be used with another one.
  private mutating func newPattern(
    _ row: HashedRows, _ path: String?
  ) throws -> (RequestPattern, isReusable: Bool) {
    var needsPath = false
    var pattern =
      try patterns.value(of: row, StubColumn.pattern.rawValue) { [content] text in
        var members = try content.members(text, "stub")
        // The pattern of a placeholder is parsed with the path that has the placeholder.
        needsPath = members["pathParameters"] != nil
        if needsPath, let path { members["path"] = .string(path) }
        let pattern = try RequestPattern(row: members)
        return (pattern, isReusable: !needsPath)
      } ?? RequestPattern()
    let methods = try methods.value(of: row, StubColumn.method.rawValue) { [content] text in
      guard let method = HTTPRequest.Method(text) else { throw content.damaged("stub") }
      return ([method], isReusable: true)
    }
    if let methods { pattern.methods = methods }
    let scheme = try schemes.value(of: row, StubColumn.scheme.rawValue) { ($0, true) }
    if let scheme { pattern.scheme = scheme }
    let host = try hosts.value(of: row, StubColumn.host.rawValue) { (.equalTo($0), true) }
    if let host { pattern.host = host }
    let port = StubColumn.port.rawValue
    if !row.isNull(port) { pattern.port = row.integer(port) }
    if needsPath, let path { pattern.path = .template(path) }
    return (pattern, isReusable: !needsPath)
  }

  private mutating func response(
    _ row: HashedRows, _ statement: Statement
  ) throws -> StubResponse {
    let head = row.encoding(of: ResponseColumn.status.rawValue...ResponseColumn.rest.rawValue)
    if !lastResponse.isMade(of: head) {
      var response = StubResponse()
      if let text = try row.optionalText(ResponseColumn.rest.rawValue) {
        response = try StubResponse(
          row: content.members(text, "response"))
      }
      for column in ResponseColumn.all { try column.read(row, into: &response, &self) }
      lastResponse.keep(response, madeOf: head)
    }
    var response = lastResponse.value ?? StubResponse()
    response.body = try body(row, statement)
    return response
  }

  /// The header fields of a response; nil if it has none.
  mutating func headers(_ row: HashedRows) throws -> HTTPFields? {
    try headers.value(of: row, ResponseColumn.headers.rawValue) { [content] text in
      let value = JSONValue.object(try content.members(text, "response"))
      let response = try StubResponse(row: ["headers": value])
      return (response.headers, isReusable: true)
    }
  }

  /// The body of a response; nil if it has none.
  package mutating func body(_ row: HashedRows, _ statement: Statement) throws -> ResponseBody? {
    let kind = try kinds.value(of: row, ResponseColumn.bodyKind.rawValue) { [content] text in
      guard let kind = ResponseBody.Kind(rawValue: text) else { throw content.damaged("body") }
      return (kind, isReusable: true)
    }
    guard let kind else { return nil }
    let digest = ResponseColumn.bodyDigest.rawValue
    if row.isNull(digest) { throw content.damaged("body") }
    let byteCount = row.integer(ResponseColumn.bodyLength.rawValue)
    guard byteCount <= largestBody else {
      hasStoredBodies = true
      let body = StoredBody(digest: Data(row.bytes(digest)), byteCount: byteCount)
      return ResponseBody(kind: kind, content: .stored(body))
    }
    // This column alone is not copied with its row.
    let bytes = statement.data(ResponseColumn.lastPlace)
    guard checks.add(bytes, digest: row.bytes(digest)) else { throw content.damaged("body") }
    bodyByteCount += bytes.count
    return ResponseBody(kind: kind, content: .bytes(bytes))
  }
}

/// Caches the values parsed from the texts of a column, so that equal texts are parsed once.
///
/// The last text is compared byte by byte, without making a string; others are looked up.
package struct RecentValues<Value> {
  private var last: (text: String, value: Value)?
  private var values: [ByteText: Value] = [:]

  /// The value of a column's text, made by the closure if it is not cached; nil for NULL.
  package mutating func value(
    of row: HashedRows, _ column: Int,
    _ make: (String) throws -> (Value, isReusable: Bool)
  ) throws -> Value? {
    if row.isNull(column) { return nil }
    // Not bound to a name, which would copy the value.
    if last?.text.hasBytes(row.bytes(column)) == true { return last?.value }
    let text = try row.text(column)
    if let value = values[ByteText(text)] {
      last = (text, value)
      return value
    }
    let (value, isReusable) = try make(text)
    if isReusable {
      values[ByteText(text)] = value
      last = (text, value)
    }
    return value
  }
}

/// A value with the columns that it was made of, so that a row with the same columns need not be read again.
package struct LastValue<Value> {
  private(set) var value: Value?
  private var columns: [UInt8] = []

  /// Whether there is a value that was made of these columns.
  package func isMade(of one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer? = nil)
    -> Bool
  {
    guard value != nil, !one.isEmpty, columns.count == one.count + (other?.count ?? 0) else {
      return false
    }
    return columns.withUnsafeBytes { columns in
      let (start, end) = (columns.prefix(one.count), columns.dropFirst(one.count))
      return isEqual(start, one) && other.map { isEqual(end, $0) } ?? true
    }
  }

  package mutating func keep(
    _ value: Value, madeOf one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer? = nil
  ) {
    self.value = value
    columns.removeAll(keepingCapacity: true)
    columns.append(contentsOf: one)
    if let other { columns.append(contentsOf: other) }
  }

  private func isEqual(
    _ kept: Slice<UnsafeRawBufferPointer>, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard let one = UnsafeRawBufferPointer(rebasing: kept).baseAddress,
      let other = bytes.baseAddress
    else { return bytes.isEmpty }
    return memcmp(one, other, bytes.count) == 0
  }
}

/// Parses texts of a catalog that were checked when they were written.
package struct StoredContent {
  package let path: String

  /// The members of a JSON column.
  package func members(_ text: String, _ what: String) throws -> JSONObject {
    guard case .object(let members)? = try? JSONValue(parsing: text) else { throw damaged(what) }
    return members
  }

  package func damaged(_ what: String) -> CatalogError {
    CatalogError(damaged: "a \(what)", path: path)
  }
}
