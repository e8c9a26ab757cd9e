import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJobs
import StubDBModel
import StubDBSupport

/// Reports what `add` did.
struct AdditionReport {
  /// How many changes are listed one by one.
  private static let maximumLines = 20

  private var done: [String] = []
  /// Changes to scenarios besides their stubs, reported if nothing else is.
  private var headers: [String] = []
  private var warnings: [String] = []
  private var advice: [String] = []
  private var firstNew: (scenario: ScenarioName, stub: Stub)?

  init(_ changes: [AdditionChange]) {
    for change in changes {
      switch change {
      case .header(let name, let isNew, let isChanged):
        // The creation of a scenario is reported with its first stub.
        headers.append(
          isNew
            ? "Added scenario \(name) (0 stubs)"
            : isChanged ? "Changed \(name)" : "Nothing to change in \(name)")
      case .stub(let stub, let name, let replaced, let makesScenario, let hider):
        let new = makesScenario ? "new scenario " : ""
        done.append(
          replaced
            ? "Replaced stub \(Self.shown(stub)) of \(name)"
            : "Added stub \(Self.shown(stub)) to \(new)\(name)")
        if makesScenario, firstNew == nil { firstNew = (name, stub) }
        advice += StubAdvice.lines(on: stub).map(\.shown)
        warn(ofHider: hider)
      case .response(let stub, let name, let hider):
        done.append(
          "Added response \(stub.responses.count) to stub \(Self.shown(stub)) of \(name)")
        warn(ofHider: hider)
      case .written(let written):
        if written.isDocument { note(document: written) }
        warnings += HiddenStubView.lines(written.hidden)
      }
    }
  }

  private mutating func note(document written: WrittenScenario) {
    let scenario = written.after
    let stubs = Plural.of(scenario.stubs.count, "stub")
    done.append(
      written.before == scenario
        ? "Nothing to change in \(scenario.name)"
        : "\(written.before == nil ? "Added" : "Replaced") scenario \(scenario.name) (\(stubs))")
    advice += scenario.stubs.flatMap(StubAdvice.lines).map(\.shown)
    if written.before == nil, firstNew == nil, let stub = scenario.stubs.first {
      firstNew = (scenario.name, stub)
    }
  }

  private mutating func warn(ofHider stub: Stub?) {
    guard let stub else { return }
    warnings.append(
      "Warning: stub \(Self.shown(stub)) comes first and answers every such request, so this one "
        + "never answers.")
  }

  private static func shown(_ stub: Stub) -> String {
    TerminalText.line(SecretDisplay.text(stub.key.rawValue))
  }

  /// The changes, followed by the commands to type next.
  func lines(catalog: Catalog) -> [String] {
    let name = TerminalText.path(catalog.url)
    let done = done.isEmpty ? headers : done
    var lines = done.prefix(Self.maximumLines).map { "\($0) in \(name)." }
    lines += CutList.end(done.count - Self.maximumLines)
    lines += warnings + advice.prefix(Self.maximumLines)
    guard done.count == 1, warnings.isEmpty, let firstNew else { return lines }
    let scenario = firstNew.scenario
    func command(_ name: String, on arguments: [String], _ options: [String] = []) -> String {
      FollowUp.command(
        name, on: [scenario.rawValue] + arguments, options, catalog: catalog.url)
    }
    lines.append("Next: " + command("show", on: []))
    // Nothing but a server plays it.
    if firstNew.stub.responses.contains(where: \.isWebSocket) {
      lines.append("      " + command("serve", on: []))
      return lines
    }
    if let request = ExampleRequest(for: firstNew.stub.shownRequest),
      request.isAnswered(by: firstNew.stub.key, of: scenario, in: catalog)
    {
      lines.append("      " + command("match", on: request.place, request.options))
    }
    lines.append("      in a test: @Test(.scenario(\"\(scenario)\"))")
    return lines
  }
}

/// Stubs that never answer because of a change, as lines.
enum HiddenStubView {
  static func lines(_ problems: [CheckProblem]) -> [String] {
    problems.map { problem in
      "Warning: stub \(TerminalText.line(problem.key ?? "")) of \(problem.scenario?.rawValue ?? ""): "
        + "\(TerminalText.line(problem.problem))."
    }
  }
}
