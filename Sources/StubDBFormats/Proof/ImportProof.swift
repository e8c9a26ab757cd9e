internal import StubDBEngine
internal import StubDBJobs
internal import StubDBModel

/// The written examples that an import was made of, with which its scenarios are asked.
struct ImportProof {
  /// How many stubs that a person wrote are asked for an example.
  static let maximumExampleCount = 10_000

  /// Where the stubs come from that a person wrote, and what the inputs ask them for.
  private var written: [String: [Stub.Key: Written]] = [:]

  private struct Written {
    var source: ReportSource
    var requests: [StubRequest]
  }

  /// Notes a stub that a person wrote, with the key that it got.
  mutating func add(
    _ stub: ImportedStub, key: Stub.Key, to scenario: String, file: String, log: ReportLog
  ) {
    guard stub.calls.isEmpty else { return }
    let source = stub.source ?? ReportSource(file: file, log: log, item: stub.items.first)
    written[scenario, default: [:]][key] = Written(source: source, requests: stub.asked)
  }

  /// Adds a line for each request that does not get its answer.
  func report(on scenarios: [Scenario], log: ReportLog) {
    var proofs: [ExampleProof] = []
    var asked: [(proof: Int, stub: Int, written: Written)] = []
    var count = 0
    for scenario in scenarios {
      guard let written = written[scenario.name.rawValue] else { continue }
      count += written.count
      guard asked.count < Self.maximumExampleCount,
        let proof = ExampleProof(scenario, requests: written.mapValues(\.requests))
      else { continue }
      for (place, stub) in scenario.stubs.enumerated() {
        if let written = written[stub.key] { asked.append((proofs.count, place, written)) }
      }
      proofs.append(proof)
    }
    asked = Array(asked.prefix(Self.maximumExampleCount))
    let places = asked.map { ($0.proof, $0.stub) }
    let failures = ParallelWork.values(
      places.count, perThread: 64,
      progress: { log.progress("\($0) of \(places.count) stubs asked for an example") },
      { [proofs] place in proofs[places[place].0].failure(at: places[place].1) })
    for (asked, failure) in zip(asked, failures) {
      guard let failure = failure.flatMap(\.self) else { continue }
      asked.written.source.add(failure.level, failure.id, failure.sentence)
    }
    if count > Self.maximumExampleCount, let file = asked.first?.written.source.file {
      log.add(
        .ignored, .manyStubs, file: file, item: nil,
        "Only \(Self.maximumExampleCount) of \(count) stubs were tried with an example of a request"
      )
    }
  }
}
