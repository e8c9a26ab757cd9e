import Foundation
import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBTemplates
import Testing

@testable import StubDBEngine

/// All work that a request causes is taken from one budget, whoever does it.
@Suite struct WorkBudgetTests {
  private let value = String(repeating: "a", count: 60)

  private func environment(_ context: MatchContext) -> AnswerEnvironment {
    AnswerEnvironment(
      request: PreparedRequest(StubRequest(url: "/"), context: context), path: nil,
      queries: CompiledQueries(), now: Date(timeIntervalSince1970: 0),
      generator: SeededGenerator(seed: 0))
  }

  @Test func manyExpressionsThatExplodeShareOneBudget() throws {
    let steps = 500 * BoundedRegex.stepCost
    let context = MatchContext(budget: WorkBudget(steps: steps))
    for number in 1...50 {
      let expression = try WholeValueRegex("(a+)+b{\(number)}")
      #expect(context.matches(value, expression) == nil)
      // Each has its allowance once, whatever is asked of it later.
      #expect(context.matches(value, expression) == nil)
    }
    let allowances = 50 * (WorkBudget.allowance + BoundedRegex.stepCost)
    #expect(context.budget.taken <= steps + allowances)
    #expect(context.budget.taken >= steps - 2 * WorkBudget.allowance)
  }

  @Test func aQueryLeavesLessForAnExpression() throws {
    let context = MatchContext(budget: WorkBudget(steps: 100_000))
    let query = try JSONPath("$[?count($..*) > 0]")
    let json = JSONValue.array((0..<2_000).map { .number(JSONNumber($0)) })
    #expect(context.visiting { query.values(in: json, visiting: &$0) } == nil)
    #expect(context.budget.left <= 50_000)
    let before = context.budget.taken
    #expect(context.matches(value, try WholeValueRegex("(a+)+b")) == nil)
    #expect(context.budget.taken - before <= 25_000 + BoundedRegex.stepCost)
  }

  @Test func templatesTakeTheirNodesFromTheBudget() throws {
    let context = MatchContext(budget: WorkBudget(steps: 20_000))
    let loop = try Template("{{#each (range 1 4)}}x{{/each}}")
    let text = try context.rendering(environment(context)) {
      (renderer) throws(TemplateError) in try renderer.text(loop)
    }
    #expect(text == "xxxx")
    #expect((5...20).contains(context.budget.taken))

    let long = try Template("{{#each (range 1 9000)}}{{this}}{{/each}}")
    #expect(throws: TemplateError.self) {
      try context.rendering(environment(context)) {
        (renderer) throws(TemplateError) in try renderer.text(long)
      }
    }
    #expect((9_000...11_000).contains(context.budget.taken))
  }

  @Test func aRequestThatUsedUpItsBudgetIsExplained() throws {
    let patterns = (1...40).map { number in
      Stub(
        key: "\(number)",
        request: RequestPattern(query: [NamedPattern("q", .matches("(a+)+b{\(number)}"))]))
    }
    let name = try #require(ScenarioName("a"))
    let run = try LoadedScenario(Scenario(name: name, stubs: patterns)).run()
    guard case .unmatched(let event) = run.respond(to: StubRequest(url: "/?q=\(value)")) else {
      Issue.record("a stub answers")
      return
    }
    #expect(event.nearMisses.count == 3)
    #expect(event.nearMisses[0].mismatches.map(\.actual).allSatisfy { $0.contains("too slow") })
  }

  @Test func whatIsPutBackWasNotTaken() {
    var budget = WorkBudget(steps: 1_000)
    #expect(budget.grant() == 500)
    budget.putBack(400)
    #expect((budget.left, budget.taken) == (900, 100))
    #expect(budget.grant(atMost: 10) == 10)
    budget.allow(byteCount: 5)
    #expect((budget.left, budget.taken) == (900, 110))
    // Half of nothing is nothing, but for those that have an allowance.
    var none = WorkBudget(steps: 0)
    #expect(none.grant() == 0)
    #expect(none.grant(atLeast: 7) == 7)
    #expect((none.left, none.taken) == (-7, 7))
  }
}
