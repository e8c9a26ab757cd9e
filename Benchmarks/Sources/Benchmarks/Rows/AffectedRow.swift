import Foundation
import HTTPTypes
import StubDB
import StubDBModel
import StubDBPlayback

/// `stubdb affected` on a catalog of 100,000 stubs and a ledger of 2,000 tests, without what git takes to write the
/// committed catalog into a file.
enum AffectedRow {
  private static let testCount = 2_000

  static func measure(large: URL, in folder: URL, stubdb: String) async throws -> Row {
    let project = folder.appendingPathComponent("affected")
    try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
    let url = project.appendingPathComponent("shop.stubdb")
    try FileManager.default.copyItem(at: large, to: url)
    try commit(url, in: project)
    let ledger = project.appendingPathComponent("ledger", isDirectory: true)
    try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: true)
    try play(Catalog(contentsOf: url), keepingIn: ledger)
    try edit(Catalog(contentsOf: url))

    let result = try await Measurement.compare(
      rounds: 9,
      baseline: {
        let (git, file) = ("git -C '\(project.path)'", "'\(folder.path)/committed.stubdb'")
        try Command.run("/bin/sh", ["-c", "\(git) cat-file blob HEAD:shop.stubdb > \(file)"])
      },
      subject: {
        try Command.run(
          stubdb, ["affected", "--catalog", url.path, "--ledger", ledger.path, "--json"])
      })
    return .atMost(
      300, (result.subject - result.baseline) / 1_000, unit: " ms",
      name: "stubdb affected of 100,000 stubs and 2,000 tests",
      detail: "\(format(result.subject / 1_000)) ms, of which git takes "
        + "\(format(result.baseline / 1_000)) ms to write the committed catalog")
  }

  private static func commit(_ catalog: URL, in folder: URL) throws {
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@shop.test"]
    for words in [
      ["init", "-q"], ["add", catalog.lastPathComponent], ["commit", "-qm", "Add the catalog"],
    ] {
      try Command.run("/usr/bin/env", ["git", "-C", folder.path] + identity + words)
    }
  }

  /// Runs tests of two requests each, 20 of every scenario.
  private static func play(_ catalog: Catalog, keepingIn ledger: URL) throws {
    let usage = UsageLedger(
      environment: ["STUBDB_LEDGER": ledger.path], currentFolder: ledger.path)
    for number in 0..<testCount {
      guard let name = ScenarioName("bench/area-\(number % 100)/all") else { continue }
      let player = Player(try catalog.load(name), options: PlaybackOptions())
      player.keepInLedger(usage)
      player.ledgerRun?.name(test: "ShopTests/Area\(number % 100)Tests/test\(number)()")
      for index in [number * 7 % 1_000, number * 13 % 1_000] {
        var request = StubRequest(method: "GET", url: Workload.url(index))
        request.headers[.accept] = "application/json"
        _ = player.run.respond(to: request)
      }
      player.end()
    }
    usage.close()
  }

  /// Changes a stub, and adds one that may come before others, in two of the scenarios.
  private static func edit(_ catalog: Catalog) throws {
    try catalog.edit { editor in
      for area in [7, 8] {
        guard let name = ScenarioName("bench/area-\(area)/all"),
          var scenario = try editor.scenario(named: name)
        else { continue }
        scenario.stubs[area * 7].responses[0].status = 404
        if area == 8 {
          var stub = scenario.stubs[9]
          stub.key = "first"
          scenario.stubs.insert(stub, at: 0)
        }
        try editor.replace(scenario)
      }
    }
  }
}
