import Foundation
import StubDBCatalog
import StubDBEditing
import StubDBEngine
import StubDBJobs
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
    var lines = result.refusals.prefix(limit).flatMap { $0.lines(of: catalog.url).map(\.shown) }
    if result.refusals.count > limit {
      let more = Plural.of(result.refusals.count - limit, "more stub")
      lines.append("Warning: \(more) not taken that could not be played.")
    }
    return lines
  }

  private var unanswered: [String] {
    var lines = result.unanswered.flatMap { item in
      switch item {
      case .request(let failure, let scenario):
        failure.lines(in: scenario, of: catalog.url).map(\.shown)
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

extension ReviewRefusal: RenderedError {
  var rendered: any Error {
    guard case .missingPlace(let stub) = self else { return error }
    return UsageError(
      "--free needs a place after the stub, such as \(TerminalText.line(stub)):/body/timestamp.")
  }
}
