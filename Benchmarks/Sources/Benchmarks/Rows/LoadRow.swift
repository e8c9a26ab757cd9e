import Foundation
import StubDB

/// Opening a catalog and loading one scenario from it.
enum LoadRow {
  /// 10 stubs from a catalog of 100,000 stubs against 10 stubs from a catalog of 10.
  static func measureScaling(in folder: URL, large: URL) async throws -> Row {
    let small = folder.appendingPathComponent("small.stubdb")
    try Catalog.create(at: small).edit { editor in
      try editor.insert(Workload.scenario("bench/ten", stubs: 10))
    }
    let count = 200
    let result = try await Measurement.compare(
      baselineCount: count, subjectCount: count,
      baseline: { try load("bench/ten", from: small, times: count) },
      subject: { try load("bench/ten", from: large, times: count) })
    return .atMost(
      2, result.ratio, name: "open + load 10 stubs, catalog of 10 -> 100,000 stubs",
      detail: "\(format(result.subject)) µs against \(format(result.baseline)) µs")
  }

  /// 1,000 stubs with 1 KiB bodies against decoding the same as one HAR: the first time in a process, and every other time.
  static func measureAgainstHAR(in folder: URL) async throws -> [Row] {
    let url = folder.appendingPathComponent("thousand.stubdb")
    try Catalog.create(at: url).edit { editor in
      try editor.insert(Workload.scenario("bench/thousand", stubs: 1_000, bodyByteCount: 1_024))
    }
    let har = folder.appendingPathComponent("thousand.har")
    try HAR.text(stubs: 1_000, bodyByteCount: 1_024).write(to: har)
    let decode = {
      let archive = try HAR.decode(Data(contentsOf: har))
      guard archive.log.entries.count == 1_000 else { throw UnexpectedMiss(har.path) }
    }
    let first = try await Measurement.compare(
      subjectCount: 5, baseline: decode,
      subject: { try load("bench/thousand", from: url, times: 5) })
    // A file that was just changed is read every time.
    try await Task.sleep(for: .seconds(4))
    let again = try await Measurement.compare(
      subjectCount: 1_000, baseline: decode,
      subject: { try loadAgain("bench/thousand", from: url, times: 1_000) })
    return [
      row("open + load 1,000 stubs with 1 KiB bodies, the first time", first, budget: 5),
      row("the same, every other time in the process", again, budget: 10),
    ]
  }

  private static func row(_ name: String, _ result: Measurement, budget: Double) -> Row {
    .atLeast(
      budget, 1 / result.ratio, unit: "x faster", name: name,
      detail: "\(format(result.subject / 1_000)) ms against \(format(result.baseline / 1_000)) ms "
        + "of JSONDecoder on the same as one HAR")
  }

  /// Loads each time as if for the first time.
  private static func load(_ name: String, from url: URL, times: Int) throws {
    // What was changed a moment ago is read every time.
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
    try loadAgain(name, from: url, times: times)
  }

  private static func loadAgain(_ name: String, from url: URL, times: Int) throws {
    for _ in 0..<times {
      let scenario = try Catalog(contentsOf: url).load(name)
      guard scenario.stubCount > 0 else { throw UnexpectedMiss(name) }
    }
  }
}
