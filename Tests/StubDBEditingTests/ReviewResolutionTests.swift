import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEditing

/// What decisions about a draft make of a scenario.
struct ReviewResolutionTests {
  private static let url = "https://api.shop.test/events"

  /// Contents of requests that differ in kinds, times and numbers.
  private static func bodies(_ random: inout SeededRandom) -> [JSONValue] {
    (0..<Int.random(in: 2...8, using: &random)).map { number in
      .object([
        "kind": .string(["tap", "swipe"][Int.random(in: 0...1, using: &random)]),
        "at": .number(JSONNumber(1_763_600_000_000 + Int.random(in: 0...3, using: &random))),
        "n": .number(JSONNumber(number)),
        "tags": .array([.string(["a", "b"][Int.random(in: 0...1, using: &random)]), .null]),
      ])
    }
  }

  private static func line(_ order: Int, _ body: JSONValue, _ answer: String, run: Int) -> String {
    """
    {"draft":1,"process":"1-1","run":\(run),"order":\(order),"scenario":"a/b","mode":"once","stub":{"key":"recorded",\
    "request":{"method":"POST","url":"\(url)","body":{"equalToJson":\(body.canonicalText)}},\
    "responses":[{"text":"\(answer)"}]}}

    """
  }

  /// A review of random requests over a scenario with a random stub.
  private static func review(
    _ random: inout SeededRandom
  ) throws -> (ScenarioReview, recorded: [JSONValue]) {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("c.stubdb"))
    let bodies = bodies(&random)
    var lines = ""
    for (order, body) in bodies.enumerated() {
      let answer = ["one", "two"][Int.random(in: 0...1, using: &random)]
      lines += line(order, body, answer, run: Int.random(in: 1...2, using: &random))
    }
    let drafts = folder.appendingPathComponent("c.stubdb.draft")
    try FileManager.default.createDirectory(at: drafts, withIntermediateDirectories: true)
    try Data(lines.utf8).write(to: drafts.appendingPathComponent("1-1.jsonl"))
    var pattern = try RequestPattern(method: .post, url: url)
    pattern.body = [.equalToJSON(Self.bodies(&random)[0])]
    let existing = Scenario(
      name: ScenarioName(unchecked: "a/b"), stubs: [Stub(key: "known", request: pattern)])
    let draft = try DraftReading(of: catalog, includingFailed: false)
    let reviews = try ReviewWriter(catalog: catalog, draft: draft).reviews { _ in existing }
    return (try #require(reviews.first), bodies)
  }

  private static func key(
    matching body: JSONValue, in scenario: Scenario
  ) throws -> String? {
    let request = StubRequest(
      method: "POST", url: url, body: .bytes(Data(body.canonicalText.utf8)))
    return try LoadedScenario(scenario).firstMatch(for: request)?.stub.key.rawValue
  }

  @Test func whatWasRecordedAndWhatItIsMergedWithMatchesOnceSomePlacesAreFree() throws {
    var random = SeededRandom(seed: 25)
    var groupCount = 0
    for _ in 0..<150 {
      let (review, recorded) = try Self.review(&random)
      var decisions = review.allTaken
      for group in NearDuplicates(review).groups {
        groupCount += 1
        let chosen = group.proposals[Int.random(in: 0..<group.proposals.count, using: &random)]
        decisions[review.proposals[chosen].stub.key] = .free(Set(group.places))
      }
      // And a place that nothing hints at.
      if let proposal = review.proposals.first, Bool.random(using: &random) {
        decisions[proposal.stub.key] = .free([JSONPointer(["body", "n"])])
      }
      let resolution = ReviewResolution(review, decisions)
      #expect(resolution.waiting.isEmpty)
      #expect(Set(resolution.scenario.stubs.map(\.key)).count == resolution.scenario.stubs.count)
      for body in recorded + Self.expected(by: review.existing) {
        #expect(try Self.key(matching: body, in: resolution.scenario) != nil)
      }
    }
    #expect(groupCount > 50)
  }

  /// The content that the stub of the scenario asked for.
  private static func expected(by scenario: Scenario?) -> [JSONValue] {
    scenario?.stubs.compactMap { stub in
      (stub.request.body.first?.operation as? EqualToJSONOperator)?.value
    } ?? []
  }

  @Test func theOrderOfDecisionsDoesNotMatter() throws {
    var random = SeededRandom(seed: 26)
    for _ in 0..<60 {
      let (review, _) = try Self.review(&random)
      let kinds: [ReviewDecision] = [
        .take(answer: nil), .take(answer: 0), .drop, .leave,
        .free([JSONPointer(["body", "at"])]), .free([JSONPointer(["body", "n"])]),
        .free([JSONPointer(["body", "at"]), JSONPointer(["body", "n"])]),
      ]
      let chosen = review.proposals.map { proposal in
        (proposal.stub.key, kinds[Int.random(in: kinds.indices, using: &random)])
      }
      let results = (0..<4).map { _ in
        var decisions: [Stub.Key: ReviewDecision] = [:]
        for (key, decision) in chosen.shuffled(using: &random) { decisions[key] = decision }
        let resolution = ReviewResolution(review, decisions)
        #expect(
          resolution.settlement.removed.count
            + resolution.waiting.reduce(0) { $0 + review.proposals[$1].entries.count }
            == review.proposals.reduce(review.settled.count) { $0 + $1.entries.count })
        return resolution.scenario
      }
      #expect(Set(results).count == 1)
    }
  }

  @Test func equalPatternsAreFoundWithoutAndWithFreePlaces() throws {
    func stub(_ body: JSONValue) throws -> Stub {
      var pattern = try RequestPattern(method: .post, url: Self.url)
      pattern.body = [.equalToJSON(body)]
      return Stub(key: "k", request: pattern)
    }
    let stubs = try [
      stub(.object(["a": 1, "b": 2])), stub(.object(["a": "${json-unit.ignore}", "b": 2])),
      stub(.object(["a": 1, "b": "${json-unit.ignore}"])),
    ]
    let known = StubsByRequest(stubs)
    #expect(known.place(of: try stub(.object(["a": 1, "b": 2])).request) == 0)
    #expect(known.place(of: try stub(.object(["a": 7, "b": 2])).request) == 1)
    #expect(known.place(of: try stub(.object(["a": 1, "b": 7])).request) == 2)
    #expect(known.place(of: try stub(.object(["a": 7, "b": 7])).request) == nil)
    #expect(known.place(of: try stub(.object(["a": 7, "c": 2])).request) == nil)
  }
}
