import Foundation
import StubDB

/// A catalog of 100,000 stubs with 80,000 distinct bodies of 1 KiB: time to write it, and its size.
enum LargeCatalogRow {
  /// Writes the catalog to the URL; it also holds the scenario `bench/ten`.
  static func measure(at url: URL, in folder: URL) async throws -> [Row] {
    let scenarios = (0..<100).map { number in
      Workload.scenario(
        "bench/area-\(number)/all", stubs: 1_000, bodyByteCount: 1_024,
        firstBody: number < 80 ? number * 1_000 : (number - 80) * 1_000)
    }
    let catalog = try Catalog.create(at: url)
    let time = try await Measurement.microseconds {
      try catalog.edit { editor in
        for scenario in scenarios { try editor.insert(scenario) }
        try editor.insert(Workload.scenario("bench/ten", stubs: 10))
      }
    }
    let plain = folder.appendingPathComponent("plain.sqlite")
    try Command.run("/bin/sh", ["-c", "sqlite3 '\(url.path)' .dump | sqlite3 '\(plain.path)'"])
    let (size, plainSize) = (try byteCount(url), try byteCount(plain))
    return [
      .atLeast(
        30_000, 100_010 / (time / 1e6), unit: " stubs/s", name: "import of 100,000 stubs",
        detail: "80,000 distinct 1 KiB bodies, \(format(time / 1e6)) s with fsync"),
      .atMost(
        1.1, size / plainSize, name: "size of that catalog",
        detail: "\(format(size / 1e6)) MB against \(format(plainSize / 1e6)) MB of a plain "
          + "SQLite file with the same rows"),
    ]
  }

  private static func byteCount(_ url: URL) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.size] as? NSNumber)?.doubleValue ?? 0
  }
}
