package import StubDBJSON
package import StubDBModel

/// The placeholders in the recorded requests and answers of an import, in the order in which they were sent.
package struct RecordedSecrets {
  struct Step {
    let content: Int
    let scenario: String
    let key: Stub.Key
    /// The place of the answer among those of the stub; nil if the stub has it no more.
    let answer: Int?
    let sent: Set<String>
    let given: Set<String>
  }

  /// The steps of each scenario.
  private let steps: [String: [Step]]
  /// What is the client's own in each recording, in whichever scenario it was sent first.
  private let own: [Int: Set<String>]
  /// The placeholders that redaction gave to numbers.
  fileprivate let numbers: Set<String>

  init(steps: [Step], numbers: Set<String>) {
    self.numbers = numbers
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
      if begun.insert(step.content).inserted { secrets.owners.send(own[step.content] ?? []) }
      secrets.owners.send(step.sent)
      if freed[step.key] == nil {
        freed[step.key] = secrets.freed(stub.request)
        // Short values are only replaced in the places of the stub.
        for response in stub.responses {
          secrets.owners.give(response.placeholders().subtracting(located[step.key] ?? []))
        }
      }
      secrets.owners.give(step.given)
    }
    // What was written by hand has no order but that of the file.
    for stub in scenario.stubs where freed[stub.key] == nil {
      freed[stub.key] = secrets.freed(stub.request)
      for response in stub.responses { secrets.take(response) }
    }
    return freed
  }

  /// The answers of stubs of a scenario to requests that are the same, in the order of the recording.
  fileprivate func responses(of stubs: [Stub], in scenario: ScenarioName) -> [StubResponse] {
    let named = Dictionary(stubs.map { ($0.key, $0.responses) }) { first, _ in first }
    let steps = (steps[scenario.rawValue] ?? []).filter { named[$0.key] != nil }
    guard Set(steps.map(\.key)).count == named.count else {
      // What was written by hand has no order but that of the file.
      return stubs.flatMap(\.responses)
    }
    return steps.compactMap { step in
      named[step.key].flatMap { responses in step.answer.map { responses[$0] } }
    }.asSequence
  }
}

/// What was left free in a scenario.
package struct FreedSecrets {
  /// The keys of the stubs with the places that were left free.
  package fileprivate(set) var places: [(key: Stub.Key, place: JSONPointer)] = []
  /// The keys of stubs that became part of another one, with the key of that.
  package fileprivate(set) var joined: [Stub.Key: Stub.Key] = [:]
}

extension Scenario {
  /// Leaves free what redaction took out of the requests, where the client had it before an answer gave it: one of a stub
  /// before, in the order of the recording if there is one, or one of the scenarios that are included.
  ///
  /// Stubs that ask for the same then become one, which gives their answers in the order of the recording.
  package mutating func freeUnansweredSecrets(
    including included: [Scenario], recorded: RecordedSecrets
  ) -> FreedSecrets {
    var secrets = UnansweredSecrets(numbers: recorded.numbers)
    for response in included.flatMap(\.stubs).flatMap(\.responses) { secrets.take(response) }
    let freedPatterns = recorded.freed(self, secrets)
    var result = FreedSecrets()
    var kept: [[Stub]] = []
    var freedStubs: [RequestPattern: Int] = [:]
    for var stub in stubs {
      guard let freed = freedPatterns[stub.key], !freed.places.isEmpty else {
        kept.append([stub])
        continue
      }
      result.places += freed.places.map { (stub.key, $0) }
      stub.request = freed.pattern
      if let index = freedStubs[stub.request], kept[index][0].canGoOn(with: stub) {
        result.joined[stub.key] = kept[index][0].key
        kept[index].append(stub)
      } else {
        freedStubs[stub.request] = kept.count
        kept.append([stub])
      }
    }
    guard !result.places.isEmpty else { return result }
    let settled = kept.map { same in
      var stub = same[0]
      if same.count > 1 { stub.responses = recorded.responses(of: same, in: name) }
      return stub
    }
    // What was left free accepts more than before.
    stubs = RequestOrder.sorted(settled, waiting: Set(freedStubs.values)) { $0.request }
    return result
  }
}

extension Stub {
  /// Whether the answers of another stub for the same requests can come after its own.
  fileprivate func canGoOn(with other: Stub) -> Bool {
    priority == other.priority && flow == nil && other.flow == nil && then == other.then
      && [.repeatLast, .fail].contains(then) && captures.isEmpty && other.captures.isEmpty
  }
}
