import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
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

  mutating func note(_ scenario: Scenario, replacing existing: Scenario?) {
    let stubs = Plural.of(scenario.stubs.count, "stub")
    done.append(
      existing == scenario
        ? "Nothing to change in \(scenario.name)"
        : "\(existing == nil ? "Added" : "Replaced") scenario \(scenario.name) (\(stubs))")
    warnings += HiddenStubs.notes(on: scenario)
    advice += scenario.stubs.flatMap(StubAdvice.lines)
    if existing == nil, firstNew == nil, let stub = scenario.stubs.first {
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
    advice += StubAdvice.lines(on: stub)
    warn(ofHider: hiddenBy)
  }

  private mutating func warn(ofHider stub: Stub?) {
    guard let stub else { return }
    warnings.append(
      "Warning: stub \(Self.shown(stub)) comes first and answers every such request, so this one "
        + "never answers.")
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
    warnings += HiddenStubs.notes(on: scenario, before: before, besides: stub.key.rawValue)
  }

  mutating func note(
    response number: Int, of stub: Stub, in scenario: ScenarioName, hiddenBy: Stub?
  ) {
    done.append("Added response \(number) to stub \(Self.shown(stub)) of \(scenario)")
    warn(ofHider: hiddenBy)
  }

  private static func shown(_ stub: Stub) -> String {
    TerminalText.line(SecretDisplay.text(stub.key.rawValue))
  }

  /// The changes, followed by the commands to type next.
  func lines(catalog: Catalog) -> [String] {
    let name = CatalogLocator.display(catalog.url)
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
    if let request = ExampleRequest(for: firstNew.stub.request),
      request.isAnswered(by: firstNew.stub.key, of: scenario, in: catalog)
    {
      lines.append("      " + command("match", on: request.place, request.options))
    }
    lines.append("      in a test: @Test(.scenario(\"\(scenario)\"))")
    return lines
  }
}

/// Finds stubs that never answer because of a change.
enum HiddenStubs {
  /// A line for each stub that another one hides since the change.
  static func notes(on scenario: Scenario, before: Scenario? = nil, besides key: String? = nil)
    -> [String]
  {
    let problems = ScenarioProblems.shadowed(in: scenario)
    if problems.isEmpty { return [] }
    let known = Set(before.map(ScenarioProblems.shadowed)?.compactMap(\.key) ?? []).union(
      key.map { [$0] } ?? [])
    return problems.compactMap { problem in
      guard let key = problem.key, !known.contains(key) else { return nil }
      return
        "Warning: stub \(TerminalText.line(key)) of \(scenario.name): \(TerminalText.line(problem.problem))."
    }
  }
}

/// Failures of `add`, with the commands to type instead.
enum AdditionError {
  static func keyExists(
    _ key: String, in scenario: ScenarioName, _ origin: Addition.Origin
  ) -> CommandError {
    var hints = [FollowUp.again("To put this one in its place", adding: "--replace")]
    if case .options = origin { hints.append("To keep both: --key with another name") }
    return CommandError(
      "scenario \(scenario) already has a stub \(TerminalText.quoted(SecretDisplay.text(key)))",
      hints: hints)
  }

  /// A stub that would never answer, because another stub always comes first.
  static func hidden(
    _ stub: Stub, by other: Stub, in scenario: ScenarioName, _ origin: Addition.Origin
  ) -> CommandError {
    let key = TerminalText.line(SecretDisplay.text(other.key.rawValue))
    let isSame = other.request == stub.request
    let reason =
      isSame
      ? "stub \(key) of \(scenario) already answers this request"
      : "stub \(key) of \(scenario) comes first and answers every such request, so this one never would"
    let priority = other.priority > 1 ? other.priority - 1 : nil
    guard case .options = origin else {
      let advice = priority.map { "give it \"priority\": \($0)" } ?? "remove the other one"
      return CommandError(
        "\(reason): stub \(TerminalText.line(SecretDisplay.text(stub.key.rawValue)))",
        hints: ["To let it answer first, \(advice)."])
    }
    var hints: [String] = []
    if isSame {
      // The request finds the other stub, which has another key; in its place this one answers in its turn only.
      let rank = other.priority == stub.priority ? [] : ["--priority", String(other.priority)]
      hints = [
        FollowUp.again(
          "To put this one in its place", adding: rank + ["--replace"],
          leavingOut: rank.isEmpty ? ["--key"] : ["--key", "--priority"]),
        FollowUp.again(
          "To answer the next such request with it", adding: ["--then-response"],
          leavingOut: ["--key", "--priority", "--replace"]),
      ]
    }
    if let priority {
      hints.append(
        FollowUp.again(
          "To let it answer first", adding: ["--priority", String(priority)],
          leavingOut: ["--priority"]))
    }
    return CommandError(reason, hints: hints)
  }

  /// A further response for a stub that does not exist.
  static func nothingToContinue(_ scenario: ScenarioName) -> CommandError {
    CommandError(
      "no stub of \(scenario) answers this request, so there is no stub to append a response to",
      hints: [
        "To add the first one: leave out --then-response",
        "To name a stub: --key KEY, without the options of the request",
      ])
  }

  /// An included scenario that does not exist; `isDocument` if a document includes it.
  static func missingInclude(
    _ name: ScenarioName, of scenario: ScenarioName, in catalog: Catalog,
    among names: [ScenarioName],
    isDocument: Bool
  ) -> CommandError {
    var hints: [String] = []
    if let near = names.map(\.rawValue).nearest(to: name.rawValue) {
      hints.append("Did you mean \(near)?")
    }
    let make = FollowUp.command(
      "add", on: [name.rawValue], ["--scenario-summary", "to be written"], catalog: catalog.url)
    if isDocument {
      hints.append("To add its document in the same command: one more --file")
    }
    return CommandError(
      "\(scenario) includes \(name), which \(CatalogLocator.display(catalog.url)) does not have",
      hints: hints + [
        "To make it first, without stubs: \(make)",
        FollowUp.again("Then again"),
      ])
  }
}
