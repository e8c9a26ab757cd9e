import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSupport

@testable import StubDBChanges

/// Scenarios in memory, with hashes as their digests.
struct MemoryScenarios: ScenarioSource, Equatable {
  let byName: [ScenarioName: Scenario]
  let entries: [ScenarioEntry]

  init(_ scenarios: some Sequence<Scenario>) {
    byName = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
    entries = byName.values.sorted { $0.name < $1.name }.map { scenario in
      ScenarioEntry(
        name: scenario.name, digest: Self.digest(of: scenario),
        stubsDigest: Self.digest(of: Scenario(name: Self.anyName, stubs: scenario.stubs)),
        includes: scenario.includes, stubCount: scenario.stubs.count)
    }
  }

  func scenario(named name: ScenarioName) throws -> Scenario {
    byName[name] ?? Scenario(name: name)
  }

  private static let anyName = ScenarioName(unchecked: "any")

  /// As in a catalog, scenarios have the same digest if they have the same text.
  private static func digest(of scenario: Scenario) -> SHA256Digest.Value {
    var hasher = Hasher()
    hasher.combine(Array(ScenarioDocument.encode(scenario).utf8))
    return SHA256Digest.Value(repeating: UInt64(bitPattern: Int64(hasher.finalize())))
  }
}

/// A scenario `s` with these stubs.
func scenario(_ stubs: Stub...) throws -> Scenario { try scenario(stubs) }

func scenario(_ stubs: [Stub]) throws -> Scenario {
  Scenario(name: ScenarioName(unchecked: "s"), stubs: stubs)
}

/// A stub that answers `/key` with responses from a document.
func stub(_ key: String, _ responses: String = "[{}]") throws -> Stub {
  try Stub(
    documentValue: JSONValue(
      parsing: #"{"key": "\#(key)", "request": {"url": "/\#(key)"}, "responses": \#(responses)}"#))
}
