import Foundation
import StubDB

/// Matching by the content alone: stubs of one URL that differ in nothing else.
enum BodyMatchingRow {
  private static let count = 5_000
  private static let url = "https://api.shop.test/v1/orders"

  static func measure() async throws -> [Row] {
    try await rows("equalToJson") { number in
      .equalToJSON(
        .object(["id": .number(JSONNumber(number)), "kind": "order"]), ignoreExtraElements: true)
    }
      + rows("matchesJsonPath") { number in
        .matchesJSONPath("$.items[*].sku", .value(.equalTo("sku-\(number)")))
      }
  }

  private static func rows(
    _ name: String, _ pattern: (Int) -> BodyPattern
  ) async throws -> [Row] {
    let small = try scenario(10, pattern)
    var rows: [Row] = []
    for (stubs, text) in [(1_000, "1,000"), (100_000, "100,000")] {
      let large = try scenario(stubs, pattern)
      let (few, many) = (requests(10), requests(stubs))
      let result = try await Measurement.compare(
        baselineCount: count, subjectCount: count,
        baseline: { try match(few, in: small) }, subject: { try match(many, in: large) })
      rows.append(
        .atMost(
          2, result.ratio, name: "matching by \(name), 10 -> \(text) stubs of one URL",
          detail: "\(format(result.subject)) µs against \(format(result.baseline)) µs"))
    }
    return rows
  }

  private static func scenario(
    _ stubs: Int, _ pattern: (Int) -> BodyPattern
  ) throws -> LoadedScenario {
    guard let name = ScenarioName("bench/bodies-\(stubs)") else { preconditionFailure("no name") }
    return try LoadedScenario(
      Scenario(
        name: name,
        stubs: (0..<stubs).map { number in
          Stub(
            key: "order-\(number)",
            request: RequestPattern(
              methods: [.post], scheme: "https", host: "api.shop.test",
              path: .template("/v1/orders"), body: [pattern(number)]))
        }))
  }

  /// Requests of about 200 bytes of JSON.
  private static func requests(_ stubs: Int) -> [StubRequest] {
    (0..<count).map { place in
      let number = place * 7_919 % stubs
      let body = """
        {"id": \(number), "kind": "order", "customer": {"name": "Ada", "city": "London"},
         "items": [{"sku": "tea", "count": 2}, {"sku": "sku-\(number)", "count": 1}],
         "note": "leave it at the door", "express": false}
        """
      return StubRequest(method: "POST", url: url, body: .bytes(Data(body.utf8)))
    }
  }

  private static func match(_ requests: [StubRequest], in scenario: LoadedScenario) throws {
    let run = scenario.run()
    for request in requests {
      guard case .respond = run.respond(to: request) else { throw UnexpectedMiss(request.url) }
    }
  }
}
