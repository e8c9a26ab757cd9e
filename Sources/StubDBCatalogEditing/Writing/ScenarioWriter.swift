internal import Foundation
internal import StubDBCatalog
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes scenarios through one connection; its statements are prepared once.
final class ScenarioWriter {
  private let insertScenario: Statement
  private let insertInclude: Statement
  private let insertStub: Statement
  private let insertResponse: Statement
  private let insertBody: Statement
  private let storedBody: Statement
  private let repairBody: Statement
  private let stubPosition: Statement
  private let nextStubPosition: Statement
  private let stubDeletions: [Statement]
  private let deletions: [Statement]

  init(_ connection: Connection) throws {
    insertScenario = try connection.prepare(WriteQueries.insertScenario)
    insertInclude = try connection.prepare(WriteQueries.insertInclude)
    insertStub = try connection.prepare(WriteQueries.insertStub)
    insertResponse = try connection.prepare(WriteQueries.insertResponse)
    insertBody = try connection.prepare(WriteQueries.insertBody)
    storedBody = try connection.prepare(WriteQueries.storedBody)
    repairBody = try connection.prepare(WriteQueries.repairBody)
    stubPosition = try connection.prepare(WriteQueries.stubPosition)
    nextStubPosition = try connection.prepare(WriteQueries.nextStubPosition)
    stubDeletions = try [WriteQueries.deleteStubResponses, WriteQueries.deleteStub]
      .map(connection.prepare)
    deletions = try [
      WriteQueries.deleteResponses, WriteQueries.deleteStubs, WriteQueries.deleteIncludes,
      WriteQueries.deleteScenario,
    ].map(connection.prepare)
  }

  func delete(_ name: ScenarioName) throws {
    let id = RowID.scenario(name.rawValue)
    for deletion in deletions {
      try deletion.bind(1, id)
      try deletion.run()
    }
  }

  func insert(_ scenario: Scenario) throws {
    let id = RowID.scenario(scenario.name.rawValue)
    try insertScenario.bind(1, id)
    for column in ScenarioColumn.allCases {
      guard let value = column.value(of: scenario) else { continue }
      try insertScenario.bind(column.parameter, value)
    }
    try insertScenario.run()
    for (position, included) in scenario.includes.enumerated() {
      try insertInclude.bind(1, id)
      try insertInclude.bind(2, position)
      try insertInclude.bind(3, included.rawValue)
      try insertInclude.run()
    }
    for (position, stub) in scenario.stubs.enumerated() { try insert(stub, at: position, of: id) }
  }

  /// The position of the stub with a key; nil if the scenario does not have it.
  func position(ofStub key: String, in name: ScenarioName) throws -> Int? {
    defer { stubPosition.reset() }
    try stubPosition.bind(1, RowID.scenario(name.rawValue))
    try stubPosition.bind(2, key)
    return try stubPosition.step() ? stubPosition.integer(0) : nil
  }

  /// Appends a stub to an existing scenario.
  func append(_ stub: Stub, to name: ScenarioName) throws {
    let id = RowID.scenario(name.rawValue)
    defer { nextStubPosition.reset() }
    try nextStubPosition.bind(1, id)
    _ = try nextStubPosition.step()
    try insert(stub, at: nextStubPosition.integer(0), of: id)
  }

  func replace(at position: Int, with stub: Stub, in name: ScenarioName) throws {
    let id = RowID.scenario(name.rawValue)
    for deletion in stubDeletions {
      try deletion.bind(1, id)
      try deletion.bind(2, position)
      try deletion.run()
    }
    try insert(stub, at: position, of: id)
  }

  private func insert(_ stub: Stub, at position: Int, of scenario: Int64) throws {
    let request = RequestColumns(stub.request)
    try insertStub.bind(1, scenario)
    try insertStub.bind(2, position)
    for (index, column) in StubColumn.all.enumerated() {
      try insertStub.bind(Int32(index + 3), column.value(of: stub, request))
    }
    try insertStub.run()
    for (index, response) in stub.responses.enumerated() {
      try insert(response, at: index, ofStub: position, of: scenario)
    }
  }

  private func insert(
    _ response: StubResponse, at position: Int, ofStub stub: Int, of scenario: Int64
  ) throws {
    let members = response.jsonObject(includingBody: false)
    let body = try response.body.map(insert)
    try insertResponse.bind(1, scenario)
    try insertResponse.bind(2, stub)
    try insertResponse.bind(3, position)
    for (index, column) in ResponseColumn.storedCases.enumerated() {
      try insertResponse.bind(
        Int32(index + 4), column.value(of: response, members: members, body: body))
    }
    try insertResponse.run()
  }

  /// Stores a body once, however many responses use it, and returns its id.
  private func insert(_ body: ResponseBody) throws -> Int64 {
    guard case .bytes(let bytes) = body.content else {
      throw CatalogError(
        .invalidValue,
        "a body that is still in another catalog's file cannot be stored; read the scenario with "
          + "scenario(named:)")
    }
    let digest = SHA256Digest.digest(of: bytes)
    let id = RowID.body(digest)
    if try hasBody(id, digest: digest, bytes: bytes) { return id }
    try insertBody.bind(1, id)
    try insertBody.bind(2, digest)
    try insertBody.bind(3, bytes)
    try insertBody.run()
    return id
  }

  /// Whether the body is stored already; throws if another body has its id.
  ///
  /// A stored body that does not match its digest is repaired.
  private func hasBody(_ id: Int64, digest: Data, bytes: Data) throws -> Bool {
    defer { storedBody.reset() }
    try storedBody.bind(1, id)
    guard try storedBody.step() else { return false }
    guard storedBody.data(0) == digest else {
      throw CatalogError(
        .invalidValue,
        "two bodies have digests with the same first 63 bits, which a catalog cannot hold; change a "
          + "byte of one of them")
    }
    if storedBody.data(1) != bytes {
      storedBody.reset()
      try repairBody.bind(1, id)
      try repairBody.bind(2, bytes)
      try repairBody.run()
    }
    return true
  }
}

/// A request pattern as columns: plain ones for listing and searching, the rest as JSON.
struct RequestColumns {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// The members that the plain columns do not express; nil if there are none.
  var pattern: String?

  init(_ request: RequestPattern) {
    var members = request.jsonObject
    method = Self.take("method", from: &members)
    scheme = Self.take("scheme", from: &members)
    host = Self.take("host", from: &members)
    path = Self.take("path", from: &members)
    if case .number(let number) = members["port"] {
      port = number.integerValue
      members["port"] = nil
    }
    pattern = members.isEmpty ? nil : JSONValue.object(members).canonicalText
  }

  /// Removes a member if it is a plain string, and returns it.
  private static func take(_ key: String, from members: inout JSONObject) -> String? {
    guard case .string(let text) = members[key] else { return nil }
    members[key] = nil
    return text
  }
}
