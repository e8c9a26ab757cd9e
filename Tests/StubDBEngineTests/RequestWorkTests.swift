import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBEngine

/// The work on a request ends with the wait for it, and its memory is counted.
@Suite struct RequestWorkTests {
  private final class Memory: ContentMemory {
    let limit: Int
    let used = Locked(0)
    let most = Locked(0)

    init(limit: Int) { self.limit = limit }

    func take(byteCount: Int) -> Bool {
      let now = used.withLock { used -> Int? in
        guard used + byteCount <= limit else { return nil }
        used += byteCount
        return used
      }
      if let now { most.withLock { $0 = max($0, now) } }
      return now != nil
    }

    func giveBack(byteCount: Int) { used.withLock { $0 -= byteCount } }

    /// Runs once before the next work that takes its turn.
    let before = Locked<(@Sendable () -> Void)?>(nil)
    let turns = Locked(0)

    func inTurn<Result: Sendable>(_ work: () -> Result) -> Result {
      turns.withLock { $0 += 1 }
      let before = before.withLock { before in
        defer { before = nil }
        return before
      }
      before?()
      return work()
    }
  }

  private static let patterns = [
    #"{"matchesJsonPath": {"expression": "$..id", "equalTo": "x"}}"#,
    #"{"equalToJson": {"a": 1}}"#, #"{"matchesXPath": "//id"}"#, #"{"contains": "zzz"}"#,
  ]

  private func run(_ pattern: String) throws -> ScenarioRun {
    let document = """
      {"scenario": "a", "stubs": [
        {"key": "s", "request": {"path": "/body", "body": \(pattern)}},
        {"key": "t", "request": {"path": "/free"}}]}
      """
    return try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
  }

  private func post(_ path: String, _ text: String) -> StubRequest {
    StubRequest(method: "POST", url: path, body: .bytes(Data(text.utf8)))
  }

  private let large = "[" + String(repeating: "1,", count: 100_000) + "1]"

  @Test(arguments: patterns)
  func largeContentIsNotWorkedOnForAClientThatHasGone(pattern: String) throws {
    let run = try run(pattern)
    let work = RequestWork(memory: nil)
    work.cancel()
    #expect(run.respond(to: run.prepare(post("/body", large), work: work)) == nil)
    #expect(run.journal.isEmpty)
    // What takes no time counts, although nobody waits for the answer.
    #expect(run.respond(to: run.prepare(post("/body", "[]"), work: work)) != nil)
    #expect(run.respond(to: run.prepare(post("/free", large), work: work)) != nil)
    #expect(run.journal.count == 2)
  }

  @Test(arguments: patterns)
  func memoryIsCountedWhileTheFormsOfTheContentLive(pattern: String) throws {
    let run = try run(pattern)
    let memory = Memory(limit: 1 << 30)
    _ = run.respond(to: run.prepare(post("/body", large), work: RequestWork(memory: memory)))
    #expect(run.journal.count == 1)
    #expect(memory.most.withLock { $0 } >= large.utf8.count)
    #expect(run.journal[0].nearMisses.count == 2)
    #expect(memory.used.withLock { $0 } == 0)
  }

  @Test(arguments: patterns)
  func withoutMemoryNothingIsDecided(pattern: String) throws {
    let run = try run(pattern)
    let memory = Memory(limit: 100_000)
    let work = RequestWork(memory: memory)
    #expect(run.respond(to: run.prepare(post("/body", large), work: work)) == nil)
    #expect(work.lacksMemory && run.journal.isEmpty)
    #expect(memory.used.withLock { $0 } == 0)
  }

  @Test func largeRequestsAreExplainedInTheTurnOfTheirOwnServer() throws {
    let small = try run(#"{"contains": "zzz"}"#)
    let memories = [Memory(limit: 1 << 30), Memory(limit: 1 << 30)]
    let runs = try memories.map { memory in
      let run = try run(#"{"contains": "zzz"}"#)
      _ = run.respond(to: run.prepare(post("/body", large), work: RequestWork(memory: memory)))
      return run
    }
    _ = small.respond(
      to: small.prepare(post("/body", "[]"), work: RequestWork(memory: memories[0])))
    let told = Locked<[String]>([])
    memories[0].before.withLock { before in
      before = {
        // Neither a small request nor another server waits for this turn.
        for other in [small, runs[1]] {
          let text = other.report(on: other.journal[0]).text
          told.withLock { $0.append(text) }
        }
      }
    }
    #expect(runs[0].report(on: runs[0].journal[0]).nearMisses.count == 2)
    #expect(told.withLock { $0.count } == 2)
    #expect(memories.map { $0.turns.withLock { $0 } } == [1, 1])
    // A report that is known needs no turn.
    _ = runs[0].report(on: runs[0].journal[0])
    #expect(memories[0].turns.withLock { $0 } == 1)
  }

  @Test func eachByteAddsStepsUpToALimit() {
    var budget = WorkBudget(steps: 0)
    for _ in 0..<100 { budget.allow(byteCount: 1 << 20) }
    #expect(budget.left == WorkBudget.stepsPerByte * WorkBudget.mostBytes)
  }
}
