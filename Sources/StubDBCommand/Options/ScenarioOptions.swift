import ArgumentParser
import StubDBModel

/// What `add` and `set` say of a scenario as a whole, as options.
struct ScenarioOptions: ParsableArguments {
  @Option(
    name: .customLong("include"),
    help: ArgumentHelp(
      "Include this scenario, after the others; repeatable.", valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioName.argument)
  var includes: [ScenarioName] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Give the scenario this tag; repeatable.", valueName: "tag"))
  var tags: [String] = []

  @Option(
    name: .customLong("scenario-summary"),
    help: ArgumentHelp("A line that says what the scenario is for.", valueName: "text"))
  var summary: String?

  /// Whether no option was given.
  var isEmpty: Bool { includes.isEmpty && tags.isEmpty && summary == nil }

  func validate() throws {
    try Self.requireTags(tags)
  }

  /// Refuses what cannot be a tag.
  static func requireTags(_ tags: [String]) throws {
    for tag in tags where tag.isEmpty || Printable.line(tag) != tag {
      throw ValidationError("A tag is not empty and has no control characters.")
    }
  }

  /// Changes a scenario; an empty summary removes it.
  func apply(to scenario: inout Scenario) {
    for name in includes where !scenario.includes.contains(name) { scenario.includes.append(name) }
    scenario.tags = Set(scenario.tags).union(tags).sorted()
    if let summary { scenario.summary = summary.isEmpty ? nil : summary }
  }
}

/// What `set` takes away from a scenario, as options.
struct ScenarioRemovalOptions: ParsableArguments {
  @Option(
    name: .customLong("no-include"),
    help: ArgumentHelp("Include this scenario no longer; repeatable.", valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioName.argument)
  var includes: [ScenarioName] = []

  /// Whether no option was given.
  var isEmpty: Bool { includes.isEmpty }

  /// Changes a scenario.
  ///
  /// - Throws: ``CommandFailure`` where a scenario to be left out is not included.
  func apply(to scenario: inout Scenario) throws {
    if let missing = includes.first(where: { !scenario.includes.contains($0) }) {
      let names = scenario.includes.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        "\(scenario.name) does not include \(missing)",
        hints: [names.isEmpty ? "It includes nothing." : "It includes: \(names)"])
    }
    scenario.includes.removeAll(where: includes.contains)
  }
}
