import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEngine

/// The index against a plain scan of all stubs, on scenarios and requests made from seeds.
@Suite struct IndexTests {
  @Test(arguments: 0..<20)
  func indexedMatchingFindsWhatAScanFinds(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = [3, 12, 60, 400][Int(seed) % 4]
    let stubs = (0..<count).map { RandomPatterns.stub(key: "s\($0)", &random) }
    let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs))
    let compiled = scenario.stubs
    for _ in 0..<80 {
      let request = RandomPatterns.request(&random)
      let prepared = PreparedRequest(request)
      let scanned = compiled.sources.indices.filter { compiled.matches($0, prepared) }
      let found = compiled.index.candidates(for: prepared)
        .filter { compiled.matches($0, prepared) }
      #expect(found == scanned, "\(request.method) \(request.url)")
      // A run keeps the verdict on what neighbouring patterns begin with.
      var matches = StubMatches(compiled, prepared)
      while !matches.isComplete { matches.findMore() }
      #expect(
        matches.ranks.sorted().filter { !compiled.requests[$0].asksForCaptured }
          == scanned.filter { !compiled.requests[$0].asksForCaptured },
        "\(request.method) \(request.url)")
    }
  }

  @Test func linesOfAFieldAreAlsoFoundAsOneLine() throws {
    let stubs = (0..<20).map { index in
      Stub(
        key: "s\(index)",
        request: RequestPattern(headers: [
          HeaderPattern(HTTPField.Name("X-A") ?? .accept, .equalTo("1, \(index)"))
        ]))
    }
    let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs))
    let name = try #require(HTTPField.Name("x-a"))
    var request = StubRequest(url: "https://a.test/")
    request.headers = [name: "1", name: "7"]
    #expect(scenario.firstMatch(for: request)?.stub.key == "s7")
  }

  @Test func candidatesAreFewHoweverTheStubsDiffer() throws {
    let variants: [(Int) -> RequestPattern] = [
      { RequestPattern(path: .template("/items/\($0)")) },
      { RequestPattern(path: .template("/items/\($0)/{part}")) },
      { RequestPattern(path: .template("/{kind}/\($0)/**")) },
      { RequestPattern(host: .equalTo("h\($0).test"), path: .template("/same")) },
      { RequestPattern(host: .equalTo("h\($0).test")) },
      { RequestPattern(wholeURL: .equalTo("https://h\($0).test/same?id=\($0)")) },
      { RequestPattern(path: .template("/same"), query: [NamedPattern("id", .equalTo("\($0)"))]) },
      {
        RequestPattern(
          path: .template("/same"),
          headers: [HeaderPattern(HTTPField.Name("X-Id") ?? .accept, .equalTo("\($0)"))])
      },
    ]
    let request = StubRequest(
      url: "https://h7.test/same?id=7", headers: [HTTPField.Name("x-id")!: "7"])
    let urls = ["https://h7.test/items/7", "https://h7.test/items/7/x", request.url]
    for (index, variant) in variants.enumerated() {
      let stubs = (0..<2_000).map { Stub(key: "\($0)", request: variant($0)) }
      let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs))
      for url in urls {
        var request = request
        request.url = url
        let candidates = scenario.stubs.index.candidates(for: PreparedRequest(request))
        #expect(Array(candidates).count <= StubBucket.largestList, "variant \(index), \(url)")
      }
    }
  }

  @Test func aWholeURLIsFoundByItsPath() throws {
    let urls: [ValuePattern] = [
      "https://a.test/a?q=1", "https://a.test/b", "https://b.test/a", "https://b.test/%7Ec/",
    ]
    let stubs = urls.enumerated().map { Stub(key: "\($0)", request: RequestPattern(wholeURL: $1)) }
    let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs))
    let found = ["https://a.test/b", "https://b.test/~c/", "https://a.test/c"].map { url in
      let request = PreparedRequest(StubRequest(url: url))
      return Array(scenario.stubs.index.candidates(for: request))
    }
    #expect(found == [[1], [3], []])
    #expect(scenario.firstMatch(for: StubRequest(url: "https://a.test/a?q=1"))?.stub.key == "0")
  }

  static let bodies: [(text: String, pattern: @Sendable (Int) -> BodyPattern)] = [
    ("7", { .value(.equalTo("\($0)")) }),
    (
      #"{"id": 7.0, "kind": "a"}"#,
      { .equalToJSON(.object(["kind": "a", "id": .number(JSONNumber($0))])) }
    ),
    (
      #"{"id": {"n": "7"}, "at": 1}"#,
      {
        .and([
          .equalToJSON(
            .object(["id": .object(["n": .string("\($0)")]), "at": "${json-unit.any-number}"]),
            ignoreArrayOrder: true, ignoreExtraElements: true)
        ])
      }
    ),
    ("[7]", { .equalToJSON([.number(JSONNumber($0))]) }),
    (
      #"{"items": [{"id": "7"}]}"#, { .matchesJSONPath("$.items[*].id", .value(.equalTo("\($0)"))) }
    ),
    ("id=7&x", { .form([NamedPattern("id", .equalTo("\($0)")), NamedPattern("x", .anything)]) }),
    (
      #"{"query": "{a}", "operationName": "7"}"#,
      { .graphQL(GraphQLPattern(operationName: .equalTo("\($0)"))) }
    ),
    (
      #"{"query": "{a}", "variables": {"id": 7}}"#,
      { .graphQL(GraphQLPattern(variables: .object(["id": .number(JSONNumber($0))]))) }
    ),
  ]

  @Test(arguments: bodies.indices)
  func candidatesAreFewHoweverBodiesDiffer(index: Int) throws {
    let (text, pattern) = Self.bodies[index]
    let stubs = (0..<2_000).map {
      Stub(key: "\($0)", request: RequestPattern(path: .template("/same"), body: [pattern($0)]))
    }
    let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs))
    let request = StubRequest(
      method: "POST", url: "https://a.test/same", body: .bytes(Data(text.utf8)))
    let candidates = scenario.stubs.index.candidates(for: PreparedRequest(request))
    #expect(Array(candidates).count <= StubBucket.largestList)
    #expect(scenario.firstMatch(for: request)?.stub.key == "7")
  }

  @Test func theNearestBodyIsFoundAmongManyStubsOfOneURL() throws {
    let stubs = (0..<2_000).map { number in
      Stub(
        key: "\(number)",
        request: RequestPattern(
          path: .template("/same"),
          body: [.equalToJSON(.object(["id": .number(JSONNumber(number)), "kind": "a"]))]))
    }
    let run = try LoadedScenario(
      Scenario(name: ScenarioName(unchecked: "r"), stubs: stubs)
    ).run()
    _ = run.respond(
      to: StubRequest(
        method: "POST", url: "https://a.test/same",
        body: .bytes(Data(#"{"id": 1500, "kind": "b"}"#.utf8))))
    #expect(run.journal[0].nearMisses.first?.key == "1500")
    #expect(run.journal[0].nearMisses.first?.mismatches.map(\.pointer?.description) == ["/kind"])
  }
}
