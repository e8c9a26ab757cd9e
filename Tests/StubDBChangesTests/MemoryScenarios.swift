import Foundation
import StubDBModel

@testable import StubDBChanges

/// Scenarios in memory; their documents stand for their digests.
struct MemoryScenarios: ScenarioSource, Equatable {
  var byName: [ScenarioName: Scenario]

  init(_ scenarios: some Sequence<Scenario>) {
    byName = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
  }

  var entries: [ScenarioEntry] {
    byName.values.sorted { $0.name < $1.name }.map { scenario in
      let stubs = scenario.stubs.map { ScenarioDocument.encode($0) }.joined()
      return ScenarioEntry(
        name: scenario.name, digest: Data(ScenarioDocument.encode(scenario).utf8),
        stubsDigest: Data(stubs.utf8), includes: scenario.includes,
        stubCount: scenario.stubs.count)
    }
  }

  func scenario(named name: ScenarioName) throws -> Scenario {
    byName[name] ?? Scenario(name: name)
  }
}

/// A scenario `s` of stubs.
func scenario(_ stubs: Stub...) throws -> Scenario {
  Scenario(name: ScenarioName(unchecked: "s"), stubs: stubs)
}

/// A stub that answers `/key` with the responses of a document.
func stub(_ key: String, _ responses: String = "[{}]") throws -> Stub {
  try Stub(
    documentValue: JSONValue(
      parsing: #"{"key": "\#(key)", "request": {"url": "/\#(key)"}, "responses": \#(responses)}"#))
}
