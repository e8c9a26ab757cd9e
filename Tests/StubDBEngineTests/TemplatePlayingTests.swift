import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBSupport
import Testing

@Suite struct TemplatePlayingTests {
  private func scenario(_ stubs: String) throws -> LoadedScenario {
    let text = #"{"scenario": "a/b", "stubs": [\#(stubs)]}"#
    return try LoadedScenario(ScenarioDocument.decode(Data(text.utf8)))
  }

  private func text(_ run: ScenarioRun, _ url: String) throws -> String {
    guard case .respond(let selection) = run.respond(to: StubRequest(url: url)),
      let body = selection.response.body
    else { throw EngineTestFailure.notAnswered }
    return String(decoding: try run.scenario.body(of: body), as: UTF8.self)
  }

  @Test func chanceDependsOnSeedStubAndAnswerAlone() throws {
    let scenario = try scenario(
      #"""
      {"key": "a", "request": {"path": "/a"}, "responses": [{"text": "{{uuid}}", "template": true}]},
      {"key": "b", "responses": [{"text": "{{randomInt}}", "template": true}]}
      """#)
    let (first, second) = (scenario.run(seed: 3), scenario.run(seed: 3))
    let texts = [try text(first, "/a"), try text(first, "/b"), try text(first, "/a")]
    let b = try text(second, "/b")
    #expect([try text(second, "/a"), b, try text(second, "/a")] == texts)
    #expect(texts[0] != texts[2])
    #expect(try text(scenario.run(seed: 4), "/a") != texts[0])
  }

  @Test func nowIsWhatTheClockSays() throws {
    let scenario = try scenario(
      #"{"key": "a", "responses": [{"text": "{{now offset='1 days'}}", "template": true}]}"#)
    let run = scenario.run(clock: { Date(timeIntervalSince1970: 0) })
    #expect(try text(run, "/") == "1970-01-02T00:00:00Z")
  }

  @Test func aRequestHasOneTime() throws {
    let scenario = try scenario(
      #"""
      {"key": "keep", "request": {"path": "/keep"}, "capture": {"at/{{now}}": {"template": "{{now}}"}, "last": {"template": "{{now}}"}},
       "responses": [{"text": "{{captured.last}} {{now}}", "template": true}]},
      {"key": "get", "request": {"path": "/get", "captured": {"at/{{now offset='-1 days'}}": true}},
       "responses": [{"text": "{{now}}", "template": true}]}
      """#)
    let days = Locked(0)
    let run = scenario.run(clock: {
      days.withLock {
        $0 += 1
        return Date(timeIntervalSince1970: Double($0 - 1) * 86_400)
      }
    })
    #expect(try text(run, "/keep") == "1970-01-01T00:00:00Z 1970-01-01T00:00:00Z")
    // The name that the pattern compares with is a time of this run, too.
    #expect(try text(run, "/get") == "1970-01-02T00:00:00Z")
  }

  @Test func concurrentRequestsCaptureAndCountOnceEach() throws {
    let scenario = try scenario(
      #"""
      {"key": "add", "request": {"method": "POST", "path": "/items"},
       "capture": {"id": {"template": "{{counter 'n'}}"}, "items/{{captured.id}}": {"template": "{{captured.id}}"}},
       "responses": [{"text": "{{captured.id}}", "template": true}]},
      {"key": "list", "responses": [{"text": "{{size (capturedAll 'items/')}}", "template": true}]}
      """#)
    let run = scenario.run()
    let ids = Locked(Set<String>())
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 {
        guard
          case .respond(let selection) = run.respond(
            to: StubRequest(method: "POST", url: "/items")),
          case .bytes(let data)? = selection.response.body?.content
        else { continue }
        _ = ids.withLock { $0.insert(String(decoding: data, as: UTF8.self)) }
      }
    }
    // Each answer shows the number that it captured itself.
    #expect(ids.withLock { $0 } == Set((1...400).map(String.init)))
    #expect(try text(run, "/") == "400")
  }

  @Test func aTemplateThatDoesNotFitFailsTheRun() throws {
    let run = try scenario(
      #"{"key": "a", "responses": [{"headers": {"X-A": "{{request.body}}"}, "template": true}]}"#
    ).run()
    let request = StubRequest(method: "POST", url: "/x", body: .bytes(Data("a\nb".utf8)))
    guard case .respond(let selection) = run.respond(to: request),
      let error = selection.response.error
    else { throw EngineTestFailure.notAnswered }
    let message =
      "The template of stub \"a\" of scenario \"a/b\" cannot be filled in for POST /x: header X-A: "
      + #""a\nb" is not a value that a header field may have"#
    #expect(error.userInfo["NSLocalizedDescription"] == .string(message))
    #expect(run.problems().map(\.kind) == [.failedTemplate])
    #expect(run.problems().map(\.message) == [message])
  }

  @Test func aBodyLeftInItsCatalogIsATemplateToo() throws {
    struct Reader: StoredBodyReader {
      func data(for body: StoredBody) throws -> Data { Data("at {{request.path}}".utf8) }
    }
    let body = ResponseBody(
      kind: .text, content: .stored(StoredBody(digest: Data(count: 32), byteCount: 19)))
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "k", responses: [StubResponse(body: body, isTemplate: true)])
    let run = try LoadedScenario(
      name: name, stubs: [.init(origin: name, stub: stub)], bodies: Reader()
    ).run()
    #expect(try text(run, "/p") == "at /p")
  }

  @Test func aStubThatWaitsForACapturedValueSaysSo() throws {
    let run = try scenario(
      #"{"key": "get", "request": {"path": "/{id}", "captured": {"x/{{request.path.id}}": true}}}"#
    ).run()
    guard case .unmatched(let event) = run.respond(to: StubRequest(url: "/7")) else {
      throw EngineTestFailure.notAnswered
    }
    #expect(
      event.nearMisses.first?.mismatches.map(\.part.description) == [
        "captured x/{{request.path.id}}"
      ])
    #expect(event.nearMisses.first?.mismatches.first?.expected == "not (absent)")
  }

  @Test func theExamplesCanBePlayed() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/scenarios")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    #expect(files.count >= 8)
    for file in files {
      let scenario = try ScenarioDocument.decode(Data(contentsOf: folder.appending(path: file)))
      #expect(LoadedScenario.problems(in: scenario) == [], "\(file)")
    }
    let shelf = try ScenarioDocument.decode(
      Data(contentsOf: folder.appending(path: "catalog/keep-what-is-put.json")))
    let run = try LoadedScenario(shelf).run()
    let url = "https://api.shop.test/v1/items"
    let post = StubRequest(method: "POST", url: url, body: .bytes(Data(#"{"name": "cup"}"#.utf8)))
    guard case .respond(let selection) = run.respond(to: post), selection.response.status == 201
    else { throw EngineTestFailure.notAnswered }
    #expect(selection.response.headers[.location] == url + "/1")
    #expect(try text(run, url + "/1") == #"{"id":"1","name":"cup"}"#)
    #expect(try text(run, url) == #"{"items":[{"id":"1","name":"cup"}]}"#)
    #expect(try text(run, url + "/2") == #"{"error":"no item 2"}"#)
  }
}
