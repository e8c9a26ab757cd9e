import Foundation
import StubDB

/// How many variations a second a sweep tries of a test that lists 20 orders (5 KB).
///
/// A program of its own, since sweeps belong to tests. The budget is the one of the design: what a test is repeated under
/// must not be noticed beside the build.
enum SweepRow {
  static func measure(in folder: URL) throws -> Row {
    let url = folder.appendingPathComponent("sweep.stubdb")
    try Catalog.create(at: url).edit { editor in try editor.insert(orders) }
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let time = try Command.fastest(
      .init(
        programs.appendingPathComponent("SweepTests").path, [],
        [
          "STUBDB_LEDGER": folder.appendingPathComponent("ledger").path,
          "STUBDB_MEASURED_CATALOG": url.path, "STUBDB_SWEEP": "",
        ]))
    return .atLeast(
      200, 1_000_000 / time, unit: "/s", name: "compatible changes of an answer, tried by a sweep",
      detail: "\(format(time)) µs for one, with a test of one request that decodes 20 orders")
  }

  /// An answer as shops give them.
  private static var orders: Scenario {
    let list = (0..<20).map { number in
      let note = number.isMultiple(of: 3) ? #""note":"a gift","# : ""
      return """
        {"id":\(number),"status":"\(number.isMultiple(of: 2) ? "paid" : "open")","total":\(1200 + number),\(note)\
        "currency":"EUR","customer":{"name":"Ada","email":"ada@shop.test"},\
        "lines":[{"sku":"tea-\(number)","price":600},{"sku":"cup-\(number)","price":\(600 + number)}]}
        """
    }
    return Scenario(
      name: ScenarioName(unchecked: "bench/orders"),
      stubs: [
        Stub(
          key: "orders",
          request: RequestPattern(
            methods: [.get], scheme: "https", host: "api.shop.test", path: .template("/orders")),
          responses: [
            StubResponse(
              headers: [.contentType: "application/json"],
              body: .text("{\"orders\":[\(list.joined(separator: ","))]}"))
          ])
      ])
  }
}
