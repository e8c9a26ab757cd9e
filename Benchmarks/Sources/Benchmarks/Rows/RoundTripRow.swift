import Foundation
import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A stubbed round trip through URLSession against a trivial URLProtocol written by hand.
enum RoundTripRow {
  /// Requests of one turn.
  ///
  /// Short turns: how fast threads wake each other changes by a factor of two within seconds, and a turn of each way
  /// has to see the same.
  private static let count = 50

  static func measure() async throws -> [Row] {
    [
      try await measure(stubs: 10),
      try await measure(stubs: 10_000),
      try await measure(stubs: 10_000, newURLs: true),
    ]
  }

  private static func measure(
    stubs: Int, newURLs: Bool = false
  ) async throws -> Row {
    let interceptor = try StubInterceptor(
      LoadedScenario(Workload.scenario("bench/round-trip", stubs: stubs)))
    defer { interceptor.end() }
    let stubbed = interceptor.urlSession()
    let trivial = TrivialURLProtocol.session()
    defer { trivial.invalidateAndCancel() }
    let same = try (0..<count).map { try request($0, stubs: stubs) }
    var made = 0
    // Made outside the measured time, as the others are.
    func next() throws -> [URLRequest] {
      guard newURLs else { return same }
      made += 1
      return try (0..<count).map { try request($0, stubs: stubs, query: "?page=\(made)-\($0)") }
    }
    var requests = same
    let result = try await Measurement.compare(
      rounds: 601, warmUpRounds: 100, baselineCount: count, subjectCount: count,
      prepare: { requests = try next() },
      baseline: { try await send(requests, through: trivial) },
      subject: { try await send(requests, through: stubbed) })
    return .atMost(
      1.1, result.ratio,
      name: "stubbed round trip, \(stubs) stubs" + (newURLs ? ", every URL new" : ""),
      detail: """
        \(format(result.subject)) µs against \(format(result.baseline)) µs of a hand-written \
        URLProtocol
        """)
  }

  static func request(_ number: Int, stubs: Int, query: String = "") throws -> URLRequest {
    guard let url = URL(string: Workload.url(number * 7 % stubs) + query) else {
      throw URLError(.badURL)
    }
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return request
  }

  static func send(_ requests: [URLRequest], through session: URLSession) async throws {
    for request in requests {
      let (data, _) = try await session.data(for: request)
      guard data.count == 2 else { throw URLError(.badServerResponse) }
    }
  }
}
