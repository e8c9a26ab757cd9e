package import Foundation
package import StubDBJSON
package import StubDBModel
internal import StubDBSecrets

/// The recorded requests that the stubs of an import are made of, in the order in which they were sent.
package struct RecordedSteps {
  private struct Step {
    let content: Int
    let scenario: String
    let key: Stub.Key
    let call: RecordedCall
  }

  private var steps: [Step] = []

  package init() {}

  /// Adds the requests of a stub; `content` is the number of the recording.
  mutating func add(_ stub: ImportedStub, key: Stub.Key, to scenario: String, content: Int) {
    steps += stub.calls.map { Step(content: content, scenario: scenario, key: key, call: $0) }
  }

  /// The placeholders in the requests and answers once their bytes are redacted.
  package func secrets(_ redacted: (Data) -> Data) -> RecordedSecrets {
    let ordered = steps.enumerated().sorted {
      ($0.element.content, $0.element.call.exchange.number, $0.offset)
        < ($1.element.content, $1.element.call.exchange.number, $1.offset)
    }.map(\.element)
    return RecordedSecrets(
      steps: ordered.map { step in
        RecordedSecrets.Step(
          content: step.content, scenario: step.scenario, key: step.key,
          sent: step.call.exchange.sentPlaceholders(redacted)
            .union(step.call.exchange.sentCredentials(redacted)),
          given: step.call.response.placeholders(redacted))
      })
  }
}

/// The placeholders in the recorded requests and answers of an import, in the order in which they were sent.
package struct RecordedSecrets {
  struct Step {
    let content: Int
    let scenario: String
    let key: Stub.Key
    let sent: Set<String>
    let given: Set<String>
  }

  /// The steps of each scenario.
  private let steps: [String: [Step]]
  /// What is the client's own in each recording, in whichever scenario it was sent first.
  private let own: [Int: Set<String>]

  init(steps: [Step]) {
    self.steps = Dictionary(grouping: steps, by: \.scenario)
    var owners: [Int: SecretOwners] = [:]
    for step in steps {
      owners[step.content, default: SecretOwners()].send(step.sent)
      owners[step.content, default: SecretOwners()].give(step.given)
    }
    own = owners.mapValues(\.own)
  }

  /// The patterns of the stubs with what is the client's own left free, by the keys of the stubs.
  fileprivate func freed(
    _ scenario: Scenario, _ secrets: UnansweredSecrets
  ) -> [Stub.Key: UnansweredSecrets.Freed] {
    var secrets = secrets
    var freed: [Stub.Key: UnansweredSecrets.Freed] = [:]
    let steps = steps[scenario.name.rawValue] ?? []
    let stubs = Dictionary(scenario.stubs.map { ($0.key, $0) }) { first, _ in first }
    var located: [Stub.Key: Set<String>] = [:]
    var begun: Set<Int> = []
    for step in steps { located[step.key, default: []].formUnion(step.given) }
    for step in steps {
      guard let stub = stubs[step.key] else { continue }
      if begun.insert(step.content).inserted { secrets.send(own[step.content] ?? []) }
      secrets.send(step.sent)
      if freed[step.key] == nil {
        freed[step.key] = secrets.freed(stub.request)
        // Short values are only replaced in the places of the stub.
        for response in stub.responses {
          secrets.give(response.placeholders().subtracting(located[step.key] ?? []))
        }
      }
      secrets.give(step.given)
    }
    // What somebody wrote has no order but that of the file.
    for stub in scenario.stubs where freed[stub.key] == nil {
      freed[stub.key] = secrets.freed(stub.request)
      for response in stub.responses { secrets.take(response) }
    }
    return freed
  }
}

extension Scenario {
  /// Leaves free what redaction took out of the requests, where the client had it before an answer gave it: one of a stub
  /// before, in the order of the recording if there is one, or one of the scenarios that are included.
  ///
  /// Stubs that ask for the same then become one, which gives their answers one after another.
  ///
  /// - Returns: The keys of the stubs with the places that were left free.
  package mutating func freeUnansweredSecrets(
    including included: [Scenario], recorded: RecordedSecrets
  ) -> [(key: Stub.Key, place: JSONPointer)] {
    var secrets = UnansweredSecrets()
    for response in included.flatMap(\.stubs).flatMap(\.responses) { secrets.take(response) }
    let freedPatterns = recorded.freed(self, secrets)
    var freedPlaces: [(key: Stub.Key, place: JSONPointer)] = []
    var kept: [Stub] = []
    var freedStubs: [RequestPattern: Int] = [:]
    for var stub in stubs {
      guard let freed = freedPatterns[stub.key], !freed.places.isEmpty else {
        kept.append(stub)
        continue
      }
      freedPlaces += freed.places.map { (stub.key, $0) }
      stub.request = freed.pattern
      if let index = freedStubs[stub.request], kept[index].canGoOn(with: stub) {
        kept[index].responses += stub.responses
      } else {
        freedStubs[stub.request] = kept.count
        kept.append(stub)
      }
    }
    // What was left free accepts more than before.
    if !freedPlaces.isEmpty {
      stubs = RequestOrder.sorted(kept, waiting: Set(freedStubs.values)) { $0.request }
    }
    return freedPlaces
  }
}

extension Stub {
  /// Whether the answers of another stub for the same requests can come after its own.
  fileprivate func canGoOn(with other: Stub) -> Bool {
    priority == other.priority && flow == nil && other.flow == nil && then == .repeatLast
      && other.then == .repeatLast && captures.isEmpty && other.captures.isEmpty
  }
}
