import StubDBCatalog
import StubDBModel

/// What `add` did, for people.
struct AdditionReport {
  /// How much of what was done is told line by line.
  private static let maximumLines = 20

  private var done: [String] = []
  private var warnings: [String] = []
  private var firstNew: (scenario: ScenarioName, stub: Stub)?

  mutating func note(_ scenario: Scenario, replaced: Bool) {
    let stubs = Counted.of(scenario.stubs.count, "stub")
    done.append("\(replaced ? "Replaced" : "Added") scenario \(scenario.name) (\(stubs))")
    if !replaced, firstNew == nil, let stub = scenario.stubs.first {
      firstNew = (scenario.name, stub)
    }
  }

  mutating func note(
    _ stub: Stub, in scenario: ScenarioName, replaced: Bool, makesScenario: Bool, hiddenBy: String?
  ) {
    let new = makesScenario ? "new scenario " : ""
    done.append(
      replaced
        ? "Replaced stub \(Printable.line(stub.key)) of \(scenario)"
        : "Added stub \(Printable.line(stub.key)) to \(new)\(scenario)")
    if makesScenario, firstNew == nil { firstNew = (scenario, stub) }
    if let hiddenBy {
      warnings.append(
        "Stub \(Printable.line(hiddenBy)) has the same request and comes first, so this one never "
          + "answers. For a second answer: stubdb edit \(scenario)")
    }
  }

  /// What was done, then what to type next.
  func lines(catalog: Catalog) -> [String] {
    let name = CatalogLocator.display(catalog.url)
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
