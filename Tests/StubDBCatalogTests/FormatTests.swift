import CStubDBSQLite
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// Versions and statements.
struct FormatTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func theMigrationsInTheBinaryAreTheFiles() throws {
    let folder = Self.root.appendingPathComponent("migrations")
    let names = try files(in: folder)
    #expect(
      Migrations.all.map(\.name) == names,
      "run scripts/generate-migrations")
    for migration in Migrations.all {
      let file = try String(
        contentsOf: folder.appendingPathComponent(migration.name), encoding: .utf8)
      #expect(migration.sql + "\n" == file, "run scripts/generate-migrations")
      #expect(migration.name.hasPrefix("V00\(migration.version)__"))
    }
  }

  @Test func theSchemasInTheBinaryAreThoseOfTheMigrations() throws {
    let connection = try Connection.inMemory()
    for migration in Migrations.all {
      try connection.execute(migration.sql)
      #expect(
        try CatalogFormat.schemaDigest(of: connection) == migration.schemaDigest,
        "run scripts/generate-migrations")
    }
  }

  @Test func anOlderFileIsReadAndUpgradedOnlyWhenAsked() throws {
    try withCatalog { catalog in
      let scenario = Scenario(name: try name("a"), summary: "old", stubs: [Stub(key: "k")])
      try catalog.edit { try $0.insert(scenario) }
      let before = try Data(contentsOf: catalog.url)
      let note = "ALTER TABLE scenario ADD COLUMN note TEXT; CREATE TABLE extra (a TEXT) STRICT;"
      let upgraded = try CatalogFormat.current.emptyCatalog()
      try upgraded.execute(note)
      let newer = CatalogFormat(
        migrations: Migrations.all + [
          Migration(
            version: Migrations.all.count + 1, name: "V999__add_note.sql",
            schemaDigest: try CatalogFormat.schemaDigest(of: upgraded), sql: note)
        ])
      let opened = try Catalog(contentsOf: catalog.url, format: newer)
      #expect(try opened.scenario(named: scenario.name) == scenario)
      #expect(try Data(contentsOf: catalog.url) == before)

      try opened.upgrade()
      #expect(try opened.scenario(named: scenario.name) == scenario)
      let error = #expect(throws: CatalogError.self) { try Catalog(contentsOf: catalog.url) }
      #expect(error?.code == .newerVersion)
      #expect(error?.message.contains("has version \(Migrations.all.count + 1)") == true)
      #expect(error?.message.contains("up to version \(Migrations.all.count)") == true)
    }
  }

  @Test func aFileFromBeforeCapturesIsReadAndUpgraded() throws {
    try withCatalog { catalog in
      var scenario = Scenario(
        name: try name("a"),
        stubs: [
          Stub(key: "k", flow: FlowStep(name: "f", requires: "a", becomes: "b")), Stub(key: "l"),
        ])
      try catalog.edit { try $0.insert(scenario) }
      // A file that version 2 wrote: the same rows and digests, without the column.
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "ALTER TABLE stub DROP COLUMN resource; ALTER TABLE stub DROP COLUMN recorded;"
          + "ALTER TABLE stub DROP COLUMN capture; PRAGMA user_version = 2")
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.check() == [])
      scenario.stubs[1].captures = [Capture("b", .jsonPath("$")), Capture("a", .nothing)]
      try catalog.edit { try $0.replace(scenario) }
      #expect(
        try catalog.scenario(named: scenario.name).stubs[1].captures.map(\.name) == ["a", "b"])
      // A capture that was changed without its digest is detected.
      try Connection(path: catalog.url.path, mode: .readWrite)
        .execute("UPDATE stub SET capture = '{\"a\":null}' WHERE capture IS NOT NULL")
      #expect(throws: CatalogError.self) { try catalog.scenario(named: scenario.name) }
    }
  }

  @Test func aFileFromBeforeRecordingsIsReadAndUpgraded() throws {
    try withCatalog { catalog in
      var scenario = Scenario(
        name: try name("a"),
        stubs: [
          Stub(
            key: "k", request: RequestPattern(methods: [.put]),
            captures: [Capture("b", .jsonPath("$"))]),
          Stub(key: "l"),
        ])
      try catalog.edit { try $0.insert(scenario) }
      // A file that version 3 wrote: the same rows and digests, without the column.
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "ALTER TABLE stub DROP COLUMN resource; ALTER TABLE stub DROP COLUMN recorded;"
          + "PRAGMA user_version = 3")
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.check() == [])
      scenario.stubs[1].recorded = Stub.Recording(at: "2026-11-21", from: "https://api.shop.test")
      try catalog.edit { try $0.replace(scenario) }
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      // A date that was changed without its digest is detected.
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "UPDATE stub SET recorded = '{\"at\":\"2026-11-22\"}' WHERE recorded IS NOT NULL")
      #expect(throws: CatalogError.self) { try catalog.scenario(named: scenario.name) }
    }
  }

  @Test func aFileFromBeforeResourcesIsReadAndUpgraded() throws {
    try withCatalog { catalog in
      let name = try name("a")
      var scenario = Scenario(name: name, stubs: [Stub(key: "k"), Stub(key: "l")])
      try catalog.edit { try $0.insert(scenario) }
      let problems = try catalog.check()
      // A file that version 4 wrote: the same rows and digests, without the column.
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "ALTER TABLE stub DROP COLUMN resource; PRAGMA user_version = 4")
      #expect(try catalog.scenario(named: name) == scenario)
      #expect(try catalog.check() == problems)
      scenario.stubs[1] = try Stub(documentValue: [
        "key": "l",
        "resource": [
          "at": "https://a.test/v1/items", "id": ["member": "sku", "kind": "integer"],
          "seed": [["sku": 1]], "page": ["limit": "n", "number": "page", "size": 5],
        ],
      ])
      try catalog.edit { try $0.replace(scenario) }
      #expect(try catalog.scenario(named: name) == scenario)
      // A path that was changed without its digest is detected.
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "UPDATE stub SET resource = '{\"at\":\"/v1/others\"}' WHERE resource IS NOT NULL")
      #expect(throws: CatalogError.self) { try catalog.scenario(named: name) }
    }
  }

  @Test func aStubThatMayLeaveARequestToOthersShadowsNone() throws {
    try withCatalog { catalog in
      let stubs = [
        Stub(key: "slow", responses: [StubResponse(throttle: .network(.edge), delegation: .next)]),
        Stub(key: "kept", request: RequestPattern(captured: [NamedPattern("id", .not(.absent))])),
        Stub(key: "rest"),
      ]
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: stubs)) }
      #expect(try catalog.check() == [])
    }
  }

  @Test func aFileInWALModeInAReadOnlyFolderIsRead() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      try Connection(path: catalog.url.path, mode: .readWrite)
        .execute("PRAGMA journal_mode = WAL")
      #expect(try catalog.scenarios().count == 1)
      try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
      #expect(try Data(contentsOf: catalog.url)[18] == 1)
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func everyStatementPreparesAndTheHotOnesUseIndexes() throws {
    let connection = try CatalogFormat.current.emptyCatalog()
    for sql in [
      SchemaQueries.schema, ReadQueries.scenarioList, ReadQueries.scenarioNames,
      ReadQueries.allIncludes, ReadQueries.allBodies, ReadQueries.requestOrigins,
      ReadQueries.scenariosForRequest,
      ReadQueries.catalogDigest, ReadQueries.conflicts, WriteQueries.insertConflict,
      SchemaQueries.tables, WriteQueries.setCatalogDigest,
      WriteQueries.nextStubPosition, WriteQueries.insertScenario,
      WriteQueries.insertInclude, WriteQueries.insertStub, WriteQueries.insertResponse,
      WriteQueries.insertBody, WriteQueries.deleteUnusedBodies,
    ] {
      #expect(throws: Never.self, "\(sql)") { try connection.prepare(sql) }
    }
    for sql in [
      ReadQueries.scenario, ReadQueries.includes, ReadQueries.stubs, ReadQueries.responses,
      ReadQueries.body, WriteQueries.storedBody, WriteQueries.repairBody, WriteQueries.stubPosition,
      WriteQueries.setStubsDigest, WriteQueries.setScenarioDigest, WriteQueries.deleteStub,
      WriteQueries.deleteStubResponses, WriteQueries.deleteConflict,
      WriteQueries.deleteResponses, WriteQueries.deleteStubs, WriteQueries.deleteIncludes,
      WriteQueries.deleteScenario,
    ] {
      let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
      while try plan.step() {
        let step = try plan.text(3)
        #expect(
          !step.contains("SCAN") && !step.contains("TEMP B-TREE FOR ORDER BY"), "\(step): \(sql)")
      }
    }
  }

  // https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
}
