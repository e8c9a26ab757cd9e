import Foundation
import StubDB

/// `stubdb diff` and `stubdb merge` on a catalog of 100,000 stubs, the whole process, against
/// `sqlite3 FILE .dump`.
enum ChangesRow {
  /// The catalog at the URL is what both branches began with; each changes a stub in ten of its
  /// scenarios, five of which both change.
  static func measure(base: URL, in folder: URL, stubdb: String) async throws -> [Row] {
    let ours = try branch(of: base, named: "ours", areas: 0..<10, stub: 1, status: 404, in: folder)
    let theirs = try branch(
      of: base, named: "theirs", areas: 5..<15, stub: 2, status: 503, in: folder)
    let merged = folder.appendingPathComponent("merged.stubdb")
    let dump = { try Command.run("/bin/sh", ["-c", "sqlite3 '\(base.path)' .dump > /dev/null"]) }
    let diff = try await Measurement.compare(
      rounds: 5, baseline: dump,
      subject: {
        // It exits with 2 where there are differences.
        try Command.run(
          "/bin/sh",
          [
            "-c",
            "'\(stubdb)' diff --exit-code '\(base.path)' '\(ours.path)' > /dev/null; test $? -eq 2",
          ])
      })
    let merge = try await Measurement.compare(
      rounds: 5, baseline: dump,
      subject: {
        try Command.run(
          stubdb, ["merge", base.path, ours.path, theirs.path, "--output", merged.path])
      })
    let (allOurs, allTheirs) = (
      try branch(of: base, named: "all-ours", areas: 0..<100, stub: nil, status: 404, in: folder),
      try branch(of: base, named: "all-theirs", areas: 0..<100, stub: nil, status: nil, in: folder)
    )
    let mergeAll = try await Measurement.compare(
      rounds: 3, warmUpRounds: 0, baseline: dump,
      subject: {
        try Command.run(
          stubdb, ["merge", base.path, allOurs.path, allTheirs.path, "--output", merged.path])
      })
    return [
      row("stubdb diff of 100,000 stubs, whole process", diff, limit: 1),
      row("stubdb merge of 100,000 stubs, whole process", merge, limit: 4),
      row("stubdb merge, every stub changed on both sides", mergeAll, limit: 10),
    ]
  }

  private static func row(_ name: String, _ result: Measurement, limit: Double) -> Row {
    .atMost(
      limit, result.ratio, name: name,
      detail: "\(format(result.subject / 1_000)) ms against \(format(result.baseline / 1_000)) ms "
        + "of sqlite3 .dump")
  }

  /// A copy in which a stub of each area, or every one, has changed: its status, or its summary.
  private static func branch(
    of base: URL, named name: String, areas: Range<Int>, stub: Int?, status: Int?, in folder: URL
  ) throws -> URL {
    let url = folder.appendingPathComponent("\(name).stubdb")
    try FileManager.default.copyItem(at: base, to: url)
    try Catalog(contentsOf: url).edit { editor in
      for area in areas {
        guard let name = ScenarioName("bench/area-\(area)/all"),
          var scenario = try editor.scenario(named: name)
        else { continue }
        for index in stub.map({ $0...$0 }) ?? 0...(scenario.stubs.count - 1) {
          if let status {
            scenario.stubs[index].responses[0].status = status
          } else {
            scenario.stubs[index].summary = "changed"
          }
        }
        try editor.replace(scenario)
      }
    }
    return url
  }
}
