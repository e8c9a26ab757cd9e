import Foundation
import StubDB

/// `stubdb list` on 1,000 scenarios, the whole process, against `sqlite3` asked for the same.
enum ListRow {
  static func measure(in folder: URL, stubdb: String) async throws -> Row {
    let url = folder.appendingPathComponent("list.stubdb")
    try Catalog.create(at: url).edit { editor in
      for number in 0..<1_000 {
        try editor.insert(Workload.scenario("area-\(number % 20)/case-\(number)", stubs: 5))
      }
    }
    let query = """
      select name, summary, tags, (select count(*) from stub where scenario_id = scenario.id) \
      from scenario order by name
      """
    let result = try await Measurement.compare(
      rounds: 21,
      baseline: { try Command.run("/usr/bin/env", ["sqlite3", url.path, query]) },
      subject: { try Command.run(stubdb, ["list", "--catalog", url.path]) })
    return .atMost(
      2.5, result.ratio, name: "stubdb list on 1,000 scenarios, whole process",
      detail: "\(format(result.subject / 1_000)) ms against \(format(result.baseline / 1_000)) ms "
        + "of sqlite3")
  }
}
