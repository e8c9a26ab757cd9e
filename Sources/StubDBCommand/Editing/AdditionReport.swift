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
    lines.append("Next: stubdb show \(firstNew.scenario)")
    if let request = Self.example(for: firstNew.stub.request) {
      lines.append("      stubdb match \(firstNew.scenario) \(request)")
    }
    lines.append("      in a test: @Test(.scenario(\"\(firstNew.scenario)\"))")
    return lines
  }

  /// A method and URL to try, where the pattern has plain ones.
  private static func example(for pattern: RequestPattern) -> String? {
    guard case .template(let path) = pattern.path, !path.contains("{"), !path.contains("*") else {
      return nil
    }
    let host: String
    switch pattern.host {
    case nil: host = "any.test"  // `match` asks for an absolute URL.
    case .equalTo(let text, _): host = text
    default: return nil
    }
    let port = pattern.port.map { ":\($0)" } ?? ""
    let url = "\(pattern.scheme ?? "https")://\(host)\(port)\(path)"
    return "\(pattern.methods.first ?? "GET") \(ShellQuoting.quote(url))"
  }
}
