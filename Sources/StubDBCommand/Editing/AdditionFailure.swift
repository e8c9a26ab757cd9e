import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Failures of `add`, with the commands to type instead.
enum AdditionFailure {
  static func keyExists(
    _ key: String, in scenario: ScenarioName, _ origin: Addition.Origin
  ) -> CommandFailure {
    var hints = [FollowUp.again("To put this one in its place", adding: "--replace")]
    if case .options = origin { hints.append("To keep both: --key with another name") }
    return CommandFailure(
      "scenario \(scenario) already has a stub \(Printable.quoted(SecretDisplay.text(key)))",
      hints: hints)
  }

  /// A stub that would never answer, because another stub always comes first.
  static func hidden(
    _ stub: Stub, by other: Stub, in scenario: ScenarioName, _ origin: Addition.Origin
  ) -> CommandFailure {
    let key = Printable.line(SecretDisplay.text(other.key))
    let isSame = other.request == stub.request
    let reason =
      isSame
      ? "stub \(key) of \(scenario) already answers this request"
      : "stub \(key) of \(scenario) comes first and answers every such request, so this one never would"
    let priority = other.priority > 1 ? other.priority - 1 : nil
    guard case .options = origin else {
      let advice = priority.map { "give it \"priority\": \($0)" } ?? "remove the other one"
      return CommandFailure(
        "\(reason): stub \(Printable.line(SecretDisplay.text(stub.key)))",
        hints: ["To let it answer first, \(advice)."])
    }
    var hints: [String] = []
    if isSame {
      hints = [
        FollowUp.again("To put this one in its place", adding: "--replace"),
        FollowUp.again("To answer the next such request with it", adding: "--then-response"),
      ]
    }
    if let priority {
      hints.append(
        FollowUp.again("To let it answer first", adding: "--priority", String(priority)))
    }
    return CommandFailure(reason, hints: hints)
  }

  /// A further response for a stub that does not exist.
  static func nothingToContinue(_ scenario: ScenarioName) -> CommandFailure {
    CommandFailure(
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
  ) -> CommandFailure {
    var hints: [String] = []
    if let near = names.map(\.rawValue).nearest(to: name.rawValue) {
      hints.append("Did you mean \(near)?")
    }
    let make = FollowUp.command(
      "add", name.rawValue, "--scenario-summary", "to be written", in: catalog)
    if isDocument {
      hints.append("To add its document in the same command: one more --file")
    }
    return CommandFailure(
      "\(scenario) includes \(name), which \(CatalogLocator.display(catalog.url)) does not have",
      hints: hints + [
        "To make it first, without stubs: \(make)",
        FollowUp.again("Then again"),
      ])
  }
}
