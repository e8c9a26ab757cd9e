import ArgumentParser
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel

/// The options of `add` and `set` that describe a scenario as a whole.
struct ScenarioOptions: ParsableArguments {
  @Option(
    name: .customLong("include"),
    help: ArgumentHelp(
      "Include this scenario, after the others; repeatable. CATALOG:SCENARIO is one of a catalog that stubdb.lock names.",
      valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioReference.argument)
  var includes: [ScenarioReference] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Give the scenario this tag; repeatable.", valueName: "tag"))
  var tags: [String] = []

  @Option(
    name: .customLong("scenario-summary"),
    help: ArgumentHelp("A line that says what the scenario is for.", valueName: "text"))
  var summary: String?

  var isEmpty: Bool { includes.isEmpty && tags.isEmpty && summary == nil }

  func validate() throws {
    try Self.requireTags(tags)
  }

  /// Throws for an invalid tag.
  static func requireTags(_ tags: [String]) throws {
    for tag in tags where tag.isEmpty || TerminalText.line(tag) != tag {
      throw ValidationError("A tag is not empty and has no control characters.")
    }
  }

  /// The change that the options ask for.
  var change: HeaderChange { HeaderChange(summary: summary, tags: tags, includes: includes) }
}

/// The options of `set` that remove properties of a scenario.
struct ScenarioRemovalOptions: ParsableArguments {
  @Option(
    name: .customLong("no-include"),
    help: ArgumentHelp("Stop including this scenario; repeatable.", valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioReference.argument)
  var includes: [ScenarioReference] = []

  var isEmpty: Bool { includes.isEmpty }
}

/// The options that describe a stub besides its request and its responses.
struct StubOptions: ParsableArguments {
  @Option(help: "Among stubs that match, the lowest number answers; a new stub has 5.")
  var priority: Int?

  @Flag(
    inversion: .prefixedNo,
    help: "Fail a test in which the stub answered nothing, or do not.")
  var required: Bool?

  @Option(
    help: ArgumentHelp(
      "What happens after the last response: "
        + "\(AfterLastResponse.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "what"),
    completion: .list(AfterLastResponse.allCases.map(\.rawValue)))
  var then: String?

  @Option(
    help: ArgumentHelp(
      "The day or the time at which the stub was recorded, as 2026-11-21 or 2026-11-21T09:30:00Z.",
      valueName: "time"))
  var recorded: String?

  @Flag(
    name: .customLong("then-response"),
    help: "Append the response to the stub's: it is given once the others are used up.")
  var isThenResponse = false

  /// Whether no option was given that changes more than the responses.
  var isEmpty: Bool { priority == nil && required == nil && then == nil && recorded == nil }

  func apply(to draft: inout StubDraft) {
    if let priority { draft.set("priority", to: .number(JSONNumber(priority))) }
    if let required { draft.set("required", to: .bool(required)) }
    if let then { draft.set("then", to: .string(then)) }
    if let recorded { draft.set("recorded", "at", to: .string(recorded)) }
  }
}

extension ScenarioTargets {
  /// Throws a `ValidationError` for words that no catalog makes sense of.
  static func validate(_ words: [String]) throws {
    try validateNames(words)
    guard let target = words.last, words.count > 1 else {
      throw ValidationError(
        "Give what there is and the new name, such as checkout/paid checkout/accepted.")
    }
    let sources = try words.dropLast().map(ScenarioSelection.init(argument:))
    if case .scenario(let name) = try ScenarioSelection(argument: target) {
      guard sources.count == 1, case .scenario = sources[0] else {
        throw ValidationError(
          "Several scenarios need an area to go to: end it with /, as \(name)/.")
      }
    }
  }

  /// Throws a `ValidationError` for the first word that is neither a scenario's name nor an area.
  static func validateNames(_ words: [String]) throws {
    for word in words {
      do {
        _ = try ScenarioSelection(argument: word)
      } catch {
        throw ValidationError("\(TerminalText.quoted(word)) is not a scenario name: \(error)")
      }
    }
  }
}
