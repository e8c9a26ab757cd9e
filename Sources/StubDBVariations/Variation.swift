package import StubDBEngine
package import StubDBModel

/// One way in which a test is repeated: what a stub answers, or the order of answers.
package struct Variation: Sendable {
  /// What is varied.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case failure
    case evolution
    case order
  }

  package let kind: Kind
  /// The name in `.only` and in `STUBDB_SWEEP`, unique in a test: `charge/timeout`, `charge/items-0-status=unknown`, `order=b,a,c`.
  package let name: String
  /// What happens, as the rest of a sentence that begins with the name: `no answer, so that the client times out`.
  package let summary: String
  /// The stub whose answers are changed; nil for an order.
  package let stub: StubName?
  /// The JSON pointer of what is changed in the answer; nil for others than evolutions.
  package let pointer: String?
  /// What the stub answers in place of its response; nil for an order.
  package let change: (any ResponseChange)?

  package init(
    _ kind: Kind, name: String, summary: String, stub: StubName?, pointer: String? = nil,
    change: (any ResponseChange)? = nil
  ) {
    (self.kind, self.name, self.summary) = (kind, name, summary)
    (self.stub, self.pointer, self.change) = (stub, pointer, change)
  }
}

/// A stub by the scenario whose document contains it, and its key; a closure has only a key, its place in the source.
package struct StubName: Hashable, Sendable {
  package let scenario: ScenarioName?
  package let key: String

  package init(scenario: ScenarioName?, key: String) { (self.scenario, self.key) = (scenario, key) }

  /// The stub that answered a request; nil if none did.
  package init?(_ event: ServeEvent) {
    guard let key = event.stubKey else { return nil }
    self.init(scenario: event.scenario, key: key)
  }

  /// The stubs of a scenario by their names.
  package static func stubs(of scenario: LoadedScenario) -> [StubName: Stub] {
    Dictionary(
      scenario.sources.map { (StubName(scenario: $0.origin, key: $0.stub.key.rawValue), $0.stub) }
    ) { first, _ in first }
  }

  /// The first parts of the names of variations of stubs and of all others of a scenario, so that they do not depend on
  /// which stubs a test has asked.
  package static func labels(
    of stubs: [StubName], in scenario: LoadedScenario
  ) -> [StubName: String] {
    labels(
      of: stubs
        + scenario.sources.map { StubName(scenario: $0.origin, key: $0.stub.key.rawValue) })
  }

  /// The first parts of the names of variations: the keys, with the scenarios before them where two have the same key.
  package static func labels(of stubs: [StubName]) -> [StubName: String] {
    let all = Set(stubs)
    let counts = Dictionary(grouping: all, by: \.key).mapValues(\.count)
    return Dictionary(
      uniqueKeysWithValues: all.map { stub in
        let scenario = counts[stub.key, default: 0] > 1 ? stub.scenario : nil
        return (stub, scenario.map { "\($0):\(stub.key)" } ?? stub.key)
      })
  }
}

/// Changes what a stub answers, each time that it answers.
package protocol ResponseChange: Sendable {
  /// The response in place of another one, whose templates are filled in; called on the thread of the request.
  ///
  /// `run.scenario.body(of:)` reads contents that are left in the catalog.
  func response(
    _ response: StubResponse, to event: ServeEvent, in run: ScenarioRun
  ) -> StubResponse
}

/// Finds the variations of a test from what its unchanged run did.
package protocol VariationSource: Sendable {
  var kind: Variation.Kind { get }

  /// The variations, in the order in which they are tried; not for orders, which are found while they are tried.
  ///
  /// `journal` has the requests of the unchanged run. The names are unique.
  func variations(of journal: [ServeEvent], in scenario: LoadedScenario) -> [Variation]
}
