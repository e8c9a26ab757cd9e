package import Foundation
internal import StubDBFormats
internal import StubDBJSON
package import StubDBJobs
package import StubDBModel
internal import StubDBSupport

// What went wrong in a review, and the commands that mend it.

extension PlayableDecisions.Refusal {
  /// What is wrong, and the commands that mend the stub or drop it.
  package func lines(of catalog: URL) -> [JobText] {
    let name = "\(scenario)/\(proposal)"
    return [
      "Warning: stub \(stub) of \(scenario) was not taken and waits, because it could not be played: \(place): \(reason)",
      "To edit it: \(command: "review", on: [name], ["--edit"], catalog: catalog)",
      "To drop it: \(command: ["review"] + CommandWords.option("--reject", name), catalog: catalog)",
    ]
  }
}

extension ReviewProof.Failure {
  /// The failure, and a command that mends it where one does.
  package func lines(in scenario: Scenario, of catalog: URL) -> [JobText] {
    let subject: JobText = "Warning: stub \(stub) of \(self.scenario): \("\(method) \(url)")"
    switch failure {
    case .unanswered: return ["\(subject) gets no answer."]
    case .otherAnswer(let key):
      let line: JobText = "\(subject) gets another answer, of the stub \(key)"
      let other = scenario.stubs.first { $0.key == key }
      let priority = other.flatMap { $0.priority > 1 ? $0.priority - 1 : nil }
      guard let difference else {
        guard key != stub, let priority else { return ["\(line)."] }
        return [
          "\(line).",
          "To let it answer first: \(setting(["--priority", "\(priority)"], in: catalog))",
        ]
      }
      let same: JobText =
        "\(line), which matches the same requests; --priority alone helps one of them only."
      guard let pattern = difference.pattern, let priority else {
        let edit: JobText = "\(command: "edit", on: [self.scenario.rawValue], catalog: catalog)"
        return [same, "To make one of them ask for more, or to put the answers on one: \(edit)"]
      }
      let options = ["--priority", "\(priority)", "--when", pattern.canonicalText]
      return [same, "To tell them apart: \(setting(options, in: catalog))"]
    }
  }

  private func setting(_ options: [String], in catalog: URL) -> JobText {
    "\(command: "set", on: [scenario.rawValue, stub.rawValue], options, catalog: catalog)"
  }
}

extension ReviewProof.Difference {
  /// The pattern of a request that has it; nil if none is known.
  fileprivate var pattern: JSONValue? {
    switch self {
    case .url(let url): .object(["url": .object(["equalTo": .string(url)])])
    case .content(let text): .object(["body": .object(["equalTo": .string(text)])])
    case .other: nil
    }
  }
}
