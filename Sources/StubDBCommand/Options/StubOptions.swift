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

  @Flag(
    name: .customLong("then-response"),
    help: "Append the response to the stub's: it is given once the others are used up.")
  var isThenResponse = false

  /// Whether no option was given that changes more than the responses.
  var isEmpty: Bool { priority == nil && required == nil && then == nil }

  /// Applies the options.
  func apply(to draft: inout StubDraft) {
    if let priority { draft.set("priority", to: .number(JSONNumber(priority))) }
    if let required { draft.set("required", to: .bool(required)) }
    if let then { draft.set("then", to: .string(then)) }
  }
}
