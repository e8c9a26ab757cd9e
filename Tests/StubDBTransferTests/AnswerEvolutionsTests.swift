import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBTransfer
import StubDBVariations
import Testing

/// The changes of an answer that are compatible, by what samples and descriptions say.
struct AnswerEvolutionsTests {
  private static let document = #"""
    [
      { "scenario": "orders/two", "stubs": [
        { "key": "order", "request": { "url": "https://api.shop.test/orders/7" },
          "responses": [
            { "headers": { "Content-Type": "application/json" },
              "text": "{ \"id\": 7, \"state\":\"paid\",\n  \"note\": \"x\", \"tags\": [\"a\"], \"at\": [1.5, 2.5], \"year\": 2026 }" },
            { "json": { "id": 7 }, "template": true } ] },
        { "key": "gone", "request": { "url": "https://api.shop.test/orders/9" },
          "responses": [ { "status": 204 } ] } ] },
      { "scenario": "orders/others", "stubs": [
        { "key": "order", "request": { "url": "https://api.shop.test/orders/{id}" },
          "responses": [ { "json": {
            "id": 8, "state": "open", "note": null, "at": [1, 2], "year": 2025 } } ] } ] }
    ]
    """#

  private static func changes(
    _ catalog: Catalog, response index: Int = 0
  ) throws -> AnswerEvolutions {
    let scenario = try catalog.load("orders/two")
    let stub = try #require(scenario.sources.first?.stub)
    return AnswerEvolutions(
      of: stub.responses[index], to: StubRequest(url: "https://api.shop.test/orders/7"),
      in: scenario, try AnswerSamples(catalog))
  }

  @Test func samplesShowWhatMayChange() throws {
    try withCatalog(Self.document) { catalog in
      let found = try Self.changes(catalog).evolutions
      #expect(
        found.map(\.name) == [
          "body=member", "id=large", "state=unknown", "note=null", "tags=absent", "tags=longer",
          "tags=empty", "body=order", "content-type=parameter",
        ])
      #expect(found[2].reason == #"the samples have "open", "paid" there"#)
      #expect(try Self.changes(catalog, response: 1).leftAlone == "its content is a template")
    }
  }

  /// How many items a list has, and their ids, follow from what was sent.
  @Test func theItemsOfAResourceChangeButNotTheirIDs() throws {
    let document = #"""
      { "scenario": "a/b", "stubs": [ { "key": "items",
        "resource": { "at": "https://api.shop.test/items", "id": "integer", "seed": [
          { "id": 1, "title": "Buy milk", "state": "open" },
          { "id": 2, "title": "Buy bread", "state": "done", "note": "two of them" } ] },
        "responses": [ { "status": 503 }, {} ] } ] }
      """#
    try withCatalog(document) { catalog in
      let listed = ScenarioEvolutions(try catalog.load("a/b"), try AnswerSamples(catalog))
      #expect(
        listed.variations.map(\.name) == [
          "items/0=member", "items/0-state=unknown", "items/1-note=absent", "items/body=order",
          "items/content-type=parameter", "items/body=member", "items/state=unknown",
        ])
      #expect(listed.variations.allSatisfy { $0.responseIndex == 1 })
      #expect(listed.leftAlone.map(\.reason) == ["it answers without content"])
    }
  }

  /// Two places may have the same name.
  @Test func placesWithTheSameNameAreNumbered() throws {
    let document = #"""
      { "scenario": "a/b", "stubs": [ { "key": "k", "request": { "url": "https://api.shop.test/k" },
        "responses": [ { "json": { "x-total": 1, "x": { "total": 2 } } } ] } ] }
      """#
    try withCatalog(document) { catalog in
      let listed = ScenarioEvolutions(try catalog.load("a/b"), try AnswerSamples(catalog))
      let large = listed.variations.filter { $0.evolution?.change == .large }
      #expect(Set(large.map(\.name)) == ["k/x-total=large", "k/x-total=large-2"])
      #expect(Set(large.map(\.pointer)) == ["/x-total", "/x/total"])
    }
  }

  @Test func allAnswersOfAScenarioAreListedWithWhatIsLeftAlone() throws {
    try withCatalog(Self.document) { catalog in
      let listed = ScenarioEvolutions(
        try catalog.load("orders/two"), try AnswerSamples(catalog))
      let expected = try Self.changes(catalog).evolutions
      #expect(listed.variations.map(\.name) == expected.map { "order/\($0.name)" })
      #expect(listed.variations.map { $0.evolution?.reason } == expected.map(\.reason))
      #expect(listed.variations.allSatisfy { $0.responseIndex == 0 })
      #expect(
        listed.leftAlone.map { "\($0.answer.stub.key) \($0.answer.index): \($0.reason)" } == [
          "order 1: its content is a template", "gone 0: it answers without content",
        ])
      #expect(listed.answerCount == 3)
    }
  }

  /// Two scenarios may have stubs with the same key.
  @Test func aKeyOfTwoScenariosHasItsScenarioBeforeIt() throws {
    let names = ["a/b", "c/d"].map {
      StubName(scenario: ScenarioName(unchecked: $0), key: "order")
    }
    let other = StubName(scenario: names[0].scenario, key: "other")
    #expect(
      StubName.labels(of: names + [other, other])
        == [names[0]: "a/b:order", names[1]: "c/d:order", other: "other"])
  }

  @Test func oneChangeLeavesAllOtherBytesAlone() throws {
    try withCatalog(Self.document) { catalog in
      let start = #"{ "id": "#
      let middle = ", \"state\":"
      let content =
        start + "7" + middle
        + "\"paid\",\n  \"note\": \"x\", \"tags\": [\"a\"], \"at\": [1.5, 2.5], \"year\": 2026 }"
      let changed = Dictionary(
        uniqueKeysWithValues: try Self.changes(catalog).evolutions.map {
          ($0.name, String(decoding: $0.content(of: Data(content.utf8)), as: UTF8.self))
        })
      #expect(changed["id=large"] == content.replacing(start + "7", with: start + "4294967297"))
      #expect(changed["state=unknown"] == content.replacing("\"paid\"", with: "\"added_later\""))
      #expect(changed["note=null"] == content.replacing("\"x\"", with: "null"))
      #expect(changed["tags=absent"] == content.replacing("\"tags\": [\"a\"], ", with: ""))
      #expect(changed["tags=longer"] == content.replacing("[\"a\"]", with: "[\"a\",\"b\"]"))
      #expect(changed["tags=empty"] == content.replacing("[\"a\"]", with: "[]"))
      #expect(
        changed["body=member"]
          == content.replacing("2026 }", with: "2026,\"addedLater\":{\"version\":2} }"))
      #expect(
        changed["body=order"]
          == "{ \"year\": 2026, \"at\": [1.5, 2.5],\n  \"tags\": [\"a\"], \"note\": \"x\", \"state\":\"paid\", \"id\": 7 }"
      )
      #expect(changed["content-type=parameter"] == content)
    }
  }

  /// The changes of a content that no sample is known of.
  private static func changes(_ content: String) throws -> AnswerEvolutions {
    let response = StubResponse(
      headers: [.contentType: "application/json"], body: .text(content))
    let scenario = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "a/b")))
    return AnswerEvolutions(
      of: response, to: StubRequest(url: "https://api.shop.test/orders"), in: scenario,
      AnswerSamples())
  }

  @Test func aMapHasOneMoreEntry() throws {
    let found = try Self.changes(#"{"labels":{"a":"x","b":"y"}}"#).evolutions
    let entry = try #require(found.first { $0.change == .entry })
    #expect(entry.name == "labels=entry")
    #expect(
      String(
        decoding: entry.content(of: Data(#"{"labels":{"a":"x","b":"y"}}"#.utf8)), as: UTF8.self)
        == #"{"labels":{"a":"x","b":"y","c":"y"}}"#)
  }

  /// The changes of the first of these contents, of which each is an answer of one operation.
  private static func changes(samples: String...) throws -> [Evolution] {
    let stubs = samples.enumerated().map { number, json in
      #"{ "key": "k\#(number)", "request": { "url": "https://api.shop.test/items" }, "#
        + #""responses": [ { "headers": { "Content-Type": "application/json" }, "#
        + #""text": "\#(json.replacing("\"", with: "\\\""))" } ] }"#
    }
    let document = #"{ "scenario": "a/b", "stubs": [ \#(stubs.joined(separator: ", ")) ] }"#
    return try withCatalog(document) { catalog in
      let listed = ScenarioEvolutions(try catalog.load("a/b"), try AnswerSamples(catalog))
      return listed.variations.filter { $0.stub?.key == "k0" }.compactMap(\.evolution)
    }
  }

  /// What a card has, an account need not have.
  @Test func objectsOfOtherTypesDoNotMakeMembersOptional() throws {
    let card = #"{ "type": "card", "ending": "4242" }"#
    let account = #"{ "type": "account", "bank": null }"#
    let found = try Self.changes(samples: #"{ "means": [ \#(card), \#(account) ] }"#)
    #expect(!found.contains { [.absent, .null].contains($0.change) }, "\(found.map(\.name))")
    let plain = try Self.changes(
      samples: #"{ "means": [ { "ending": "4242" }, { "bank": null } ] }"#)
    #expect(plain.contains { $0.name == "means-0-ending=absent" })
  }

  @Test func aConstantThatIsAddedToAListIsOneThatClientsKnow() throws {
    let (one, other) = (#"{ "marks": ["hot", "new"] }"#, #"{ "marks": ["old"] }"#)
    let found = try Self.changes(samples: one, other)
    let longer = try #require(found.first { $0.name == "marks=longer" })
    #expect(
      String(decoding: longer.content(of: Data(one.utf8)), as: UTF8.self)
        == #"{ "marks": ["hot", "new","old"] }"#)
  }

  @Test func codesStayCodes() throws {
    let (one, other) = (#"{ "currency": "EUR" }"#, #"{ "currency": "USD" }"#)
    let found = try Self.changes(samples: one, other)
    let unknown = try #require(found.first { $0.name == "currency=unknown" })
    #expect(
      String(decoding: unknown.content(of: Data(one.utf8)), as: UTF8.self)
        == #"{ "currency": "XTS" }"#)
  }

  @Test func aNumberThatNamesAKindDoesNotGrow() throws {
    #expect(
      try Self.changes(samples: #"{ "kind": 3, "cents": 3 }"#).filter { $0.change == .large }
        .map(\.name) == ["cents=large"])
  }

  @Test func hostileContentIsChangedInFewPlaces() throws {
    // Letters, since members that are named by numbers are data.
    let members = (0..<30_000).map { number in
      let name = String(decoding: String(number).utf8.map { $0 + 49 }, as: UTF8.self)
      return "\"\(name)\": [{\"id\": \(number)}]"
    }.joined(separator: ",")
    let many = try Self.changes("{\(members)}")
    #expect((100...501).contains(many.evolutions.count))
    #expect(many.cuts.map(\.limit) == [.places, .changes])

    let nested = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try Self.changes(nested).evolutions.map(\.change) == [.parameter])

    let identifiers = (0..<60).map { "\"a\($0)_id\": 1" }.joined(separator: ",")
    let long = try Self.changes("[{\(identifiers)}]").evolutions
    #expect(long.contains { $0.change == .empty } && !long.contains { $0.change == .longer })

    let name = String(repeating: "n", count: 300)
    #expect(
      !(try Self.changes("{\"\(name)\": [\"a\"]}").evolutions.contains { $0.change == .empty }))

    let text = String(repeating: "a", count: 1 << 22)
    #expect(try Self.changes("\"\(text)\"").leftAlone == "its content is longer than 4 MB")
  }

  @Test func aKeptDescriptionSaysMoreThanSamples() throws {
    let yaml = """
      openapi: 3.0.3
      info: {title: Shop, version: "1"}
      servers: [{url: https://api.shop.test}]
      paths:
        /orders/{id}:
          get:
            responses:
              "200":
                description: ok
                content:
                  application/json: {schema: {$ref: "#/components/schemas/Order"}}
      components:
        schemas:
          Order:
            type: object
            required: [id, state, at, year]
            properties:
              id: {type: integer, enum: [7, 8]}
              state: {$ref: "#/components/schemas/State"}
              note: {type: string}
              tags: {type: array, minItems: 1, items: {type: string}}
              at: {type: array, items: {type: number}}
              year: {type: integer, nullable: true}
          State: {type: string, enum: [paid, shipped]}
      """
    try withCatalog(Self.document) { catalog in
      let input = try ImportInput(
        file: "shop.yaml", path: ["shop"], bytes: Data(yaml.utf8), folder: nil, log: ReportLog())
      let kept = try OpenAPICheck(input).kept(file: "shop.yaml")
      try DescriptionKeeping(kept).write(to: catalog)
      #expect(try AnswerSamples(catalog).hasDescribedAnswers)
      let found = try Self.changes(catalog).evolutions
      #expect(
        found.map(\.name) == [
          "body=member", "id=unknown", "state=unknown", "note=absent", "note=null", "tags=absent",
          "tags=longer",
          "at=longer", "at=empty", "year=null", "year=large", "body=order",
          "content-type=parameter",
        ])
      let start = "{ \"id\": 7"
      #expect(
        String(decoding: found[1].content(of: Data(start.utf8)), as: UTF8.self) == "{ \"id\": 9")
      #expect(found[2].reason.contains("shop.yaml#/paths/~1orders~1{id}/get"))
    }
  }
}
