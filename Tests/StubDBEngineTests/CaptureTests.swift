import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBSupport
import Testing

@Suite struct CaptureTests {
  private func scenario(_ stubs: String) throws -> LoadedScenario {
    let text = #"{"scenario": "a/b", "stubs": [\#(stubs)]}"#
    return try LoadedScenario(ScenarioDocument.decode(Data(text.utf8)))
  }

  private func key(_ outcome: Outcome<Selection>?) -> String? {
    if case .respond(let selection) = outcome { selection.event.stubKey } else { nil }
  }

  /// Asks the run for its journal whenever a template is rendered: inside the run's lock, it would wait for ever.
  @Test func nothingIsRenderedInsideOfTheLock() throws {
    let held = Locked<ScenarioRun?>(nil)
    let run = try scenario(
      #"""
      {"key": "put", "request": {"path": "/put"}, "capture": {"at": {"template": "{{now}}"}}},
      {"key": "get", "request": {"path": "/{id}", "captured": {"at": {"matches": ".+"}}}}
      """#
    ).run(clock: {
      _ = held.withLock { $0 }?.journal
      return Date(timeIntervalSince1970: 0)
    })
    held.withLock { $0 = run }
    #expect(key(run.respond(to: StubRequest(url: "/get"))) == nil)
    #expect(key(run.respond(to: StubRequest(url: "/put"))) == "put")
    #expect(key(run.respond(to: StubRequest(url: "/get"))) == "get")
    held.withLock { $0 = nil }
  }

  /// Each request reads the value that the preceding one captured, and captures the next.
  @Test func noCaptureOfRequestsAtOnceIsLost() throws {
    let run = try scenario(
      #"""
      {"key": "first", "request": {"captured": {"n": false}}, "capture": {"n": {"template": "x"}}},
      {"key": "all", "request": {"path": "/all"}, "responses": [{"text": "{{size captured.n}}", "template": true}]},
      {"key": "next", "capture": {"n": {"template": "{{captured.n}}x"}}}
      """#
    ).run()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<25 { _ = run.respond(to: StubRequest(url: "/")) }
    }
    #expect(run.journal.filter { $0.stubKey == "first" }.count == 1)
    guard case .respond(let selection) = run.respond(to: StubRequest(url: "/all")) else {
      throw EngineTestFailure.notAnswered
    }
    #expect(selection.response.body == .text("100"))
  }

  @Test func aQueryOfACaptureVisitsOnlySoManyValues() throws {
    let run = try scenario(
      #"{"key": "put", "capture": {"x": {"jsonPath": "$..[?@..[?@..a]]"}}}"#
    ).run()
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let body = "[" + Array(repeating: deep, count: 40).joined(separator: ",") + "]"
    _ = run.respond(
      to: StubRequest(method: "POST", url: "/", body: .bytes(Data(body.utf8))))
    let problems = run.problems()
    #expect(problems.map(\.kind) == [.failedTemplate])
    #expect(problems.first?.message.contains("visits too many values") == true)
  }
}
