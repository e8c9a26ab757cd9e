import CRows
import Foundation
import StubDB

/// Opening a catalog and loading one scenario from it.
enum LoadRow {
  static func measure(in folder: URL, large: URL) async throws -> [Row] {
    [try await measureScaling(in: folder, large: large)] + (try await measureFirst(in: folder))
  }

  /// 10 stubs from a catalog of 100,000 stubs against 10 stubs from a catalog of 10.
  private static func measureScaling(in folder: URL, large: URL) async throws -> Row {
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
      1.2, result.ratio, name: "open + load 10 stubs, catalog of 10 -> 100,000 stubs",
      detail: "\(format(result.subject)) µs against \(format(result.baseline)) µs")
  }

  /// Stubs with 1 KiB bodies for the first time in a process, against a C program that reads, copies and hashes the
  /// same rows; and ten times as many against that.
  private static func measureFirst(in folder: URL) async throws -> [Row] {
    let url = folder.appendingPathComponent("thousand.stubdb")
    try Catalog.create(at: url).edit { editor in
      try editor.insert(Workload.scenario("bench/thousand", stubs: 1_000, bodyByteCount: 1_024))
      try editor.insert(
        Workload.scenario("bench/ten-thousand", stubs: 10_000, bodyByteCount: 1_024))
    }
    let plain = try await Measurement.compare(
      rounds: 31, warmUpRounds: 3,
      baseline: {
        guard rows_read(url.path, "bench/thousand") == 1_000 else { throw UnexpectedMiss("rows") }
      },
      subject: { try load("bench/thousand", from: url, times: 1) })
    let growth = try await Measurement.compare(
      rounds: 15,
      baseline: { try load("bench/thousand", from: url, times: 1) },
      subject: { try load("bench/ten-thousand", from: url, times: 1) })
    return [
      .atMost(
        1.3, plain.ratio, name: "open + load 1,000 stubs with 1 KiB bodies, the first time",
        detail: """
          \(format(plain.subject / 1_000)) ms against \(format(plain.baseline / 1_000)) ms of C \
          that reads, copies and hashes the rows
          """),
      .atMost(
        12, growth.ratio, name: "the same, 1,000 -> 10,000 stubs",
        detail: "\(format(growth.subject / 1_000)) ms against \(format(growth.baseline / 1_000)) ms"
      ),
    ]
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
