import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBServing
import StubDBTestSupport
import Testing

/// What resources keep, and what their runs say of it; what they answer is in the conformance table.
@Suite struct ResourceTests {
  private func scenario(_ resource: String, _ rest: String = "") throws -> LoadedScenario {
    let text =
      #"{"scenario": "a/b", "stubs": [{"key": "items"\#(rest), "resource": \#(resource)}]}"#
    return try LoadedScenario(ScenarioDocument.decode(Data(text.utf8)))
  }

  private func answer(
    _ run: ScenarioRun, _ method: String, _ path: String, _ content: String = ""
  ) throws -> StubResponse {
    let request = StubRequest(
      method: method, url: "https://a.test\(path)", body: .bytes(Data(content.utf8)))
    guard case .respond(let selection) = run.respond(to: request) else {
      throw EngineTestFailure.notAnswered
    }
    return selection.response
  }

  private func list(_ run: ScenarioRun) throws -> JSONValue? {
    try answer(run, "GET", "/items").json
  }

  @Test func eachRunHasItsOwnItems() throws {
    let scenario = try scenario(#"{"at": "/items", "seed": [{"id": "a"}]}"#)
    let (one, other) = (scenario.run(), scenario.run())
    #expect(try answer(one, "DELETE", "/items/a").status == 204)
    #expect(try list(one) == [])
    #expect(try list(other) == [["id": "a"]])
    #expect(try list(scenario.run()) == [["id": "a"]])
  }

  @Test func idsComeFromTheSeedOfTheRun() throws {
    let scenario = try scenario(#"{"at": "/items"}"#)
    func ids(_ seed: UInt64) throws -> [String] {
      let run = scenario.run(seed: seed)
      return try (0..<3).map { _ in
        let response = try answer(run, "POST", "/items", #"{"name": "Ada"}"#)
        guard case .object(let item)? = response.json, case .string(let id)? = item["id"] else {
          throw EngineTestFailure.notAnswered
        }
        #expect(response.headers[.location] == "https://a.test/items/\(id)")
        #expect(UUID(uuidString: id) != nil)
        return id
      }
    }
    let first = try ids(1)
    #expect(try ids(1) == first)
    #expect(Set(first + (try ids(2))).count == 6)
  }

  @Test func anIDIsNotGivenTwice() throws {
    let run = try scenario(#"{"at": "/items", "id": "integer", "seed": [{"id": 5}]}"#).run()
    #expect(try answer(run, "DELETE", "/items/5").status == 204)
    #expect(try answer(run, "POST", "/items", "{}").json == ["id": 6])
    // There is no whole number after the largest one.
    #expect(try answer(run, "PUT", "/items/\(Int.max)", "{}").status == 201)
    #expect(try answer(run, "DELETE", "/items/\(Int.max)").status == 204)
    #expect(try answer(run, "POST", "/items", "{}").status == 507)
    #expect(run.journal.last?.remark == "no whole number comes after the largest id")
    #expect(try answer(run, "POST", "/items", #"{"id": 7}"#).status == 201)
    #expect(try list(run) == [["id": 6], ["id": 7]])
    // A text is no number, whatever it looks like.
    let texts = try scenario(#"{"at": "/items", "seed": [{"id": "\#(Int.max)"}]}"#).run()
    #expect(try answer(texts, "POST", "/items", "{}").status == 201)
  }

  @Test func itemsKeepTheirOrderWhileOthersComeAndGo() throws {
    let run = try scenario(#"{"at": "/items", "id": "integer"}"#).run()
    for id in 1...64 { #expect(try answer(run, "PUT", "/items/\(id)", "{}").status == 201) }
    for id in 1...64 where id % 9 != 0 {
      #expect(try answer(run, "DELETE", "/items/\(id)").status == 204)
    }
    #expect(try answer(run, "PUT", "/items/5", "{}").status == 201)
    #expect(try answer(run, "PUT", "/items/27", #"{"n": 1}"#).status == 200)
    #expect(
      try list(run) == [
        ["id": 9], ["id": 18], ["id": 27, "n": 1], ["id": 36], ["id": 45], ["id": 54], ["id": 63],
        ["id": 5],
      ])
    #expect(try answer(run, "GET", "/items/63").json == ["id": 63])
  }

  @Test func idsAreComparedByTheirBytes() throws {
    let run = try scenario(
      #"{"at": "/items", "seed": [{"id": "\u00fc", "n": 1}, {"id": "u\u0308", "n": 2}]}"#
    ).run()
    #expect(try list(run) == [["id": "\u{fc}", "n": 1], ["id": "u\u{308}", "n": 2]])
    #expect(try answer(run, "DELETE", "/items/u%CC%88").status == 204)
    #expect(try answer(run, "GET", "/items/%C3%BC").json == ["id": "\u{fc}", "n": 1])
  }

  @Test func bytesThatAreNoTextAreNoID() throws {
    let run = try scenario(#"{"at": "/items"}"#).run()
    #expect(try answer(run, "PUT", "/items/%FF", "{}").status == 404)
    #expect(try list(run) == [])
  }

  @Test func theJournalSaysWhatWasDone() throws {
    let run = try scenario(#"{"at": "/items", "id": "integer"}"#).run()
    for (method, path) in [
      ("POST", "/items"), ("GET", "/items"), ("PUT", "/items/1"), ("PATCH", "/items/1"),
      ("GET", "/items/1"), ("DELETE", "/items/1"), ("DELETE", "/items/1"),
    ] {
      _ = try answer(run, method, path, "{}")
    }
    #expect(run.journal.map(\.status) == [201, 200, 200, 200, 200, 204, 404])
    #expect(
      run.journal.map(\.remark) == [
        "created 1", "listed", "replaced 1", "changed 1", "read 1", "removed 1",
        #"there is no item "1""#,
      ])
    #expect(
      run.journal[0].description
        == #"1. POST https://a.test/items: stub "items" of a/b, response 1 (created 1)"#)
  }

  @Test func linksLeadToTheOtherPages() throws {
    let run = try scenario(
      #"""
      {"at": "/items", "page": {"limit": "limit", "offset": "from"},
       "seed": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "d"}, {"id": "e"}]}
      """#
    ).run()
    func links(_ query: String) throws -> [String]? {
      try answer(run, "GET", "/items?\(query)").headers["Link"]?
        .replacing("https://a.test/items?", with: "").components(separatedBy: ", ")
    }
    #expect(try links("") == nil)
    #expect(
      try links("limit=2") == [
        #"<limit=2&from=0>; rel="first""#, #"<limit=2&from=4>; rel="last""#,
        #"<limit=2&from=2>; rel="next""#,
      ])
    #expect(
      try links("q=a%20b&from=3&limit=2") == [
        #"<q=a%20b&limit=2&from=0>; rel="first""#, #"<q=a%20b&limit=2&from=4>; rel="last""#,
        #"<q=a%20b&limit=2&from=1>; rel="prev""#,
      ])
    #expect(try links("id=x&limit=2") == nil)
  }

  @Test func resettingWhatIsKeptBringsTheSeedBack() throws {
    let run = try scenario(#"{"at": "/items", "seed": [{"id": "a"}]}"#).run()
    _ = try answer(run, "DELETE", "/items/a")
    run.reset(.counters)
    #expect(try list(run) == [])
    run.reset(.captures)
    #expect(try list(run) == [["id": "a"]])
  }

  @Test func aChangedScenarioKeepsTheItemsOfUnchangedStubs() throws {
    let scenario = try scenario(#"{"at": "/items", "seed": [{"id": "a"}]}"#)
    let run = scenario.run()
    _ = try answer(run, "DELETE", "/items/a")
    run.reset(.counters)
    let other = Stub(key: "other", request: RequestPattern(path: .template("/other")))
    let more = try scenario.adding([other], named: scenario.name)
    #expect(try list(ScenarioRun(continuing: run, with: more)) == [])
    let next = more.run()
    _ = try answer(next, "DELETE", "/items/a")
    let changed = try self.scenario(#"{"at": "/items", "seed": [{"id": "b"}]}"#)
    #expect(try list(ScenarioRun(continuing: next, with: changed)) == [["id": "b"]])
  }

  @Test func concurrentRequestsLoseNoItem() throws {
    let run = try scenario(#"{"at": "/items", "id": "integer"}"#).run()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 { _ = try? answer(run, "POST", "/items", "{}") }
    }
    #expect(try list(run) == .array((1...200).map { ["id": .number(JSONNumber($0))] }))
  }

  @Test func aResourceHasOnlySoManyBytes() throws {
    let run = try scenario(#"{"at": "/items", "id": "integer"}"#).run()
    let large = #"{"text": "\#(String(repeating: "x", count: 1 << 20))"}"#
    for id in 1...15 { #expect(try answer(run, "PUT", "/items/\(id)", large).status == 201) }
    #expect(try answer(run, "PUT", "/items/16", large).status == 507)
    #expect(try answer(run, "PUT", "/items/1", large).status == 200)
    #expect(try answer(run, "DELETE", "/items/1").status == 204)
    #expect(try answer(run, "PUT", "/items/16", large).status == 201)
  }

  @Test func aResourceHasOnlySoManyItems() throws {
    let seed = (1...10_000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let run = try scenario(#"{"at": "/items", "id": "integer", "seed": [\#(seed)]}"#).run()
    #expect(try answer(run, "POST", "/items", "{}").status == 507)
    #expect(try answer(run, "PUT", "/items/7", #"{"name": "Ada"}"#).status == 200)
    #expect(try answer(run, "DELETE", "/items/8").status == 204)
    #expect(try answer(run, "POST", "/items", "{}").json == ["id": 10_001])
  }

  @Test func deepContentIsRefused() throws {
    let run = try scenario(#"{"at": "/items"}"#).run()
    let deep = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200)
    #expect(try answer(run, "POST", "/items", deep).status == 400)
  }

  @Test func contentThatIsNotJSONIsRefused() throws {
    let run = try scenario(#"{"at": "/items"}"#).run()
    #expect(try answer(run, "POST", "/items", "{").status == 400)
    #expect(try answer(run, "POST", "/items").status == 400)
    let form = StubRequest(
      method: "PUT", url: "https://a.test/items/a",
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: .bytes(Data("name=Ada".utf8)))
    guard case .respond(let selection) = run.respond(to: form) else {
      throw EngineTestFailure.notAnswered
    }
    #expect(selection.response.status == 415)
  }

  @Test func aSeedThatNoRunWouldKeepIsRefused() throws {
    var stub = try Stub(key: "items", resourceAt: "/items", id: .integer)
    func loaded() throws(EngineError) -> LoadedScenario {
      try LoadedScenario(Scenario(name: ScenarioName(unchecked: "a/b"), stubs: [stub]))
    }
    func reason() -> String? {
      do throws(EngineError) {
        _ = try loaded()
        return nil
      } catch {
        return error.message
      }
    }
    #expect(reason() == nil)
    for (seed, text) in [
      (#"[{"id": 1}, {"id": 1}]"#, "has the id \"1\" too"), (#"[{"id": "a"}]"#, "a whole number"),
      (#"[1]"#, "expected an object"), (#"{"id": 1}"#, "is a JSON list"),
    ] {
      stub.responses = [StubResponse(body: .text(seed))]
      #expect(reason()?.contains(text) == true, "\(seed)")
    }
    let many = JSONValue.array((0...10_000).map { ["id": .number(JSONNumber($0))] })
    stub.responses = [StubResponse(body: .json(many))]
    #expect(reason()?.contains("at most 10000 items") == true)
    stub.responses = [StubResponse()]
    #expect(reason() == nil)
    let run = try loaded().run()
    #expect(try answer(run, "POST", "/items", "{}").status == 201)
  }

  @Test func aStateDecidesWhetherTheResourceAnswers() throws {
    let run = try scenario(
      #"{"at": "/items"}"#, #", "flow": {"name": "login", "requires": "in"}"#
    ).run()
    let request = StubRequest(url: "https://a.test/items")
    guard case .unmatched = run.respond(to: request) else { throw EngineTestFailure.notAnswered }
    #expect(run.setState("in", ofFlow: "login"))
    #expect(try list(run) == [])
  }

  @Test func aNearMissSaysWhichURLsTheResourceHas() throws {
    let run = try scenario(#"{"at": "/v1/items(2).json"}"#).run()
    _ = run.respond(to: StubRequest(url: "https://a.test/v1/item"))
    let miss = try #require(run.journal.first?.nearMisses.first)
    #expect(miss.mismatches.map(\.part.description) == ["path"])
    #expect(
      miss.mismatches[0].expected == "/v1/items(2).json or /v1/items(2).json/{id}")
    #expect(miss.pattern == "any method /v1/items(2).json")
  }

  @Test(arguments: ["/v1/item", "/v2/items", "/v1/item/17", "/v1/items/17/parts"])
  func aResourceIsNearerThanAStubForAnotherPath(path: String) throws {
    let far = #"{"key": "me", "request": {"method": "GET", "url": "/me"}}"#
    let near = #"{"key": "items", "resource": {"at": "/v1/items"}}"#
    let text = #"{"scenario": "a/b", "stubs": [\#(far), \#(near)]}"#
    let run = try LoadedScenario(ScenarioDocument.decode(Data(text.utf8))).run()
    _ = run.respond(to: StubRequest(url: "https://a.test\(path)"))
    #expect(run.journal.first?.nearMisses.map(\.key) == ["items", "me"])
  }
}

extension StubResponse {
  fileprivate var json: JSONValue? { body?.bytes.flatMap { try? JSONValue(parsing: $0) } }
}
