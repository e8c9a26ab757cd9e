import Foundation
import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A stubbed round trip through URLSession against a trivial URLProtocol written by hand.
enum RoundTripRow {
  static func measure(stubs count: Int, limit: Double) async throws -> Row {
    let interceptor = try StubInterceptor(
      LoadedScenario(Workload.scenario("bench/round-trip", stubs: count)))
    defer { interceptor.end() }
    let stubbed = interceptor.urlSession()
    let trivial = TrivialURLProtocol.session()
    defer { trivial.invalidateAndCancel() }
    // Short turns: how fast threads wake each other changes by a factor of two within seconds, and a
    // turn of each way has to see the same.
    let requests = try (0..<50).map { number in
      guard let url = URL(string: Workload.url(number * 7 % count)) else { throw URLError(.badURL) }
      var request = URLRequest(url: url)
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      return request
    }
    let result = try await Measurement.compare(
      rounds: 601, warmUpRounds: 100, baselineCount: requests.count, subjectCount: requests.count,
      baseline: { try await send(requests, through: trivial) },
      subject: { try await send(requests, through: stubbed) })
    return .atMost(
      limit, result.ratio, name: "stubbed round trip, \(count) stubs",
      detail: """
        \(format(result.subject)) µs against \(format(result.baseline)) µs of a hand-written \
        URLProtocol
        """)
  }

  private static func send(_ requests: [URLRequest], through session: URLSession) async throws {
    for request in requests {
      let (data, _) = try await session.data(for: request)
      guard data.count == 2 else { throw URLError(.badServerResponse) }
    }
  }
}
