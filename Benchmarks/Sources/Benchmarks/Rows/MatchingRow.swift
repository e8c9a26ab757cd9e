import StubDB

/// Matching alone: 10 stubs against 100,000.
enum MatchingRow {
  static func measure() async throws -> [Row] {
    let small = try LoadedScenario(Workload.scenario("bench/small", stubs: 10))
    let large = try LoadedScenario(Workload.scenario("bench/large", stubs: 100_000))
    let count = 20_000
    let smallRequests = requests(count, stubs: 10)
    let largeRequests = requests(count, stubs: 100_000)
    let result = try await Measurement.compare(
      baselineCount: count, subjectCount: count,
      baseline: { try match(smallRequests, in: small) },
      subject: { try match(largeRequests, in: large) })
    return [
      .atMost(
        2, result.ratio, name: "matching, 10 -> 100,000 stubs",
        detail: "\(format(result.subject)) µs against \(format(result.baseline)) µs"),
      .atMost(
        3, result.subject, unit: " µs", name: "matching among 100,000 stubs, median",
        detail: "URL and header patterns, with the journal"),
    ]
  }

  private static func requests(_ count: Int, stubs: Int) -> [StubRequest] {
    (0..<count).map { number in
      StubRequest(
        method: "GET", url: Workload.url(number * 7_919 % stubs),
        headers: [.accept: "application/json"])
    }
  }

  private static func match(_ requests: [StubRequest], in scenario: LoadedScenario) throws {
    let run = scenario.run()
    for request in requests {
      guard case .respond = run.respond(to: request) else { throw UnexpectedMiss(request.url) }
    }
  }
}

/// A request of the workload that no stub answered: the measurement would mean nothing.
struct UnexpectedMiss: Error {
  var url: String

  init(_ url: String) {
    self.url = url
  }
}
