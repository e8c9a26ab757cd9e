import Foundation

/// `stubdb mirror --check` and `stubdb scan` on 100,000 stubs, against `sqlite3 … .dump` of the same
/// catalog.
enum MirrorAndScanRow {
  static func measure(large: URL, in folder: URL, stubdb: String) async throws -> [Row] {
    let mirror = folder.appendingPathComponent("mirror").path
    try Command.run(stubdb, ["mirror", mirror, "--catalog", large.path])
    return [
      try await row("mirror --check", ["mirror", mirror, "--check"], large, stubdb, limit: 5),
      try await row("scan", ["scan"], large, stubdb, limit: 3),
    ]
  }

  private static func row(
    _ name: String, _ arguments: [String], _ catalog: URL, _ stubdb: String, limit: Double
  ) async throws -> Row {
    let result = try await Measurement.compare(
      rounds: 3,
      baseline: { try Command.run("/usr/bin/env", ["sqlite3", catalog.path, ".dump"]) },
      subject: { try Command.run(stubdb, arguments + ["--catalog", catalog.path]) })
    return .atMost(
      limit, result.ratio, name: "stubdb \(name) on 100,000 stubs",
      detail: "\(format(result.subject / 1e6)) s against \(format(result.baseline / 1e6)) s of "
        + "sqlite3 .dump")
  }
}
