import ArgumentParser
import StubDBModel

/// What `set` changes of a stub beside its request and its response, as options.
struct StubOptions: ParsableArguments {
  @Option(help: "Among stubs that match, the lowest number answers.")
  var priority: Int?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether a test in which the stub answered nothing fails its verification.")
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
      "Which response to change, from 1; needed where there are several.", valueName: "number"))
  var response: Int?

  /// Whether no option was given that changes something.
  var isEmpty: Bool { priority == nil && required == nil && then == nil }

  /// Sets what was given.
  func apply(to draft: inout StubDraft) {
    if let priority { draft.set("priority", to: .number(JSONNumber(priority))) }
    if let required { draft.set("required", to: .bool(required)) }
    if let then { draft.set("then", to: .string(then)) }
  }

  /// The number of the response to change, from 1.
  ///
  /// - Throws: ``UsageFailure`` where there is no such response, or the choice is not clear.
  func responseNumber(of stub: Stub) throws -> Int {
    let count = stub.responses.count
    guard let response else {
      if count == 1 { return 1 }
      throw UsageFailure(
        "Stub \(Printable.line(stub.key)) has \(count) responses; "
          + "say which one to change with --response 1 to \(count).")
    }
    guard (1...count).contains(response) else {
      throw UsageFailure(
        "Stub \(Printable.line(stub.key)) has \(Counted.of(count, "response")), "
          + "so there is no --response \(response).")
    }
    return response
  }
}
