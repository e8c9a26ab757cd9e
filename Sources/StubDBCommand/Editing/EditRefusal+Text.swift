import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBJobs
import StubDBModel
import StubDBSupport

extension Catalog {
  /// Edits the catalog; a refusal becomes an error with the commands to type instead.
  func changing<Value>(_ body: (inout CatalogEditor) throws -> Value) throws -> Value {
    do {
      return try edit(body)
    } catch let refusal as EditRefusal {
      throw refusal.rendered(of: self)
    }
  }
}

/// Where what is written was typed.
enum TypedOrigin {
  case options(StubDraft)
  /// A file, with the place of the scenario among those in it; nil if it holds stubs.
  case file(DocumentText, scenario: Int?)
}

extension EditRefusal {
  /// The refusal with the commands to type instead.
  func rendered(of catalog: Catalog, _ origin: TypedOrigin? = nil) -> any Error {
    switch self {
    case .noSuchScenario(let name, let names):
      return NameError.scenario(name, in: catalog, among: names)
    case .noSuchStub(let key, let scenario): return NameError.stub(key, in: scenario)
    case .nameTaken(let name): return NameError.taken(name, in: catalog)
    case .scenarioExists(let name):
      return CommandError(
        "scenario \(name) already exists",
        hints: [FollowUp.again("To put this document in its place", adding: "--replace")])
    case .stubExists(let key, let name): return stubExists(key, name, catalog, origin)
    case .unplayable(let problem, _): return Self.unplayable(problem, origin)
    case .hidden(let stub, let other, let name):
      return Self.hidden(stub, by: other, in: name, origin)
    case .missingInclude(let missing, let name, let names):
      return Self.missingInclude(missing, of: name, in: catalog, among: names, origin)
    case .lostIncludes(let names, let name):
      return CommandError(
        "\(name) includes \(names.map(\.rawValue).joined(separator: ", ")), which the catalog no longer has"
      )
    case .copyOfSameName(let name):
      return CommandError(
        "the copy of scenario \(name) has the same name",
        hints: [
          "To give it another one: "
            + FollowUp.command("copy", on: [name.rawValue, "\(name)-copy"], catalog: catalog.url)
        ])
    case .nothingToContinue, .otherRequest, .notIncluded, .noSuchTag, .changed, .secrets:
      return plain
    }
  }

  /// The refusals whose text depends on nothing else.
  private var plain: CommandError {
    switch self {
    case .nothingToContinue(let name):
      CommandError(
        "no stub of \(name) answers this request, so there is no stub to append a response to",
        hints: [
          "To add the first one: leave out --then-response",
          "To name a stub: --key KEY, without the options of the request",
        ])
    case .otherRequest(let key, let name):
      CommandError(
        "stub \(TerminalText.quoted(key.rawValue)) of \(name) answers another request",
        hints: ["Leave out the options of the request, or --key."])
    case .notIncluded(let missing, let scenario):
      CommandError(
        "\(scenario.name) does not include \(missing)",
        hints: [
          scenario.includes.isEmpty
            ? "It includes nothing."
            : "It includes: \(scenario.includes.map(\.rawValue).joined(separator: ", "))"
        ])
    case .noSuchTag(let tag, let scenarios): Self.noSuchTag(tag, of: scenarios)
    case .changed(let name):
      CommandError("\(name) was changed by another process while it was being edited")
    default: CommandError("\(self)")
    }
  }

  private static func noSuchTag(_ tag: String, of scenarios: [Scenario]) -> CommandError {
    let known = Set(scenarios.flatMap(\.tags)).sorted().joined(separator: ", ")
    let name =
      scenarios.count == 1
      ? "scenario \(scenarios[0].name) has no tag"
      : "none of the \(scenarios.count) scenarios has a tag"
    let whose = scenarios.count == 1 ? "It has" : "They have"
    return CommandError(
      "\(name) \(TerminalText.quoted(tag))",
      hints: [known.isEmpty ? "\(whose) no tags." : "\(whose): \(known)"])
  }

  private static func unplayable(
    _ problem: WriteCheck.Problem, _ origin: TypedOrigin?
  ) -> any Error {
    switch origin {
    case .options(let draft): draft.error(for: problem)
    case .file(let text, let scenario): text.error(for: problem, inScenario: scenario)
    case nil: CommandError("\(problem.pointer): \(problem.reason)")
    }
  }

  private func stubExists(
    _ key: Stub.Key, _ name: ScenarioName, _ catalog: Catalog, _ origin: TypedOrigin?
  ) -> CommandError {
    var hints: [String]
    switch origin {
    case nil:
      hints = [("To see it", "show"), ("To remove it first", "rm")].map {
        "\($0): "
          + FollowUp.command($1, on: [name.rawValue, key.rawValue], catalog: catalog.url)
      }
    case .options:
      hints = [
        FollowUp.again("To put this one in its place", adding: "--replace"),
        "To keep both: --key with another name",
      ]
    case .file: hints = [FollowUp.again("To put this one in its place", adding: "--replace")]
    }
    let shown = SecretDisplay.text(key.rawValue)
    return CommandError(
      "scenario \(name) already has a stub \(TerminalText.quoted(shown))", hints: hints)
  }

  /// A stub that would never answer, because another stub always comes first.
  private static func hidden(
    _ stub: Stub, by other: Stub, in scenario: ScenarioName, _ origin: TypedOrigin?
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

  /// An included scenario that does not exist.
  private static func missingInclude(
    _ name: ScenarioName, of scenario: ScenarioName, in catalog: Catalog,
    among names: [ScenarioName], _ origin: TypedOrigin?
  ) -> CommandError {
    var hints: [String] = []
    if let near = names.map(\.rawValue).nearest(to: name.rawValue) {
      hints.append("Did you mean \(near)?")
    }
    let make = FollowUp.command(
      "add", on: [name.rawValue], ["--scenario-summary", "to be written"], catalog: catalog.url)
    if case .file = origin {
      hints.append("To add its document in the same command: one more --file")
    }
    return CommandError(
      "\(scenario) includes \(name), which \(TerminalText.path(catalog.url)) does not have",
      hints: hints + [
        "To make it first, without stubs: \(make)",
        FollowUp.again("Then again"),
      ])
  }
}
