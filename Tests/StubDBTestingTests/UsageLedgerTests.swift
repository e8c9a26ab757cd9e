import Foundation
import StubDB
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBModel
import StubDBTestSupport
import StubDBTesting
import Testing

@testable import StubDBPlayback

/// What runs write to the usage ledger.
@Suite struct UsageLedgerTests {
  private static let documents = [
    #"{ "scenario": "session/signed-in", "stubs": [ { "key": "me", "request": { "path": "/me" } } ] }"#,
    #"""
    { "scenario": "checkout/paid", "includes": ["session/signed-in"], "stubs": [
      { "key": "slow", "request": { "path": "/orders" }, "responses": [ { "next": true, "delay": "1ms" } ] },
      { "key": "orders \"all\"", "request": { "path": "/orders" }, "responses": [ { "status": 200 } ] },
      { "key": "unused", "request": { "path": "/unused" } } ] }
    """#,
    #"{ "scenario": "flags/new", "stubs": [ { "key": "flags", "request": { "path": "/flags" } } ] }"#,
  ]

  /// A catalog in a folder that is the top of a git repository.
  private func makeCatalog(in folder: URL) throws -> Catalog {
    let fixtures = folder.appendingPathComponent("Tests/Fixtures", isDirectory: true)
    for url in [fixtures, folder.appendingPathComponent(".git")] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    let catalog = try Catalog.create(at: fixtures.appendingPathComponent("shop.stubdb"))
    try catalog.edit { editor in
      for document in Self.documents {
        try editor.insert(ScenarioDocument.decode(Data(document.utf8)))
      }
    }
    return catalog
  }

  private func lines(in folder: URL) throws -> [LedgerLine?] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { name in
      try Data(contentsOf: folder.appendingPathComponent(name))
        .split(separator: UInt8(ascii: "\n")).map { LedgerLine($0) }
    }
  }

  private func entries(in folder: URL) throws -> [LedgerEntry] {
    try lines(in: folder).compactMap { line in
      guard case .run(let entry)? = line else { return nil }
      return entry
    }
  }

  private func ask(_ player: Player, _ paths: String...) {
    for path in paths {
      _ = player.decide(about: StubRequest(url: "https://api.shop.test\(path)"))
    }
  }

  @Test func aRunSaysWhichStubsOfWhichScenariosItsTestUsed() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder)
      let ledger = UsageLedger(
        environment: ["STUBDB_LEDGER": "out/new"], currentFolder: folder.path)
      let options = PlaybackOptions(overlays: ["flags/new"])
      let player = Player(
        try catalog.load("checkout/paid", overlays: options.overlays), options: options)
      player.keepInLedger(ledger)
      player.ledgerRun?.name(test: "Shop/pays()")
      // What answered before the counters were forgotten was used too, and so was a stub that passed a request on.
      ask(player, "/flags")
      player.reset()
      ask(player, "/me", "/orders", "/nothing")
      player.end()
      player.end()
      ledger.close()

      let out = folder.appendingPathComponent("out/new", isDirectory: true)
      let process = try #require(try entries(in: out).first?.process)
      let lines = try lines(in: out)
      #expect(lines.count == 3)
      var entry = LedgerEntry(
        process: process, catalog: "Tests/Fixtures/shop.stubdb",
        digest: try catalog.contentDigest(), scenario: "checkout/paid",
        overlays: ["flags/new"], test: "Shop/pays()",
        used: [
          LedgerEntry.Use(scenario: "checkout/paid", keys: ["slow", "orders \"all\""]),
          LedgerEntry.Use(scenario: "flags/new", keys: ["flags"]),
          LedgerEntry.Use(scenario: "session/signed-in", keys: ["me"]),
        ])
      entry.resolved = player.run.scenario.resolvedDigest
      // A stub that is added may answer what none did.
      entry.demands = [.allStubs]
      #expect(lines[1] == .run(entry))
      #expect(lines[2] == .ended(process: process))
      guard case .began(process, _)? = lines[0] else {
        Issue.record("\(String(describing: lines[0]))")
        return
      }
    }
  }

  @Test func whatIsUsedOfAnotherCatalogThatIsEditedHereCountsThereToo() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder)
      let other = try Catalog.create(at: folder.appendingPathComponent("payments.stubdb"))
      let digest = "sha256:" + String(repeating: "0", count: 64)
      let lock = """
        {"version": 1, "catalogs": {"payments": {"url": "s3://stubs/payments", "commit": "\(digest)",
          "digest": "\(digest)", "bytes": 0, "path": "payments.stubdb"}}}
        """
      try Data(lock.utf8).write(to: folder.appendingPathComponent("stubdb.lock"))
      for (catalog, document) in [
        (
          other,
          #"{"scenario": "card", "stubs": [{"key": "declined", "request": {"path": "/card"}}]}"#
        ),
        (
          catalog, #"{"scenario": "checkout/declined", "includes": ["payments:card"], "stubs": []}"#
        ),
      ] {
        try catalog.edit { try $0.insert(ScenarioDocument.decode(Data(document.utf8))) }
      }
      let ledger = UsageLedger(environment: ["STUBDB_LEDGER": "out"], currentFolder: folder.path)
      let player = Player(try catalog.load("checkout/declined"), options: PlaybackOptions())
      player.keepInLedger(ledger)
      ask(player, "/card")
      player.end()
      ledger.close()
      let entries = try entries(in: folder.appendingPathComponent("out", isDirectory: true))
      #expect(entries.map(\.catalog) == ["Tests/Fixtures/shop.stubdb", "payments.stubdb"])
      #expect(entries.map(\.scenario) == ["checkout/declined", "card"])
      #expect(entries.map { $0.used.map(\.scenario) } == [["payments:card"], ["card"]])
      #expect(entries.allSatisfy { $0.used[0].keys == ["declined"] })
    }
  }

  @Test func runsThatNobodyEndedAreWrittenWhenTheyAreReleasedOrTheProcessExits() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder)
      let ledger = UsageLedger(environment: ["STUBDB_LEDGER": "out"], currentFolder: folder.path)
      let kept = Player(try catalog.load("flags/new"), options: PlaybackOptions())
      kept.keepInLedger(ledger)
      do {
        let released = Player(try catalog.load("checkout/paid"), options: PlaybackOptions())
        released.keepInLedger(ledger)
        ask(released, "/me")
      }
      ask(kept, "/flags")
      let next = Player(continuing: kept, with: try catalog.load("session/signed-in"))
      ask(next, "/me")
      ledger.close()
      let out = folder.appendingPathComponent("out", isDirectory: true)
      #expect(
        try entries(in: out).map { [$0.scenario] + $0.used.flatMap(\.keys) } == [
          ["checkout/paid", "me"], ["flags/new", "flags"], ["session/signed-in", "me"],
        ])
      #expect(ledger.takeProblem() == nil)
      withExtendedLifetime(next) {}
    }
  }

  @Test func theLedgerIsFoundAboveUpToTheTopOfTheRepository() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder.appendingPathComponent("repository"))
      let deep = catalog.url.deletingLastPathComponent().path
      let ledger = folder.appendingPathComponent("repository/.stubdb/ledger")
      let outside = folder.appendingPathComponent(".stubdb/ledger")
      func found(_ environment: [String: String] = [:], from start: String) -> String? {
        LedgerFolder.locate(environment: environment, currentFolder: start, alsoAbove: [])
      }
      try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
      #expect(found(from: deep) == nil)
      #expect(found(from: folder.path) == outside.path)
      try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: true)
      #expect(found(from: deep) == ledger.path)
      #expect(
        LedgerFolder.locate(environment: [:], currentFolder: "/", alsoAbove: [deep]) == ledger.path)
      #expect(found(["STUBDB_LEDGER": ""], from: deep) == ledger.path)
      #expect(found(["STUBDB_LEDGER": "/x"], from: deep) == "/x")
    }
  }

  @Test func nothingIsWrittenWithoutALedgerAndAFailureIsToldOnce() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder)
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      let off = UsageLedger(environment: [:], currentFolder: folder.path)
      // A file is where the folder should be.
      let failing = UsageLedger(
        environment: ["STUBDB_LEDGER": catalog.url.path], currentFolder: folder.path)
      for ledger in [off, failing] {
        let player = Player(try catalog.load("flags/new"), options: PlaybackOptions())
        player.keepInLedger(ledger)
        #expect(player.ledgerRun == nil)
        player.end()
        ledger.close()
      }
      #expect(off.takeProblem() == nil)
      #expect(failing.takeProblem()?.contains(catalog.url.path) == true)
      #expect(failing.takeProblem() == nil)
      let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      #expect(before == after)
    }
  }

  @Test func whatAKilledProcessLeftIsNoLine() {
    let whole = LedgerLine.run(
      LedgerEntry(
        process: "1", catalog: "a.stubdb", digest: nil, scenario: "a", overlays: [], test: nil,
        used: [LedgerEntry.Use(scenario: "a", keys: ["\u{1F37A}\n"])]))
    let bytes = Array(whole.text.utf8.dropLast())
    #expect(LedgerLine(bytes) == whole)
    #expect(!bytes.contains(0x0A))
    for count in 0..<bytes.count { #expect(LedgerLine(bytes.prefix(count)) == nil) }
    #expect(LedgerLine(Array(#"{"ledger":2,"process":"1","ended":true}"#.utf8)) == nil)
  }

  /// Starts a program with the ledger in a folder.
  private func start(_ folder: URL, _ program: URL, _ arguments: [String]) throws -> (Process, Pipe)
  {
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["STUBDB_LEDGER": folder.path]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Its end is not the end of this process's input.
    process.standardInput = Pipe()
    try process.start()
    return (process, output)
  }

  @Test func eightProcessesAtOnceKeepEveryRunOnceAndAKilledOneKeepsItsOwn() throws {
    try withTemporaryFolder { folder in
      let catalog = try makeCatalog(in: folder)
      let out = folder.appendingPathComponent("out", isDirectory: true)
      let worker = Program.built("CatalogWorker")
      let workers = try (0..<8).map { index in
        try start(
          out, worker,
          [
            index < 6 ? "play" : "play-and-wait", catalog.url.path, "checkout/paid", "test\(index)",
            "50", "https://api.shop.test/me",
          ])
      }
      for (process, output) in workers.suffix(2) {
        _ = output.fileHandleForReading.readData(ofLength: 1)
        kill(process.processIdentifier, SIGKILL)
      }
      for (process, _) in workers { process.waitUntilExit() }
      let lines = try lines(in: out)
      #expect(!lines.contains(nil))
      let tests = lines.compactMap { line -> String? in
        guard case .run(let entry)? = line else { return nil }
        #expect(entry.used == [LedgerEntry.Use(scenario: "session/signed-in", keys: ["me"])])
        return entry.test
      }
      #expect(tests.count == 400)
      #expect(
        Set(tests) == Set((0..<8).flatMap { process in (0..<50).map { "test\(process)/\($0)" } }))
      let ended = lines.count {
        if case .ended? = $0 { true } else { false }
      }
      #expect(ended == 6)
    }
  }

  #if os(Linux)
    @Test func testsOfBothFrameworksAreNamed() throws {
      try withTemporaryFolder { folder in
        let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        let runs = [
          ["--testing-library", "swift-testing", "--filter", "innermostScenarioCounts"],
          [
            "--testing-library", "xctest",
            "StubDBTestingTests.LoadScenarioXCTests/testScenarioLoadedInSetUpAnswersAnAsyncTest",
          ],
        ]
        for arguments in runs {
          let (process, output) = try start(folder, program, arguments)
          _ = try output.fileHandleForReading.readToEnd()
          process.waitUntilExit()
        }
        #expect(
          Set(try entries(in: folder).map(\.test)) == [
            "StubDBTestingTests/ScenarioTraitTests/innermostScenarioCounts()",
            "LoadScenarioXCTests/testScenarioLoadedInSetUpAnswersAnAsyncTest",
          ])
        #expect(try lines(in: folder).count == 6)
      }
    }
  #endif
}
