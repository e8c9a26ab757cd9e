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

  @Test func includedStubsAreCountedOnceAndWithinABudget() {
    let all = [("a", ["b", "c"], 1), ("b", ["c"], 2), ("c", ["a", "lost"], 4)].map {
      ScenarioSummary(
        name: ScenarioName(unchecked: $0.0), summary: nil, tags: [],
        includes: $0.1.map(ScenarioName.init(unchecked:)), stubCount: $0.2, digest: Data(),
        stubsDigest: Data())
    }
    var counts = IncludedStubs(all)
    #expect(all.map { counts.count(of: $0) } == [6, 5, 3])
    var few = IncludedStubs(all, budget: 6)
    #expect(all.map { few.count(of: $0) } == [6, nil, nil])
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

  /// Every scenario includes the next, the first, and one that does not exist.
  @Test func theWorkGrowsWithTheIncludes() throws {
    func steps(_ count: Int) throws -> (steps: Int, problems: Int) {
      var steps = 0
      let names = (0..<count).map { ScenarioName(unchecked: String($0)) }
      let graph = IncludeGraph(
        includes: { name in
          steps += 1
          guard let number = Int(name.rawValue), number < count else { return nil }
          return [number + 1, 0, count + number].map { ScenarioName(unchecked: String($0)) }
        },
        names: {
          steps += count
          return names
        })
      let problems = try graph.problems().count
      return (steps, problems)
    }
    let (few, many) = (try steps(200), try steps(2_000))
    #expect(many.problems > 10 * few.problems - 20)
    #expect(many.steps <= 10 * few.steps)
  }
}
