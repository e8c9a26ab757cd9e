import Foundation
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

struct IncludeGraphTests {
  private func graph(_ includes: [String: [String]]) -> IncludeGraph<ScenarioName> {
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
        includes: $0.1.map(ScenarioReference.init(unchecked:)), stubCount: $0.2, digest: .zero,
        stubsDigest: .zero)
    }
    var counts = IncludedStubs(all)
    #expect(all.map { counts.count(of: $0) } == [6, 5, 3])
    var few = IncludedStubs(all, budget: 6)
    #expect(all.map { few.count(of: $0) } == [6, nil, nil])
  }

  /// Summaries of scenarios that each include the next, but for the last.
  private func chain(_ count: Int) -> [ScenarioSummary] {
    (0..<count).map { number in
      ScenarioSummary(
        name: ScenarioName(unchecked: "s\(number)"), summary: nil, tags: [],
        includes: number + 1 < count ? [ScenarioReference(unchecked: "s\(number + 1)")] : [],
        stubCount: 1, digest: .zero, stubsDigest: .zero)
    }
  }

  @Test(arguments: [false, true])
  func aChainIsCountedInAsManyStepsAsItHasScenarios(isReversed: Bool) {
    let chain = chain(2_000)
    var counts = IncludedStubs(chain, budget: 4_000)
    let order = isReversed ? Array(chain.reversed()) : chain
    #expect(
      order.map { counts.count(of: $0) } == (isReversed ? Array(0..<2_000) : (0..<2_000).reversed())
    )
    #expect(counts.budget >= 2_000)
  }

  /// Where a chain leads into a circle, its scenarios are not counted by those that they include.
  @Test func aChainIntoACircleIsCountedAsBefore() {
    let all = [
      ("a", ["b"], 1), ("b", ["c"], 2), ("c", ["b"], 4), ("d", ["a"], 8), ("e", ["c"], 16),
    ]
    .map {
      ScenarioSummary(
        name: ScenarioName(unchecked: $0.0), summary: nil, tags: [],
        includes: $0.1.map(ScenarioReference.init(unchecked:)), stubCount: $0.2, digest: .zero,
        stubsDigest: .zero)
    }
    var counts = IncludedStubs(all)
    #expect(all.map { counts.count(of: $0) } == [6, 4, 2, 7, 6])
  }

  @Test func scenariosThatCannotBePlayedAreLeftOutInOneWalk() throws {
    var steps = 0
    let includes = [
      "a": ["b"], "b": [], "c": ["target", "b"], "d": ["c"], "e": ["lost"], "f": ["e", "b"],
      "g": ["h"], "h": ["i"], "i": ["g"], "j": ["b", "h"], "target": ["b"],
    ]
    let graph = IncludeGraph<ScenarioName>(
      includes: {
        steps += 1
        return includes[$0.rawValue]?.map(ScenarioName.init(unchecked:))
      }, names: { [] })
    let names = includes.keys.sorted().map(ScenarioName.init(unchecked:))
    #expect(
      try graph.playable(names, without: try name("target")).map(\.rawValue) == ["a", "b"])
    #expect(steps <= 2 * includes.count + 1)
  }

  /// In a chain of scenarios, each has a stub for a request that the last answers for another origin.
  @Test func requestsOfSeveralOriginsAreFoundInLinearTime() throws {
    func rest(_ path: String) -> SharedOrigins.Rest {
      SharedOrigins.Rest(path: path, method: "GET", pattern: "")
    }
    func found(_ count: Int) -> (requests: [SharedRequest], steps: Int) {
      let chain = chain(count)
      var requests: [ScenarioName: [SharedOrigins.Rest: Set<String>]] = [:]
      for (number, scenario) in chain.enumerated() {
        requests[scenario.name] = [rest("/\(number)"): ["https://a.test"]]
      }
      requests[chain[count - 1].name] = Dictionary(
        uniqueKeysWithValues: (0..<count).map { (rest("/\($0)"), ["https://b.test"]) })
      var shared = SharedOrigins(
        requests: requests,
        includes: Dictionary(uniqueKeysWithValues: chain.map { ($0.name, $0.includes.ownNames) }))
      let budget = shared.budget
      return (shared.requests(), budget - shared.budget)
    }
    let (few, many) = (found(200), found(2_000))
    #expect(many.requests.count == 1_999)
    #expect(
      many.requests.first { $0.scenario.rawValue == "s7" }
        == SharedRequest(
          scenario: try name("s7"), request: "GET /10",
          origins: ["https://a.test", "https://b.test"]))
    #expect(many.steps <= 11 * few.steps)
  }

  @Test func requestsOfSeveralOriginsAreFoundBelowDiamondsAndCircles() throws {
    let rest = SharedOrigins.Rest(path: "/x", method: "", pattern: "")
    let own = ["left": "https://a.test", "right": "https://b.test", "same": "https://a.test"]
    let includes = [
      "top": ["left", "right"], "other": ["left", "same"], "one": ["two", "left"],
      "two": ["one", "right"], "left": [], "right": [], "same": [], "above": ["top", "other"],
    ]
    var shared = SharedOrigins(
      requests: Dictionary(
        uniqueKeysWithValues: includes.keys.map { name in
          (ScenarioName(unchecked: name), own[name].map { [rest: [$0]] } ?? [:])
        }),
      includes: Dictionary(
        uniqueKeysWithValues: includes.map {
          (ScenarioName(unchecked: $0), $1.map(ScenarioName.init(unchecked:)))
        }))
    let found = shared.requests()
    #expect(found.map(\.scenario.rawValue) == ["above", "one", "top"])
    #expect(Set(found.map(\.origins)) == [["https://a.test", "https://b.test"]])
    #expect(Set(found.map(\.request)) == ["/x"])
  }

  @Test func aChainOfAnyLengthIsWalked() throws {
    let last = 100_000
    let graph = IncludeGraph<ScenarioName>(
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
      let graph = IncludeGraph<ScenarioName>(
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
