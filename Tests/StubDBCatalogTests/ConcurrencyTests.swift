import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBTestSupport
import Testing

/// Many processes work on one file, and some of them are killed.
@Suite(.serialized)
struct ConcurrencyTests {
  @Test func eightProcessesLoseNoneOfTheirEdits() throws {
    try withCatalog { catalog in
      let workers = try (0..<8).map { try Worker("edit", catalog.url.path, "p\($0)", "25", "64") }
      for worker in workers {
        let result = try worker.finish()
        #expect(result.status == 0, "\(result.errorCode)")
        #expect(result.lines.count == 25)
      }
      #expect(try catalog.scenarios().count == 200)
      #expect(try catalog.check().isEmpty)
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func aKilledWriterLosesNothingThatItAcknowledged() throws {
    try withCatalog { catalog in
      var random = RandomScenarios(seed: 1)
      // For a thorough run: STUBDB_KILLS=1000.
      let rounds = ProcessInfo.processInfo.environment["STUBDB_KILLS"].flatMap { Int($0) } ?? 25
      for round in 0..<rounds {
        // Large bodies make an edit long enough to be killed at any point.
        let worker = try Worker("edit", catalog.url.path, "k\(round)", "1000", "200000")
        _ = worker.nextByte()
        usleep(UInt32(random.next(20_000)))
        worker.kill()
        // An incomplete line was not acknowledged; its first byte was read above.
        let said = try worker.finish().output.split(
          separator: "\n", omittingEmptySubsequences: false)
        let acknowledged = said.dropLast().map { $0.hasPrefix("k") ? String($0) : "k" + $0 }
        let names = Set(try catalog.scenarios().map(\.name.rawValue))
        #expect(names.isSuperset(of: acknowledged))
        #expect(!acknowledged.isEmpty)
        // A small file makes many rounds fast.
        if round % 10 == 9 || round == rounds - 1 {
          #expect(try catalog.check().isEmpty)
          try catalog.edit { editor in
            for name in try editor.scenarioNames() { try editor.removeScenario(name) }
          }
        }
      }
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func aKilledWriterOfAFileInWALModeLeavesNothingStuck() throws {
    try withCatalog { catalog in
      // For a thorough run: STUBDB_KILLS=1000.
      let rounds = ProcessInfo.processInfo.environment["STUBDB_KILLS"].flatMap { Int($0) } ?? 10
      var random = RandomScenarios(seed: 3)
      var (journals, logs) = (0, 0)
      for round in 0..<rounds {
        let worker = try Worker("edit-wal", catalog.url.path, "k\(round)", "1000", "20000")
        _ = worker.nextByte()
        usleep(UInt32(random.next(20_000)))
        worker.kill()
        let said = try worker.finish().output.split(
          separator: "\n", omittingEmptySubsequences: false)
        let acknowledged = said.dropLast().map { $0.hasPrefix("k") ? String($0) : "k" + $0 }
        let left = try files(in: catalog.url.deletingLastPathComponent())
        if left.contains("shop.stubdb-journal") { journals += 1 }
        if left.contains("shop.stubdb-wal") { logs += 1 }
        let names = Set(try catalog.scenarios().map(\.name.rawValue))
        #expect(names.isSuperset(of: acknowledged))
        #expect(!acknowledged.isEmpty)
        guard round % 10 == 9 || round == rounds - 1 else { continue }
        #expect(try catalog.check().isEmpty)
        try catalog.edit { editor in
          for name in try editor.scenarioNames() { try editor.removeScenario(name) }
        }
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
      }
      if rounds > 25 { print("\(rounds) kills: \(journals) journals, \(logs) logs were left") }
    }
  }

  @Test func fiftyProcessesReadWhileOneWrites() throws {
    try withCatalog { catalog in
      try catalog.edit { editor in
        for index in 0..<20 {
          try editor.insert(Scenario(name: try name("s/\(index)"), stubs: [Stub(key: "k")]))
        }
      }
      let writer = try Worker("edit", catalog.url.path, "w", "1000", "8")
      let readers = try (0..<50).map { _ in try Worker("read", catalog.url.path, "3") }
      for reader in readers {
        let result = try reader.finish()
        #expect(result.status == 0, "\(result.errorCode)")
      }
      writer.kill()
      _ = try writer.finish()
      #expect(try catalog.check().isEmpty)
    }
  }

  @Test func manyThreadsEditAndLoadAtOnce() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    try catalog.edit { try $0.insert(Scenario(name: try name("base"), stubs: [Stub(key: "k")])) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask {
          try catalog.edit { try $0.insert(Scenario(name: try name("t/\(index)"))) }
          #expect(try catalog.load("base").stubCount == 1)
        }
      }
      try await group.waitForAll()
    }
    #expect(try catalog.scenarios().count == 21)
  }
}
