internal import StubDBModel

/// The two parties of a contract.
struct PactParties: Hashable, Comparable {
  var consumer: String
  var provider: String

  /// `app-shop`, as Pact's own tools name the files of contracts.
  var fileName: String {
    [consumer, provider].map { DerivedName.segment($0) ?? "contract" }.joined(separator: "-")
  }

  static func < (one: PactParties, other: PactParties) -> Bool {
    (one.consumer, one.provider) < (other.consumer, other.provider)
  }
}

/// Whose contracts scenarios are, and in which states of the provider they hold.
///
/// An import names scenarios `consumer-provider` and `consumer-provider/state`, and these come back as they were. The
/// others are contracts between `stubdb` and the host that the stubs answer for, and their names are states.
struct PactNaming {
  private static let consumer = "stubdb"
  private static let provider = "provider"
  /// The tag of scenarios that an import has named.
  private static let tag = "pact"

  private let scenarios: [ScenarioName: Scenario]
  /// The provider of stubs that answer any host.
  private let usualProvider: String

  init(_ content: ExportContent) {
    scenarios = Dictionary(
      content.scenarios.map { ($0.name, $0.scenario) }, uniquingKeysWith: { first, _ in first })
    let hosts = Set(content.stubs.compactMap { $0.stub.request.host?.literal })
    usualProvider = hosts.count == 1 ? hosts.first ?? Self.provider : Self.provider
  }

  func parties(of exported: ExportedStub) -> PactParties {
    imported(exported.scenario)?.parties
      ?? PactParties(
        consumer: Self.consumer, provider: exported.stub.request.host?.literal ?? usualProvider)
  }

  /// The states of the provider in which an interaction holds.
  func states(of exported: ExportedStub) -> [String] {
    var states: [String] = []
    if let imported = imported(exported.scenario) {
      if let state = imported.state { states.append(state) }
    } else {
      states.append(exported.scenario.rawValue)
    }
    if let flow = exported.stub.flow, let state = flow.requires {
      states.append("\(flow.name) is \(state)")
    }
    return states
  }

  /// What the name of a scenario says that an import has given it; nil for other names.
  private func imported(_ name: ScenarioName) -> (parties: PactParties, state: String?)? {
    guard let scenario = scenarios[name], scenario.tags.contains(Self.tag) else { return nil }
    let parts = name.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
    let names = parts[0].split(separator: "-", maxSplits: 1).map(String.init)
    guard names.count == 2 else { return nil }
    var state = parts.count > 1 ? parts[1] : nil
    // The summary has the state as the contract had it.
    if let summary = scenario.summary, let name = state, DerivedName.segment(summary) == name {
      state = summary
    }
    return (PactParties(consumer: names[0], provider: names[1]), state)
  }
}
