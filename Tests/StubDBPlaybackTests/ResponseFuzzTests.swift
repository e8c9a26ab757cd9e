import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBTestSupport
import Testing

/// Plays responses, captures and flows made of meaningful pieces: none may crash or hang.
@Suite struct ResponseFuzzTests {
  private static let texts = [
    "{{request.path}}", "{{request.json.a}}", "{{json request.json}}", "{{captured.x}}", "{{uuid}}",
    "{{counter 'n'}}", "{{#each request.json.list}}{{this}}{{/each}}",
    "{{math request.query.n '*' 7}}",
    "{{json (merge captured.x a=1)}}", "{{now offset=request.query.n}}", "{{x", "plain", "", "é\n",
    "{{range 0 request.query.n}}", "{{jsonPath request.body '$..*'}}", "{{#if captured.x}}1{{/if}}",
  ]
  private static let names = [
    "{{#each request.json.list}}", "{{#if captured.x}}", "{{else}}", "a", "{{request.query.n}}",
    "b",
  ]

  private static func json(_ numbers: inout SeededRandom, _ depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &numbers) {
    case 0: return .number(JSONNumber(Int.random(in: -9...9, using: &numbers)))
    case 1, 2: return .string(texts.randomElement(using: &numbers) ?? "")
    case 3:
      return .array(
        (0..<Int.random(in: 0...3, using: &numbers)).map { _ in json(&numbers, depth - 1) })
    default:
      var members: JSONObject = [:]
      for _ in 0..<Int.random(in: 0...2, using: &numbers) {
        members[names.randomElement(using: &numbers) ?? ""] = json(&numbers, depth - 1)
      }
      return .object(members)
    }
  }

  private static func response(_ numbers: inout SeededRandom) -> JSONValue {
    var members: JSONObject = [:]
    let options: [(String, JSONValue)] = [
      ("status", .string("{{request.query.n}}")), ("status", 200), ("delay", "1ms"),
      ("delay", ["lognormal": ["median": "1s", "sigma": 40]]), ("throttle", "3g"),
      ("throttle", "1B/s"), ("chunks", ["count": 999_999_999, "over": "24min"]), ("afterBytes", 3),
      ("error", "timedOut"), ("fault", "truncated"), ("fault", "never"), ("repeat", 2),
      (
        "callbacks",
        [["request": ["url": "https://b.test/{{request.query.n}}", "json": json(&numbers, 2)]]]
      ),
      ("next", true), ("headers", ["X-A": .string(texts.randomElement(using: &numbers) ?? "")]),
    ]
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      guard let (key, value) = options.randomElement(using: &numbers) else { continue }
      members[key] = value
    }
    if Bool.random(using: &numbers) { members["json"] = json(&numbers, 4) }
    if members["json"] == nil {
      members["text"] = .string(texts.randomElement(using: &numbers) ?? "")
    }
    if Int.random(in: 0..<4, using: &numbers) > 0 { members["template"] = true }
    return .object(members)
  }

  @Test(arguments: 1...4)
  func noResponseCrashesARun(_ seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed &* 7_919)
    var (loaded, answered) = (0, 0)
    for _ in 0..<1_500 {
      let stub: JSONValue = [
        "key": "k", "request": ["captured": ["{{request.query.n}}": false]],
        "capture": ["x": ["template": .string(Self.texts.randomElement(using: &numbers) ?? "")]],
        "responses": [Self.response(&numbers), Self.response(&numbers)], "then": "cycle",
      ]
      let document: JSONValue = ["scenario": "a", "stubs": [stub, ["key": "rest"]]]
      guard let scenario = try? ScenarioDocument.decode(Data(document.canonicalText.utf8)),
        let playable = try? LoadedScenario(scenario)
      else { continue }
      loaded += 1
      let run = playable.run(seed: seed)
      for url in ["/a?n=3", "/?n=200", "/x"] {
        let request = StubRequest(
          method: "POST", url: url,
          body: .bytes(Data(#"{"a": 1, "list": [1, [2], {"b": "{{x}}"}]}"#.utf8)))
        guard case .respond(let selection) = run.respond(to: request) else { continue }
        answered += 1
        let answer = Answer(selection)
        #expect(answer.delay >= .zero)
        if case .reply(let reply) = answer.kind {
          #expect((100...999).contains(reply.head.status))
          #expect(reply.pieces.allSatisfy { $0.byteCount >= 0 && $0.after >= .zero })
          let body = reply.content?.body
          #expect(reply.pieces.map(\.byteCount).reduce(0, +) <= body?.byteCount ?? 0)
          // JSON stays JSON.
          if let body, body.kind == .json, case .bytes(let data) = body.content {
            #expect((try? JSONValue(parsing: data)) != nil)
          }
        }
      }
    }
    #expect(loaded > 100 && answered > 200)
  }
}
