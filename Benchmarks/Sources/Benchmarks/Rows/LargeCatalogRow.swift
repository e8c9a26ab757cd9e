import Foundation
import StubDB

/// A catalog of 100,000 stubs with 80,000 distinct bodies of 1 KiB: time to write it, and its size.
enum LargeCatalogRow {
  /// Writes the catalog to the URL; it also holds the scenario `bench/ten`.
  static func write(to url: URL) throws {
    try write(scenarios(), to: url)
  }

  static func measure(in folder: URL) async throws -> [Row] {
    let url = folder.appendingPathComponent("written.stubdb")
    let sql = folder.appendingPathComponent("rows.sql")
    let plain = folder.appendingPathComponent("plain.sqlite")
    let scenarios = scenarios()
    try write(scenarios, to: url)
    try Command.run("/bin/sh", ["-c", "sqlite3 '\(url.path)' .dump > '\(sql.path)'"])
    let result = try await Measurement.compare(
      rounds: 3, warmUpRounds: 0,
      baseline: {
        try? FileManager.default.removeItem(at: plain)
        // The dump is one transaction; SQLite flushes the file at its end.
        try Command.run("/bin/sh", ["-c", "sqlite3 '\(plain.path)' < '\(sql.path)'"])
      },
      subject: {
        try FileManager.default.removeItem(at: url)
        try write(scenarios, to: url)
      })
    let (size, plainSize) = (try byteCount(url), try byteCount(plain))
    return [
      .atMost(
        3, result.ratio, name: "writing 100,000 stubs with 80,000 distinct 1 KiB bodies",
        detail: """
          \(format(result.subject / 1e6)) s, \(format(100_010 / (result.subject / 1e6))) stubs/s, \
          against \(format(result.baseline / 1e6)) s of sqlite3 for the same rows, both with fsync
          """),
      .atMost(
        1, size / plainSize, name: "size of that catalog",
        detail: "\(format(size / 1e6)) MB against \(format(plainSize / 1e6)) MB of a plain "
          + "SQLite file with the same rows"),
    ]
  }

  private static func scenarios() -> [Scenario] {
    (0..<100).map { number in
      Workload.scenario(
        "bench/area-\(number)/all", stubs: 1_000, bodyByteCount: 1_024,
        firstBody: number < 80 ? number * 1_000 : (number - 80) * 1_000)
    } + [Workload.scenario("bench/ten", stubs: 10)]
  }

  private static func write(_ scenarios: [Scenario], to url: URL) throws {
    try Catalog.create(at: url).edit { editor in
      for scenario in scenarios { try editor.insert(scenario) }
    }
  }

  private static func byteCount(_ url: URL) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.size] as? NSNumber)?.doubleValue ?? 0
  }
}
