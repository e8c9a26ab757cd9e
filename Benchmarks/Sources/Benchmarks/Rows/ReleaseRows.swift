import Foundation

/// The program as a release has it: how large it is, and how long it takes to start and say its version.
enum ReleaseRows {
  static func measure(stubdb: String) async throws -> [Row] {
    let path = URL(fileURLWithPath: stubdb).resolvingSymlinksInPath().path
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let megabytes = ((attributes[.size] as? NSNumber)?.doubleValue ?? 0) / 1e6
    let start = try await Measurement.compare(
      rounds: 41,
      baseline: { try Command.run("/usr/bin/env", ["sqlite3", "-version"]) },
      subject: { try Command.run(stubdb, ["--version"]) })
    return [
      .atMost(
        60, megabytes, unit: " MB", name: "size of the program",
        detail: "\(format(megabytes)) MB with Swift's libraries"),
      .atMost(
        10, start.subject / 1_000, unit: " ms", name: "start of the program, stubdb --version",
        detail: "\(format(start.subject / 1_000)) ms against \(format(start.baseline / 1_000)) ms "
          + "of sqlite3"),
    ]
  }
}
