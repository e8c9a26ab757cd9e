package import Foundation
internal import StubDBModel

/// The recorded requests that the stubs of an import are made of, in the order in which they were sent.
package struct RecordedSteps {
  /// A request with the stub that it became part of.
  struct Step {
    let content: Int
    let scenario: String
    let key: Stub.Key
    let call: RecordedCall
    /// The place of the answer among those of the stub; nil if the stub has another part of a sequence.
    let answer: Int?
  }

  private var steps: [Step] = []

  package init() {}

  /// Adds the requests of a stub; `content` is the number of the recording.
  mutating func add(_ stub: ImportedStub, key: Stub.Key, to scenario: String, content: Int) {
    let answers = stub.stub.responses.map(\.once)
    steps += stub.calls.map { call in
      Step(
        content: content, scenario: scenario, key: key, call: call,
        answer: answers.firstIndex(of: call.response.once))
    }
  }

  /// The requests of each scenario.
  var byScenario: [String: [Step]] { Dictionary(grouping: ordered, by: \.scenario) }

  /// Whether a scenario was made of recorded requests.
  func isRecorded(_ scenario: String) -> Bool { steps.contains { $0.scenario == scenario } }

  private var ordered: [Step] {
    steps.enumerated().sorted {
      let (one, other) = ($0.element, $1.element)
      return (one.content, one.call.exchange.number, one.call.order, $0.offset)
        < (other.content, other.call.exchange.number, other.call.order, $1.offset)
    }.map(\.element)
  }

  /// The placeholders in the requests and answers once their bytes are redacted; `numbers` are those that redaction gave
  /// to numbers.
  package func secrets(
    numbers: Set<String>, _ redacted: (Data) -> Data
  ) -> RecordedSecrets {
    RecordedSecrets(
      steps: ordered.map { step in
        RecordedSecrets.Step(
          content: step.content, scenario: step.scenario, key: step.key, answer: step.answer,
          sent: step.call.exchange.sentPlaceholders(redacted)
            .union(step.call.exchange.sentCredentials(redacted)),
          given: step.call.response.placeholders(redacted))
      }, numbers: numbers)
  }
}

extension StubResponse {
  /// The response, however often it comes.
  var once: StubResponse {
    var once = self
    once.repeatCount = 1
    return once
  }
}

extension [StubResponse] {
  /// The responses to requests one after another, equal neighbours as one: one response if all are equal.
  var asSequence: [StubResponse] {
    var list: [StubResponse] = []
    for response in self {
      let next = response.once
      if list.last?.once == next {
        list[list.count - 1].repeatCount += 1
      } else {
        list.append(next)
      }
    }
    if list.count == 1 { list[0].repeatCount = 1 }
    return list
  }
}
