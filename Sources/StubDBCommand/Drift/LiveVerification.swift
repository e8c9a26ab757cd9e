import ArgumentParser
import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDrift
import StubDBFormats
import StubDBJSON
import StubDBModel

/// Asks a real server what stubs answer, and compares the answers by their shape.
struct LiveVerification {
  let catalog: Catalog
  let command: RootCommand.Verify

  func run() throws {
    var file = try DriftFile(at: command.exceptionsPath, beside: catalog.url)
    let plan = try plan()
    try confirm(plan)
    var report = ShapeReport()
    report.showsValues = command.showValues
    report.skipped = plan.skipped
    let update = command.update ? try LiveUpdate(catalog) : nil
    let failures = try ask(plan, &report) { answer, question, comparison in
      let differs = comparison.differences.contains { difference in
        !file.accepts(question.place(of: difference))
      }
      update?.take(answer, to: question, differs: differs)
    }
    let all = report.differences
    if let reason = command.accept {
      let places = all.filter { $0.difference.level > .note }.map(\.place)
      try file.accept(places, reason: reason)
    }
    report.differences = all.filter { !file.accepts($0.place) }
    if command.json {
      try Console.write(report.json.text)
    } else {
      try Console.write(report.text)
      report.noteGaps()
    }
    try update?.finish()
    try finish(
      report, asked: plan.questions.count - failures, failures: failures,
      excepted: all.count - report.differences.count, file)
  }

  /// Ends the command with what its exit code says.
  private func finish(
    _ report: ShapeReport, asked: Int, failures: Int, excepted: Int, _ file: DriftFile
  ) throws {
    if !command.json {
      var parts: [String] = []
      if asked > 0 { parts.append("\(Plural.of(asked, "request")): \(report.counts)") }
      if asked + failures == 0 { parts.append("Nothing was asked") }
      if failures > 0 { parts.append("\(Plural.of(failures, "request")) got no answer") }
      if excepted > 0 { parts.append("\(excepted) excepted in \(file.name)") }
      if !report.inconclusive.isEmpty { parts.append("\(report.inconclusive.count) inconclusive") }
      let skipped = report.skipped.count - report.failed
      if skipped > 0 { parts.append("\(skipped) skipped") }
      Console.note(parts.joined(separator: "; ") + ".")
    }
    if report.differences.contains(where: { isFailure($0.difference.level) }) { throw ExitCode(2) }
    if failures > 0 { throw ExitCode(1) }
    guard asked > 0 else { throw CommandError("no stub gives a request that could be sent") }
  }

  private func isFailure(_ level: ShapeDifference.Level) -> Bool {
    level >= (command.strict ? .warning : .error)
  }

  // MARK: Requests

  private func plan() throws -> LivePlan {
    let selections = command.scenarios.isEmpty ? [.below("")] : command.scenarios
    let scenarios = try catalog.selected(selections, for: "verify")
    let options = try command.liveOptions()
    do throws(FormatError) {
      return LivePlan(try ExportContent(scenarios), options: options)
    } catch {
      throw CommandError(error.description)
    }
  }

  /// Says which requests may change something, and asks on a terminal.
  private func confirm(_ plan: LivePlan) throws {
    let risky = plan.questions.filter(\.mayChange)
    guard !risky.isEmpty else { return }
    Console.note(
      "\(Style.notes.yellow("Warning:")) these requests may change what the server keeps:")
    for question in risky {
      Console.note("  \(question.request.method) \(TerminalText.line(question.shownURL))")
    }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
    if !Console.confirm("Send them?") { throw CommandError("nothing was sent") }
  }

  /// What became of a request.
  private enum Outcome {
    case compared(ShapeComparison)
    case failed(String)
  }

  /// Sends the requests and compares the answers; returns how many got none.
  private func ask(
    _ plan: LivePlan, _ report: inout ShapeReport,
    _ take: (LiveAnswer, LivePlan.Question, ShapeComparison) -> Void
  ) throws -> Int {
    guard !plan.questions.isEmpty else { return 0 }
    var work = LiveRequests(plan.questions.map(\.request))
    work.delay = command.delay?.milliseconds ?? work.delay
    work.timeout = command.timeout?.milliseconds ?? work.timeout
    let known = try KnownShapes(of: Set(plan.questions.compactMap(\.operation)), in: catalog)
    let risky = Set(plan.questions.indices.filter { plan.questions[$0].mayChange })
    var outcomes: [Int: Outcome] = [:]
    // Of an answer only its shape is kept, unless the draft takes it.
    try FetchProgram().ask(work, once: risky) { answer in
      let question = plan.questions[answer.index]
      outcomes[answer.index] =
        if let problem = answer.problem {
          .failed(problem)
        } else {
          .compared(compared(answer, question, known))
        }
      if case .compared(let comparison)? = outcomes[answer.index] {
        take(answer, question, comparison)
      }
    }
    var failures = 0
    for (index, question) in plan.questions.enumerated() {
      switch outcomes[index] {
      case .compared(let comparison)?: report.add(comparison, of: question.scenario, question.key)
      case .failed(let problem)?:
        failures += 1
        report.failed += 1
        report.skipped.append(
          LivePlan.Skipped(
            scenario: question.scenario, key: question.key,
            reason: "it could not be asked, \(problem)"))
      case nil: failures += 1
      }
    }
    return failures
  }

  private func compared(
    _ answer: LiveAnswer, _ question: LivePlan.Question, _ known: KnownShapes
  ) -> ShapeComparison {
    let stored = AnswerShape(question.stored)
    var comparison = ShapeComparison(rules: command.rules)
    comparison.compare(
      stored, AnswerShape(answer.sampled(isHead: question.request.method == "HEAD")),
      known: question.operation.flatMap { known.shape(of: $0, status: stored.status) })
    return comparison
  }
}

extension LivePlan.Question {
  /// The URL without its query, which may hold secrets.
  fileprivate var shownURL: String { String(request.url.prefix { $0 != "?" }) }

  fileprivate func place(of difference: ShapeDifference) -> DriftPlace {
    DriftPlace(
      scenario: scenario.rawValue, key: key.rawValue, pointer: difference.pointer.description,
      id: difference.id.rawValue)
  }
}

extension KnownShapes {
  /// What a whole catalog has for some operations.
  init(of operations: Set<String>, in catalog: Catalog) throws {
    self.init()
    guard !operations.isEmpty else { return }
    for summary in try catalog.scenarios() {
      let scenario = try catalog.existing(summary.name)
      for stub in scenario.stubs {
        guard case .template(let path)? = stub.request.path else { continue }
        let operation = ShapeDifference.operation(
          stub.request.methods.first?.rawValue ?? "GET", path: path)
        guard operations.contains(operation) else { continue }
        for response in stub.responses where !response.isTemplate {
          guard let body = response.body, let bytes = body.bytes else { continue }
          var headers = response.headers
          if headers[.contentType] == nil, body.kind == .json {
            headers[.contentType] = "application/json"
          }
          add(
            AnswerShape(
              SampledAnswer(status: response.status, headers: headers, content: bytes)),
            of: operation)
        }
      }
    }
  }
}
