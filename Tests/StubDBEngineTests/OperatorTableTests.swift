import Foundation
import HTTPTypes
import StubDBContainment
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEngine

/// Properties of every operator and every part of a request in the tables of the model, including those added later.
@Suite struct OperatorTableTests {
  /// The captured values during a comparison.
  private static let progress: RunState.Progress = {
    var progress = RunState.Progress()
    progress.captured.keep("a", as: "id")
    return progress
  }()

  @Test(arguments: 0..<20)
  func explainsNothingExactlyIfItMatches(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let stubs = (0..<40).map { RandomPatterns.stub(key: "s\($0)", &random) }
    let compiled = try compiled(stubs)
    for _ in 0..<10 { compare(compiled, RandomPatterns.request(&random)) }
  }

  /// Whatever the run and the budget are: flows, used-up responses, stubs that hand the request on, captured values,
  /// and patterns that cannot be decided.
  @Test(arguments: 0..<8)
  func explainsNothingExactlyIfItAnswers(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let slow = try #require(HTTPField.Name("X-Slow"))
    let stubs = (0..<40).map { number in
      let undecidable = HeaderPattern(slow, .not(.matches("(a+)+b{\(number + 1)}")))
      // In every run one pattern is undecided for sure, and one stub waits for its flow.
      if number == 0 { return Stub(key: "s0", request: RequestPattern(headers: [undecidable])) }
      if number == 1 { return Stub(key: "s1", flow: FlowStep(name: "order", requires: "paid")) }
      var stub = RandomPatterns.stub(key: "s\(number)", &random)
      if RandomPatterns.chance(40, &random) { stub.request = RequestPattern() }
      if RandomPatterns.chance(20, &random) {
        stub.request.captured = [NamedPattern("id", RandomPatterns.value(1, &random))]
      }
      if RandomPatterns.chance(5, &random) { stub.request.headers = [undecidable] }
      if RandomPatterns.chance(40, &random) {
        let requires = RandomPatterns.pick([nil, FlowStep.initialState, "paid"], &random)
        stub.flow = FlowStep(name: "order", requires: requires, becomes: "paid")
      }
      stub.responses[0].repeatCount = RandomPatterns.pick([1, 2], &random)
      stub.then = RandomPatterns.pick(AfterLastResponse.allCases, &random)
      return stub
    }
    let compiled = try compiled(stubs)
    var causes: Set<String> = []
    for round in 0..<12 {
      var request = RandomPatterns.request(&random)
      if round == 0 || RandomPatterns.chance(40, &random) {
        request.headers[slow] = String(repeating: "a", count: 60)
      }
      var progress = RunState.Progress()
      for rank in stubs.indices where RandomPatterns.chance(60, &random) {
        progress.given[rank] = RandomPatterns.pick([1, 2, 3], &random)
      }
      if RandomPatterns.chance(50, &random) { progress.states["order"] = "paid" }
      if let value = RandomPatterns.pick([nil, "a", "b"] as [JSONValue?], &random) {
        progress.captured.keep(value, as: "id")
      }
      let budget = WorkBudget(steps: round.isMultiple(of: 2) ? 0 : 20_000)
      let held = stubs.indices.filter { $0 > 0 && RandomPatterns.chance(20, &random) }
      causes.formUnion(compare(compiled, request, progress, budget, held: held))
    }
    #expect(causes == ["answers", "pattern", "undecided", "usedUp", "flow", "held"])
  }

  /// Compares every stub and returns the reasons why they answer or not, decided from the parts of each.
  private func compare(
    _ compiled: CompiledStubs, _ request: StubRequest, _ progress: RunState.Progress,
    _ budget: WorkBudget, held: [Int]
  ) -> Set<String> {
    let prepared = PreparedRequest(request, context: MatchContext(budget: budget))
    let search = NearMissSearch(
      stubs: compiled, request: prepared, progress: progress, held: held)
    var causes: Set<String> = []
    for rank in compiled.sources.indices {
      let stub = compiled.sources[rank].stub
      let scope = compiled.scope(rank, prepared, progress.captured)
      let verdict = Verdict.all(compiled.requests[rank].parts) { $0.verdict(prepared, scope, nil) }
      let given = progress.given[rank] ?? 0
      let isUsedUp = given >= stub.responses[0].repeatCount && [.fail, .next].contains(stub.then)
      let needed = stub.flow?.requires
      let isBlocked = needed.map { $0 != progress.states["order"] ?? "started" } ?? false
      let cause =
        switch (verdict, isUsedUp, isBlocked, held.contains(rank)) {
        case (false?, _, _, _): "pattern"
        case (nil, _, _, _): "undecided"
        case (true?, true, _, _): "usedUp"
        case (true?, false, true, _): "flow"
        case (true?, false, false, true): "held"
        case (true?, false, false, false): "answers"
        }
      let isMatch = compiled.matches(rank, prepared, captured: progress.captured)
      let comparison = search.comparison(rank)
      let isConsistent =
        isMatch == (verdict == true) && comparison.mismatches.isEmpty == (cause == "answers")
        && (comparison.distance == 0) == (cause == "answers") && comparison.distance <= 1
      if !isConsistent { Issue.record("\(cause): \(stub) and \(request)") }
      causes.insert(cause)
    }
    return causes
  }

  @Test(arguments: ValueOperator.allCases)
  func everyOperatorOfAValueMatchesAndExplains(known: ValueOperator) throws {
    var random = SeededRandom(seed: 1)
    let patterns = (0..<20).map { _ in RandomPatterns.value(known, 2, &random) }
    let inHeaders = patterns.map {
      RequestPattern(headers: [HeaderPattern(HTTPField.Name("X-A") ?? .accept, $0)])
    }
    let inBodies = patterns.map { RequestPattern(body: [.value($0)]) }
    try check(inHeaders + inBodies, verdicts: known == .anything ? [true] : [true, false], &random)
  }

  @Test(arguments: BodyPattern.operators.map { $0.name })
  func everyOperatorOfABodyMatchesAndExplains(name: String) throws {
    try #require(RandomPatterns.bodies[name] != nil, "RandomPatterns.bodies lacks \(name)")
    var random = SeededRandom(seed: 1)
    let patterns = (0..<20).map { _ in
      RequestPattern(body: [RandomPatterns.body(name, &random)])
    }
    try check(patterns, verdicts: [true, false], &random)
  }

  @Test func everyOperatorOfABodyCanBePlayed() {
    for known in BodyPattern.operators { #expect(known is any CompilableBody.Type, "\(known)") }
  }

  @Test(arguments: RequestPart.allCases)
  func everyPartOfARequestMatchesAndExplains(part: RequestPart) throws {
    let (_, ask) = try #require(RandomPatterns.parts[part], "RandomPatterns.parts lacks \(part)")
    var random = SeededRandom(seed: 1)
    let patterns = (0..<20).map { _ in
      var pattern = RequestPattern()
      ask(&pattern, &random)
      return pattern
    }
    try check(patterns, verdicts: [true, false], &random)

    var named: Set<String> = []
    let stubs = try compiled(patterns.enumerated().map { Stub(key: "\($0)", request: $1) })
    for _ in 0..<25 {
      let request = PreparedRequest(RandomPatterns.request(&random))
      let search = NearMissSearch(
        stubs: stubs, request: request, progress: Self.progress, held: [])
      for rank in stubs.sources.indices {
        named.formUnion(search.comparison(rank).mismatches.map(\.part.kind.rawValue))
      }
    }
    #expect(named.contains { $0 == part.word || part == .body }, "\(named)")
  }

  @Test(arguments: RequestPart.allCases)
  func everyPartOfARequestIsReadAndWritten(part: RequestPart) throws {
    let (_, ask) = try #require(RandomPatterns.parts[part], "RandomPatterns.parts lacks \(part)")
    var random = SeededRandom(seed: 2)
    for _ in 0..<20 {
      var pattern = RequestPattern()
      ask(&pattern, &random)
      guard pattern != RequestPattern() else { continue }
      let object = pattern.jsonObject
      #expect(object[part.rawValue] != nil)
      #expect(try RequestPattern(jsonObject: object, validation: .trusted).jsonObject == object)
      // Paths are compared elsewhere; no parameter is anything, too.
      let isOpen =
        part == .path || part == .query && pattern.query.allSatisfy { $0.pattern == .anything }
      #expect(isOpen || !part.accepts(in: pattern, allOf: RequestPattern()))
      #expect(part.accepts(in: RequestPattern(), allOf: pattern))
    }
  }

  /// Compares the patterns with many requests; an explanation is given exactly for those that do not match.
  private func check(
    _ patterns: [RequestPattern], verdicts expected: Set<Bool>, _ random: inout SeededRandom
  ) throws {
    let stubs = patterns.enumerated().map { Stub(key: "\($0)", request: $1) }
    let compiled = try compiled(stubs)
    var verdicts: Set<Bool> = []
    for _ in 0..<25 { verdicts.formUnion(compare(compiled, RandomPatterns.request(&random))) }
    verdicts.formUnion(compare(compiled, RandomPatterns.multipartRequest))
    #expect(verdicts == expected)
  }

  private func compiled(_ stubs: [Stub]) throws -> CompiledStubs {
    try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs)).stubs
  }

  @discardableResult
  private func compare(_ compiled: CompiledStubs, _ request: StubRequest) -> Set<Bool> {
    let prepared = PreparedRequest(request)
    let search = NearMissSearch(
      stubs: compiled, request: prepared, progress: Self.progress, held: [])
    var verdicts: Set<Bool> = []
    for rank in compiled.sources.indices {
      let isMatch = compiled.matches(rank, prepared, captured: Self.progress.captured)
      let comparison = search.comparison(rank)
      let pattern = compiled.sources[rank].stub.request
      let isConsistent =
        comparison.mismatches.isEmpty == isMatch && (comparison.distance == 0) == isMatch
        && comparison.distance <= 1
      if !isConsistent { Issue.record("\(pattern) and \(request)") }
      verdicts.insert(isMatch)
    }
    return verdicts
  }
}
