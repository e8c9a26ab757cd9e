import Foundation

/// Measures every budget of the design in one run.
///
/// Arguments: the path of a release `stubdb`, and where the rows go as JSON. Exits with 1 where a
/// budget is not kept.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: Benchmarks STUBDB JSON-FILE\n".utf8))
      exit(64)
    }
    let report = try await measure(stubdb: arguments[1])
    try report.write(to: arguments[2])
    if !report.isKept { exit(1) }
  }

  /// Measures every row in a temporary folder that is gone afterwards.
  private static func measure(stubdb: String) async throws -> Report {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var report = Report()
    report.add(try await RoundTripRow.measure(stubs: 10, limit: 1.10))
    report.add(try await RoundTripRow.measure(stubs: 10_000, limit: 1.25))
    for row in try await MatchingRow.measure() { report.add(row) }
    for row in try await BodyMatchingRow.measure() { report.add(row) }
    let large = folder.appendingPathComponent("large.stubdb")
    let largeRows = try await LargeCatalogRow.measure(at: large, in: folder)
    report.add(try await LoadRow.measureScaling(in: folder, large: large))
    for row in try await LoadRow.measureAgainstHAR(in: folder) { report.add(row) }
    report.add(try await ListRow.measure(in: folder, stubdb: stubdb))
    for row in largeRows { report.add(row) }
    report.add(try TestTargetRow.measure(in: folder))
    for row in try await ChangesRow.measure(base: large, in: folder, stubdb: stubdb) {
      report.add(row)
    }
    for row in try await MirrorAndScanRow.measure(large: large, in: folder, stubdb: stubdb) {
      report.add(row)
    }
    return report
  }
}
