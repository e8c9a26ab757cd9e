import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBSupport

/// What a review wrote, as lines.
struct ReviewReport {
  let result: ReviewResult
  let catalog: Catalog

  var lines: [String] {
    sums + HiddenStubView.lines(result.hidden) + refusals + unanswered
  }

  private var sums: [String] {
    let name = TerminalText.path(catalog.url)
    var lines: [String] = []
    if result.taken + result.dropped > 0 {
      lines.append(
        "Took \(Plural.of(result.taken, "stub")) into \(name), dropped \(result.dropped).")
    } else if result.failedRunCount == 0 {
      lines.append("Nothing was taken into \(name), and nothing was dropped.")
    }
    if result.failedRunCount > 0 {
      lines.append("Dropped \(Plural.of(result.failedRunCount, "run")) of failed tests.")
    }
    return lines
  }

  /// Lines for the stubs that wait because they could not be played.
  private var refusals: [String] {
    let limit = ReviewWriter.maximumFailureCount
    var lines = result.refusals.prefix(limit).flatMap { $0.lines(of: catalog) }
    if result.refusals.count > limit {
      let more = Plural.of(result.refusals.count - limit, "more stub")
      lines.append("Warning: \(more) not taken that could not be played.")
    }
    return lines
  }

  private var unanswered: [String] {
    var lines = result.unanswered.flatMap { item in
      switch item {
      case .request(let failure, let scenario): failure.lines(in: scenario, of: catalog)
      case .scenario(let name, let error):
        [
          "Warning: \(name) cannot be played, so nothing shows whether the requests that were taken get "
            + "their answers: \(TerminalText.line(error.message))",
          "To see what is to be mended: "
            + FollowUp.command("check", on: [name.rawValue], catalog: catalog.url),
        ]
      }
    }
    if result.furtherUnansweredCount > 0 {
      let more = Plural.of(result.furtherUnansweredCount, "more request")
      lines.append("Warning: \(more) without the recorded answer.")
    }
    return lines
  }
}

extension PlayableDecisions.Refusal {
  /// What is wrong, and the commands that mend the stub or drop it.
  func lines(of catalog: Catalog) -> [String] {
    let name = "\(scenario)/\(proposal)"
    return [
      "Warning: stub \(TerminalText.line(stub.rawValue)) of \(scenario) was not taken and waits, "
        + "because it could not be played: \(place): \(TerminalText.line(reason))",
      "To edit it: " + FollowUp.command("review", on: [name], ["--edit"], catalog: catalog.url),
      "To drop it: "
        + FollowUp.command(
          ["review"] + CommandWords.option("--reject", name), catalog: catalog.url),
    ]
  }
}

extension ReviewProof.Failure {
  /// The failure, and a command that mends it where one does.
  func lines(in scenario: Scenario, of catalog: Catalog) -> [String] {
    let request = TerminalText.line("\(method) \(url)")
    let own = TerminalText.line(stub.rawValue)
    switch failure {
    case .unanswered:
      return ["Warning: stub \(own) of \(self.scenario): \(request) gets no answer."]
    case .otherAnswer(let key):
      let line =
        "Warning: stub \(own) of \(self.scenario): \(request) gets another answer, of the stub "
        + TerminalText.line(key.rawValue)
      let other = scenario.stubs.first { $0.key == key }
      let priority = other.flatMap { $0.priority > 1 ? $0.priority - 1 : nil }
      guard let difference else {
        guard key != stub, let priority else { return [line + "."] }
        return [
          line + ".",
          "To let it answer first: " + command(["--priority", "\(priority)"], of: catalog),
        ]
      }
      let same =
        line + ", which matches the same requests; --priority alone helps one of them only."
      guard let pattern = difference.pattern, let priority else {
        let edit = FollowUp.command("edit", on: [self.scenario.rawValue], catalog: catalog.url)
        return [same, "To make one of them ask for more, or to put the answers on one: \(edit)"]
      }
      let options = ["--priority", "\(priority)", "--when", pattern.canonicalText]
      return [same, "To tell them apart: " + command(options, of: catalog)]
    }
  }

  private func command(_ options: [String], of catalog: Catalog) -> String {
    FollowUp.command(
      "set", on: [scenario.rawValue, stub.rawValue], options, catalog: catalog.url)
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

extension ReviewRefusal: RenderedError {
  var rendered: any Error {
    guard case .missingPlace(let stub) = self else { return error }
    return UsageError(
      "--free needs a place after the stub, such as \(TerminalText.line(stub)):/body/timestamp.")
  }
}
