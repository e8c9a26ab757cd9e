import StubDBCatalog
import StubDBEngine
import StubDBModel

/// Reports what `add` did.
struct AdditionReport {
  /// How many changes are listed one by one.
  private static let maximumLines = 20

  private var done: [String] = []
  /// Changes to scenarios besides their stubs, reported if nothing else is.
  private var headers: [String] = []
  private var warnings: [String] = []
  private var firstNew: (scenario: ScenarioName, stub: Stub)?

  mutating func note(_ scenario: Scenario, replaced: Bool) {
    let stubs = Counted.of(scenario.stubs.count, "stub")
    done.append("\(replaced ? "Replaced" : "Added") scenario \(scenario.name) (\(stubs))")
    warnings += HiddenStubs.notes(on: scenario)
    if !replaced, firstNew == nil, let stub = scenario.stubs.first {
      firstNew = (scenario.name, stub)
    }
  }

  mutating func note(
    _ stub: Stub, in scenario: ScenarioName, replaced: Bool, makesScenario: Bool, hiddenBy: Stub?
  ) {
    let new = makesScenario ? "new scenario " : ""
    done.append(
      replaced
        ? "Replaced stub \(Self.shown(stub)) of \(scenario)"
        : "Added stub \(Self.shown(stub)) to \(new)\(scenario)")
    if makesScenario, firstNew == nil { firstNew = (scenario, stub) }
    if let hiddenBy {
      warnings.append(
        "Stub \(Self.shown(hiddenBy)) comes first and answers every such request, so this one "
          + "never answers.")
    }
  }

  mutating func note(_ scenario: ScenarioName, isNew: Bool, isChanged: Bool) {
    // The creation of a scenario is reported with its first stub.
    headers.append(
      isNew
        ? "Added scenario \(scenario) (0 stubs)"
        : isChanged ? "Changed \(scenario)" : "Nothing to change in \(scenario)")
  }

  /// Records the stubs that the new one hides.
  mutating func note(hiddenIn scenario: Scenario, before: Scenario, by stub: Stub) {
    warnings += HiddenStubs.notes(on: scenario, before: before, besides: stub.key)
  }

  mutating func note(response number: Int, of stub: Stub, in scenario: ScenarioName) {
    done.append("Added response \(number) to stub \(Self.shown(stub)) of \(scenario)")
  }

  private static func shown(_ stub: Stub) -> String {
    Printable.line(SecretDisplay.text(stub.key))
  }

  /// The changes, followed by the commands to type next.
  func lines(catalog: Catalog) -> [String] {
    let name = CatalogLocator.display(catalog.url)
    let done = done.isEmpty ? headers : done
    var lines = done.prefix(Self.maximumLines).map { "\($0) in \(name)." }
    if done.count > Self.maximumLines {
      lines.append("... and \(done.count - Self.maximumLines) more.")
    }
    lines += warnings
    guard done.count == 1, warnings.isEmpty, let firstNew else { return lines }
    let scenario = firstNew.scenario
    lines.append("Next: " + FollowUp.command("show", scenario.rawValue, in: catalog))
    if let request = ExampleRequest(for: firstNew.stub.request),
      request.isAnswered(by: firstNew.stub.key, of: scenario, in: catalog)
    {
      let words = ["match", scenario.rawValue] + request.arguments
      lines.append("      " + FollowUp.command(words, catalog: catalog.url))
    }
    lines.append("      in a test: @Test(.scenario(\"\(scenario)\"))")
    return lines
  }
}
