import ArgumentParser
import StubDBModel

/// Which scenarios a scenario includes, as options.
struct IncludeOptions: ParsableArguments {
  @Option(
    name: .customLong("include"),
    help: ArgumentHelp(
      "Include this scenario, after the others; repeatable.", valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioName.argument)
  var added: [ScenarioName] = []

  @Option(
    name: .customLong("no-include"),
    help: ArgumentHelp("Include this scenario no longer; repeatable.", valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioName.argument)
  var removed: [ScenarioName] = []

  /// Whether no option was given.
  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// Changes the includes of a scenario.
  ///
  /// - Throws: ``CommandFailure`` where a scenario to be left out is not included.
  func apply(to scenario: inout Scenario) throws {
    if let missing = removed.first(where: { !scenario.includes.contains($0) }) {
      let names = scenario.includes.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        "\(scenario.name) does not include \(missing)",
        hints: [names.isEmpty ? "It includes nothing." : "It includes: \(names)"])
    }
    scenario.includes.removeAll(where: removed.contains)
    for name in added where !scenario.includes.contains(name) { scenario.includes.append(name) }
  }
}
