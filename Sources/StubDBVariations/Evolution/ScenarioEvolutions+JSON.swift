package import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel

extension ScenarioEvolutions {
  /// All changes, and what is left alone, for programs; responses are counted from 1.
  package var json: OrderedJSON {
    .object([
      ("variations", .array(variations.compactMap(Self.json))),
      (
        "leftAlone",
        .array(
          leftAlone.map { answer, reason in
            .object(Self.members(answer.stub, answer.index) + [("reason", .string(reason))])
          })
      ),
      (
        "cut",
        .array(cuts.map { .object(Self.members($0.answer.stub, $0.answer.index) + $0.cut.members) })
      ),
    ])
  }

  private static func json(_ variation: Variation) -> OrderedJSON? {
    guard let evolution = variation.evolution, let stub = variation.stub else { return nil }
    return .object(
      [("variation", .string(variation.name))]
        + members(stub, variation.responseIndex ?? 0) + [
          ("change", .string(evolution.change.rawValue)), ("pointer", .string(variation.pointer)),
          ("reason", .string(evolution.shownReason)),
        ])
  }

  private static func members(_ stub: StubName, _ index: Int) -> [(String, OrderedJSON)] {
    [
      ("scenario", .string(stub.scenario?.rawValue)), ("key", .string(stub.key)),
      ("response", .integer(index + 1)),
    ]
  }
}

extension Evolution {
  /// The reason without tokens, which samples may have.
  package var shownReason: String { SecretDisplay.withoutTokens(reason) }
}

extension EvolutionCut {
  fileprivate var members: [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = [("limit", .string(limit.rawValue))]
    if limit == .elements { members.append(("pointer", .string("\(pointer)"))) }
    members.append(("kept", .integer(kept)))
    return members + (total.map { [("total", .integer($0))] } ?? [])
  }
}
