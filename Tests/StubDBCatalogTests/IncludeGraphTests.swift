import Foundation
import StubDBModel
import Testing

@testable import StubDBCatalog

struct IncludeGraphTests {
  private func graph(_ includes: [String: [String]]) -> IncludeGraph {
    IncludeGraph(
      includes: { includes[$0.rawValue]?.map(ScenarioName.init(unchecked:)) },
      names: { includes.keys.sorted().map(ScenarioName.init(unchecked:)) })
  }

  @Test func includesAnswerDepthFirstAndOnce() throws {
    let graph = graph(["a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": [], "e": ["b"]])
    #expect(try graph.closure(of: try name("a")).map(\.rawValue) == ["b", "d", "c", "e"])
  }

  @Test func everyDanglingIncludeAndACircleOfEveryKnotIsNamed() throws {
    let graph = graph([
      "a": ["b"], "b": ["c", "lost"], "c": ["b"], "d": ["d"], "e": ["lost", "f"], "f": [],
    ])
    #expect(
      try graph.problems().map(\.message) == [
        "scenarios include each other in a circle: b -> c -> b",
        "the catalog has no scenario \"lost\", which is included: a -> b -> lost",
        "scenarios include each other in a circle: d -> d",
        "the catalog has no scenario \"lost\", which is included: e -> lost",
      ])
    #expect(throws: CatalogError.self) { try graph.closure(of: try name("a")) }
    #expect(try graph.closure(of: try name("f")).isEmpty)
  }

  @Test func aChainOfAnyLengthIsWalked() throws {
    let last = 100_000
    let graph = IncludeGraph(
      includes: { name in
        let number = Int(name.rawValue) ?? 0
        return [ScenarioName(unchecked: String(number < last ? number + 1 : 0))]
      }, names: { [ScenarioName(unchecked: "0")] })
    let problems = try graph.problems()
    #expect(problems.map(\.code) == [.includeCycle])
    #expect(problems.first?.message.hasSuffix("-> 99998 -> 99999 -> 100000 -> 0") == true)
  }
}
