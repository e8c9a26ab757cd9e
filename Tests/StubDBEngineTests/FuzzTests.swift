import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import StubDBXML
import Testing

@testable import StubDBEngine

/// Random documents and requests, the same from the same seed: each is answered or refused, none crashes or hangs.
///
/// `STUBDB_FUZZ_SEEDS` sets how many seeds are tried, 15 by default.
@Suite(.timeLimit(.minutes(10))) struct FuzzTests {
  static let seeds =
    0..<UInt64(ProcessInfo.processInfo.environment["STUBDB_FUZZ_SEEDS"].flatMap(UInt64.init) ?? 15)

  @Test(arguments: seeds)
  func documentsAreRefusedOrPlayed(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<40 {
      let text = RandomText.mutated(RandomText.document(&random), &random)
      let scenario: Scenario
      do {
        scenario = try ScenarioDocument.decode(Data(text.utf8))
      } catch {
        #expect(!error.message.isEmpty)
        continue
      }
      // The written form of what was read can be read again.
      let canonical = ScenarioDocument.encode(scenario)
      #expect(try ScenarioDocument.decode(Data(canonical.utf8)) == scenario, "\(text)")
      guard let loaded = loaded(scenario) else { continue }
      let run = loaded.run()
      for _ in 0..<6 {
        let request = RandomText.request(&random)
        _ = run.respond(to: request)
        _ = run.journal.last?.nearMisses
        #expect(!run.report(on: run.journal[run.journal.count - 1]).text.isEmpty)
      }
      #expect(run.journal.count == 6)
    }
  }

  /// The loaded scenario; nil if it was refused with a proper error.
  private func loaded(_ scenario: Scenario) -> LoadedScenario? {
    do throws(EngineError) {
      return try LoadedScenario(scenario)
    } catch {
      #expect(error.pointer != nil && error.message.contains("/stubs/"))
      return nil
    }
  }

  @Test(arguments: seeds)
  func queriesSchemasAndPathsAreRefusedOrAnswered(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<60 {
      let json = RandomText.json(4, &random)
      let query = RandomText.mutated(RandomText.pick(RandomText.queries, &random), &random)
      var limit = 20_000
      if let path = try? JSONPath(query) {
        let values = path.values(in: json, visiting: &limit)
        #expect((values == nil) == (limit < 0))
      }
      limit = 20_000
      if let schema = try? JSONSchema(RandomText.schema(3, &random)) {
        let violations = schema.violations(in: json, checks: &limit)
        #expect((violations == nil) == (limit < 0))
      }
      limit = 20_000
      let xml = RandomText.mutated(RandomText.pick(RandomText.documents, &random), &random)
      let expression = RandomText.mutated(RandomText.pick(RandomText.xPaths, &random), &random)
      guard let tree = try? XMLTree(parsing: xml) else { continue }
      #expect(
        XMLComparison(tree, tree, ignoreOrderOfSameNode: true, visiting: &limit) { $0 == $1 }
          .count == 0, "\(xml)")
      if let path = try? XPath(expression) { _ = path.evaluate(in: tree, visiting: &limit) }
    }
  }

  @Test func compressedTextIsUnpacked() throws {
    let text = String(repeating: #"{"amount": 1200}"#, count: 40)
    let expected = Data(text.utf8) + Data(0..<60)
    #expect(try ContentDecoding.decoded(Data(RandomText.gzipped), ["gzip"]) == expected)
  }

  @Test(arguments: seeds)
  func compressedBytesAreUnpackedOrRefused(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      var bytes = RandomText.gzipped
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...(bytes.count * 2), using: &random)))
      for coding in ["gzip", "deflate"] {
        let data = coding == "gzip" ? Data(bytes) : Data(bytes.dropFirst(10))
        let decoded = try? ContentDecoding.decoded(data, [coding], limit: 10_000)
        #expect(decoded.map { $0.count <= 10_000 } ?? true)
      }
    }
  }
}
