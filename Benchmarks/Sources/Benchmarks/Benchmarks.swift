import Foundation

/// Measures every budget of the design in one run.
///
/// Arguments: the path of a release `stubdb`, where the rows go as JSON, and, to measure only some, the names of groups
/// of rows. Exits with 1 where a budget is not kept.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == LedgerRow.argument {
      return try await LedgerRow.run(URL(fileURLWithPath: arguments[2]))
    }
    let unknown = arguments.dropFirst(3).filter { Group(rawValue: $0) == nil }
    guard arguments.count >= 3, unknown.isEmpty else {
      let names = Group.allCases.map(\.rawValue).joined(separator: " ")
      FileHandle.standardError.write(
        Data("usage: Benchmarks STUBDB JSON-FILE [GROUP]…\ngroups: \(names)\n".utf8))
      exit(64)
    }
    let chosen = arguments.dropFirst(3).compactMap(Group.init)
    let report = try await measure(
      chosen.isEmpty ? Group.allCases : chosen, stubdb: arguments[1])
    try report.write(to: arguments[2])
    if !report.isKept { exit(1) }
  }

  /// Measures the rows in a temporary folder that is gone afterwards.
  private static func measure(_ groups: [Group], stubdb: String) async throws -> Report {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let large = folder.appendingPathComponent("large.stubdb")

    var report = Report()
    for group in groups {
      // Not earlier: writing it takes more memory than an import, and on Linux a process begins with the peak of the one
      // that starts it.
      if group.needsLargeCatalog, !FileManager.default.fileExists(atPath: large.path) {
        try LargeCatalogRow.write(to: large)
      }
      for row in try await group.rows(in: folder, large: large, stubdb: stubdb) { report.add(row) }
    }
    return report
  }
}

/// Rows that are measured together.
enum Group: String, CaseIterable {
  // Imports come first: how much memory they take is read while this process is small.
  case imports, roundtrip, test, sweeps, matching, operators, bodies, load, list, write, price,
    changes, mirror, affected, growth, release, server, endurance

  /// Whether the rows are about the catalog of 100,000 stubs.
  var needsLargeCatalog: Bool {
    switch self {
    case .load, .changes, .mirror, .affected: true
    default: false
    }
  }

  func rows(in folder: URL, large: URL, stubdb: String) async throws -> [Row] {
    switch self {
    case .imports: try await ImportRow.measure(in: folder, stubdb: stubdb)
    case .roundtrip: try await RoundTripRow.measure()
    case .test:
      [
        try await WholeTestRow.measure(in: folder), try LedgerRow.measure(in: folder),
        try JournalRow.measure(in: folder),
      ]
    case .sweeps: [try SweepRow.measure(in: folder)]
    case .matching: try await MatchingRow.measure()
    case .operators: try await OperatorsRow.measure()
    case .bodies: try await BodyMatchingRow.measure()
    case .load: try await LoadRow.measure(in: folder, large: large)
    case .list: [try await ListRow.measure(in: folder, stubdb: stubdb)]
    case .write: try await LargeCatalogRow.measure(in: folder)
    case .price: try TestTargetRow.measure(in: folder)
    case .changes: try await ChangesRow.measure(base: large, in: folder, stubdb: stubdb)
    case .mirror: try await MirrorAndScanRow.measure(large: large, in: folder, stubdb: stubdb)
    case .affected: [try await AffectedRow.measure(large: large, in: folder, stubdb: stubdb)]
    case .growth: try GrowthRows.measure(stubdb: stubdb)
    case .release: try await ReleaseRows.measure(stubdb: stubdb)
    #if os(Linux)
      case .server: try await ServerRows.measure(in: folder, stubdb: stubdb)
      case .endurance: try EnduranceRows.measure(in: folder, stubdb: stubdb)
    #else
      case .server, .endurance: []
    #endif
    }
  }
}
