import Foundation
import StubDBTestSupport
import StubDBVariations
import Testing

@testable import StubDBSweeps

@Suite struct SweepLogTests {
  @Test func aFolderThatIsMissingIsMadeForThisUserAlone() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("sweeps").path
      #expect(SweepLog.isOwn(path))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
      #expect(SweepLog.isOwn(path))
    }
  }

  @Test func aFolderThatOthersCanChangeIsNotUsed() throws {
    try withTemporaryFolder { folder in
      let open = folder.appendingPathComponent("open").path
      try FileManager.default.createDirectory(
        atPath: open, withIntermediateDirectories: false)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
      let log = SweepLog(folder: open, keepsFiles: false)
      #expect(log.takeProblem()?.contains("is not a folder that only you can change") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: open).isEmpty)

      // Those of a ledger belong to a project, which may be shared.
      let kept = SweepLog(folder: open, keepsFiles: true)
      #expect(kept.takeProblem() == nil)
      kept.close()
    }
  }

  /// The next run may be one of the second module alone.
  @Test func modulesWithOneCatalogRememberCrashesApart() throws {
    try withTemporaryFolder { folder in
      let logs = SweepLogs(environment: [:]) { _ in }
      let catalog = folder.appendingPathComponent("shop.stubdb").path
      let modules = [UUID().uuidString, UUID().uuidString]
      let folders = modules.map { logs.log(ofCatalog: catalog, module: $0).folder }
      logs.close()
      for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
      #expect(Set(folders).count == 2)
    }
  }

  /// Several tests, and processes, may say of one file what has not ended its process.
  @Test func whatIsSettledAtOnceIsKept() throws {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("1.jsonl")
      let lines = (0..<400).map { number in
        SweepLine(
          time: 1, test: "a", catalog: nil, scenario: "shop/paid",
          Variation(.failure, name: "k\(number)/500", summary: "", stub: nil), .begun)
      }
      try Data(lines.map(\.text).joined().utf8).write(to: file)
      let earlier = EarlierSweeps(folder.path, keepsFiles: true)
      DispatchQueue.concurrentPerform(iterations: lines.count) { number in
        var line = lines[number]
        line.state = .survived
        earlier.settle(line)
      }
      let settled = SweepLine.lines(of: try Data(contentsOf: file)).dropFirst(lines.count)
      #expect(Set(settled.map(\.variation)) == Set(lines.map(\.variation)))
    }
  }

  @Test func aLinkIsNoFolder() throws {
    try withTemporaryFolder { folder in
      let (target, link) = (
        folder.appendingPathComponent("target").path, folder.appendingPathComponent("link").path
      )
      #expect(SweepLog.isOwn(target))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(!SweepLog.isOwn(link))
    }
  }
}
