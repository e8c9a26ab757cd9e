import ArgumentParser
import StubDBJSON
import StubDBModel

/// The options that describe a stub besides its request and its responses.
struct StubOptions: ParsableArguments {
  @Option(help: "Among stubs that match, the lowest number answers (default: 5).")
  var priority: Int?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether verification fails a test in which the stub answered nothing.")
  var required: Bool?

  @Option(
    help: ArgumentHelp(
      "What happens after the last response: "
        + "\(Exhaustion.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "what"),
    completion: .list(Exhaustion.allCases.map(\.rawValue)))
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

  /// Applies the options.
  func apply(to draft: inout StubDraft) {
    if let priority { draft.set("priority", to: .number(JSONNumber(priority))) }
    if let required { draft.set("required", to: .bool(required)) }
    if let then { draft.set("then", to: .string(then)) }
    if let recorded { draft.set("recorded", "at", to: .string(recorded)) }
  }
}
