import Foundation
import StubDBDocuments
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

  @Test(arguments: [
    "{{jsonPath request.json '$..*' default='none'}}",
    "{{jsonRemove request.json '$..*'}}",
    "{{xPath request.body '//*' default='none'}}",
    "{{regexExtract request.body '(a+)+b' default='none'}}",
  ])
  func aQueryOfATemplateThatIsGivenUpFailsWhateverItsDefault(text: String) throws {
    let body = text.contains("xPath") ? "<a><b/></a>" : "[\"\(value)\"]"
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "k", responses: [StubResponse(body: .text(text), isTemplate: true)])
    let run = try LoadedScenario(Scenario(name: name, stubs: [stub])).run()
    let request = StubRequest(
      method: "POST", url: "/", body: .bytes(Data(body.utf8)))
    let prepared = PreparedRequest(request, context: MatchContext(budget: WorkBudget(steps: -400)))
    guard case .respond(let selection)? = run.respond(to: prepared) else {
      Issue.record("no stub answers")
      return
    }
    let userInfo = selection.response.error?.userInfo ?? [:]
    guard case .string(let message)? = userInfo["NSLocalizedDescription"] else {
      Issue.record("the template is filled in")
      return
    }
    #expect(message.contains("takes too long"), "\(message)")
  }

  @Test func anExpressionThatICUGivesUpIsNotWithoutMatch() throws {
    let expression = try #require(BoundedRegex("^(a|b)*$"))
    let long = String(repeating: "ab", count: 1_000_000)
    var limit = BoundedRegex.maximumCost
    let verdict = expression.isFound(in: long, visiting: &limit)
    #expect(verdict == nil)
    let matches = [long, "c", "ab"].map { expression.groups(in: $0, visiting: &limit) }
    #expect(matches == [.givenUp, .notFound, .found(["ab", "b"])])
  }

  @Test(arguments: ["GET", "POST"])
  func theQueryOfAGraphQLRequestIsTokenizedOnce(method: String) throws {
    let stubs = (0..<20).map { number in
      Stub(
        key: "\(number)",
        request: RequestPattern(body: [.graphQL(GraphQLPattern(query: "{ a\(number) }"))]))
    }
    let name = try #require(ScenarioName("a"))
    let compiled = try LoadedScenario(Scenario(name: name, stubs: stubs)).stubs
    let request =
      method == "GET"
      ? StubRequest(url: "/?query=%7Bb%20c%7D")
      : StubRequest(method: "POST", url: "/", body: .bytes(Data(#"{"query": "{b c}"}"#.utf8)))
    let context = MatchContext()
    let prepared = PreparedRequest(request, context: context)
    for rank in stubs.indices { #expect(!compiled.matches(rank, prepared)) }
    #expect(context.budget.taken == 4)
  }

  @Test func aQueryOfGraphQLWithTooManyTokensIsUndecided() throws {
    let query = "{" + String(repeating: "a ", count: WorkBudget.allowance) + "}"
    let pattern = RequestPattern(body: [.graphQL(GraphQLPattern(query: query))])
    let name = try #require(ScenarioName("a"))
    let compiled = try LoadedScenario(
      Scenario(name: name, stubs: [Stub(key: "k", request: pattern)])
    ).stubs
    let body = Data(JSONValue.object(["query": .string(query)]).canonicalText.utf8)
    let request = StubRequest(method: "POST", url: "/", body: .bytes(body))
    #expect(compiled.matches(0, PreparedRequest(request)))
    let context = MatchContext(budget: WorkBudget(steps: -WorkBudget.stepsPerByte * body.count))
    #expect(!compiled.matches(0, PreparedRequest(request, context: context)))
  }

  @Test(arguments: [
    ("/", "a=1&b=1", #"{"body": {"form": {"a": {"includes": ["1"]}, "b": "1"}, "isExact": true}}"#),
    ("/?a=1&b=1", "", #"{"query": {"a": {"includes": ["1"]}, "b": "1"}, "queryIsExact": true}"#),
  ])
  func eachFieldOfAnExactPatternIsOneStep(url: String, body: String, pattern: String) throws {
    let more = String(repeating: "&a=1", count: 2 * WorkBudget.allowance)
    let document = #"{"scenario": "a", "stubs": [{"key": "k", "request": \#(pattern)}]}"#
    let scenario = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8)))
    let request = StubRequest(
      method: "POST", url: body.isEmpty ? url + more : url,
      body: .bytes(Data((body.isEmpty ? "" : body + more).utf8)))
    let context = MatchContext()
    #expect(scenario.stubs.matches(0, PreparedRequest(request, context: context)))
    #expect(context.budget.taken == 2 + 2 * WorkBudget.allowance)
    // What takes too long to tell is not a match, and the report says why.
    let usedUp = WorkBudget(steps: -WorkBudget.stepsPerByte * more.utf8.count * 2)
    let late = PreparedRequest(request, context: MatchContext(budget: usedUp))
    #expect(!scenario.stubs.matches(0, late))
    let comparison = RequestComparison(scenario.stubs.requests[0], late, MatchScope(late.context))
    #expect(comparison.mismatches.count == 1)
    #expect(comparison.mismatches[0].actual.contains("to compare"), "\(comparison.mismatches)")
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
