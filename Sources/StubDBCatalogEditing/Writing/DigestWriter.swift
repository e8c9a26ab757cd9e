internal import StubDBCatalog
internal import StubDBModel
internal import StubDBSupport

/// Updates the digests of what an edit changed; its statements are prepared once.
final class DigestWriter {
  private let reader: ScenarioReader
  private let stubs: Statement
  private let responses: Statement
  private let scenario: Statement
  private let includes: Statement
  private let setStubsDigest: Statement
  private let setScenarioDigest: Statement
  /// The scenarios whose digests are out of date.
  private var dirty: Set<ScenarioName> = []
  /// What an edit that is not complete yet changed in the set, in order.
  ///
  /// A copy of the set to go back to would cost each edit as much as there are scenarios changed before.
  private var undo: [(name: ScenarioName, wasDirty: Bool)] = []
  /// The number of nested edits.
  private var depth = 0

  init(_ reader: ScenarioReader) throws {
    self.reader = reader
    stubs = try reader.connection.prepare(ReadQueries.stubs)
    responses = try reader.connection.prepare(ReadQueries.responses)
    scenario = try reader.connection.prepare(ReadQueries.scenario)
    includes = try reader.connection.prepare(ReadQueries.includes)
    setStubsDigest = try reader.connection.prepare(WriteQueries.setStubsDigest)
    setScenarioDigest = try reader.connection.prepare(WriteQueries.setScenarioDigest)
  }

  /// Records that a scenario was rewritten.
  func noteChange(of name: ScenarioName) { set(name, isDirty: true) }

  /// Records that a scenario was removed.
  func noteRemoval(of name: ScenarioName) { set(name, isDirty: false) }

  /// Runs a change; if it throws, the digests are as out of date as before.
  func restoringOnFailure(_ change: () throws -> Void) throws {
    let start = undo.count
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { undo.removeAll(keepingCapacity: true) }
    }
    do {
      try change()
    } catch {
      while undo.count > start {
        let last = undo.removeLast()
        if last.wasDirty { dirty.insert(last.name) } else { dirty.remove(last.name) }
      }
      throw error
    }
  }

  private func set(_ name: ScenarioName, isDirty: Bool) {
    guard dirty.contains(name) != isDirty else { return }
    if isDirty { dirty.insert(name) } else { dirty.remove(name) }
    if depth > 0 { undo.append((name, !isDirty)) }
  }

  /// Verifies the digest of a scenario before a part of it is changed, and marks it as changed.
  func verify(_ name: ScenarioName) throws {
    guard !dirty.contains(name) else { return }
    if let header = try reader.header(name),
      try digestOfStubs(RowID.scenario(name.rawValue)).digest != header.stubsDigest
    {
      throw CatalogError(damaged: "the scenario \"\(name)\"", path: reader.path)
    }
    set(name, isDirty: true)
  }

  /// Updates the digests of a scenario if it was changed.
  func update(_ name: ScenarioName) throws {
    guard dirty.contains(name) else { return }
    set(name, isDirty: false)
    let id = RowID.scenario(name.rawValue)
    let (count, digest) = try digestOfStubs(id)
    try setStubsDigest.bind(1, id)
    try setStubsDigest.bind(2, count)
    try setStubsDigest.bind(3, digest)
    try setStubsDigest.run()
    try setScenarioDigest.bind(1, id)
    try setScenarioDigest.bind(2, try digestOfHeader(id))
    try setScenarioDigest.run()
  }

  /// Updates all digests that are out of date.
  func updateCatalog() throws {
    for name in dirty { try update(name) }
    let names = try reader.connection.prepare(ReadQueries.scenarioNames)
    var digest = RowDigest()
    while try names.step() { digest.update(name: names) }
    try reader.addConflicts(to: &digest)
    let setCatalogDigest = try reader.connection.prepare(WriteQueries.setCatalogDigest)
    try setCatalogDigest.bind(1, digest.finish())
    try setCatalogDigest.run()
  }

  private func digestOfStubs(_ id: Int64) throws -> (count: Int, digest: SHA256Digest.Value) {
    defer {
      stubs.reset()
      responses.reset()
    }
    try stubs.bind(1, id)
    let stubRows = StubColumn.rows(of: stubs)
    var count = 0
    while try stubRows.step() { count += 1 }
    try responses.bind(1, id)
    try responses.bind(2, -1)  // no bytes of bodies
    let responseRows = ResponseColumn.rows(of: responses)
    while try responseRows.step() {}
    return (count, RowDigest.ofStubs(stubRows, responses: responseRows))
  }

  private func digestOfHeader(_ id: Int64) throws -> SHA256Digest.Value {
    defer {
      scenario.reset()
      includes.reset()
    }
    var digest = RowDigest()
    try scenario.bind(1, id)
    if try scenario.step() { digest.update(scenario: scenario) }
    try includes.bind(1, id)
    while try includes.step() { digest.update(include: includes) }
    return digest.finish()
  }
}
