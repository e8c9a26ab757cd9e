import Foundation
import StubDB

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What one test costs: a scenario from an unchanged file, a session, three requests, verification, and the end.
enum WholeTestRow {
  static func measure(in folder: URL) async throws -> Row {
    let url = folder.appendingPathComponent("test.stubdb")
    try Catalog.create(at: url).edit { editor in
      try editor.insert(Workload.scenario("bench/test", stubs: 10))
    }
    // A file that was just changed is read every time.
    try await Task.sleep(for: .seconds(4))
    let requests = try (0..<3).map { try RoundTripRow.request($0, stubs: 10) }
    let count = 20
    let result = try await Measurement.compare(
      rounds: 301, warmUpRounds: 50, baselineCount: count, subjectCount: count,
      baseline: {
        for _ in 0..<count {
          let session = TrivialURLProtocol.session()
          try await RoundTripRow.send(requests, through: session)
          session.finishTasksAndInvalidate()
        }
      },
      subject: {
        for _ in 0..<count {
          let interceptor = try StubInterceptor("bench/test", in: Catalog(contentsOf: url))
          let session = interceptor.urlSession()
          try await RoundTripRow.send(requests, through: session)
          session.finishTasksAndInvalidate()
          try interceptor.verify()
          interceptor.end()
        }
      })
    return .atMost(
      1.1, result.ratio, name: "a whole test: load 10 stubs, session, 3 requests, verify, end",
      detail: """
        \(format(result.subject)) µs against \(format(result.baseline)) µs with a hand-written \
        URLProtocol and nothing to load
        """)
  }
}
