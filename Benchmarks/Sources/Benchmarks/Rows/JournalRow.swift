import Foundation
import StubDB

/// What a test that passes pays for the journal that it would leave if it failed.
///
/// Whether tests leave journals is decided by what their program is linked with, so there are two.
enum JournalRow {
  static func measure(in folder: URL) throws -> Row {
    let url = folder.appendingPathComponent("journal.stubdb")
    try Catalog.create(at: url).edit { editor in
      try editor.insert(Workload.scenario("bench/test", stubs: 10))
    }
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    func tests(_ name: String) -> Command.Timed {
      .init(
        programs.appendingPathComponent(name).path, [],
        ["STUBDB_LEDGER": "", "STUBDB_MEASURED_CATALOG": url.path])
    }
    let (more, less) = try Command.fastest(tests("TestsWithJournals"), tests("TestsAlone"))
    return .atMost(
      5, more - less, unit: " µs", name: "the journal of a failed test, for each that passes",
      detail: "\(format(more)) µs where tests leave journals against \(format(less)) µs where not")
  }
}
