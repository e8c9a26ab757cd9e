import Foundation
import StubDB
import StubDBJSON
import StubDBSupport
import StubDBXML

/// Operators that no index helps: 1,000 stubs of one URL that differ in one of them, against the comparisons alone.
enum OperatorsRow {
  private static let stubs = 1_000
  private static let url = "https://api.shop.test/v1/orders"

  /// The comparisons with the content of a request until one holds, in the order of the stubs; gives its number.
  private typealias Loop = (Data) throws -> Int?

  static func measure() async throws -> [Row] {
    [
      try await row("matches", regexBody, { .value(.matches(regex($0))) }, regexLoop()),
      try await row(
        "matchesJsonSchema", jsonBody, { .matchesJSONSchema(schema($0)) }, schemaLoop()),
      try await row(
        "equalToXml", xmlBody, { .equalToXML(XMLPattern(xml($0))) }, xmlLoop()),
      try await row(
        "matchesXPath", xmlBody, { .matchesXPath(XPathPattern(xPath($0))) }, xPathLoop()
      ),
    ]
  }

  private static func row(
    _ name: String, _ body: (Int) -> String, _ pattern: (Int) -> BodyPattern, _ loop: Loop
  ) async throws -> Row {
    guard let scenarioName = ScenarioName("bench/operators") else { preconditionFailure("no name") }
    let scenario = try LoadedScenario(
      Scenario(
        name: scenarioName,
        stubs: (0..<stubs).map { number in
          Stub(
            key: "order-\(number)",
            request: RequestPattern(
              methods: [.post], scheme: "https", host: "api.shop.test",
              path: .template("/v1/orders"), body: [pattern(number)]))
        }))
    let numbers = (0..<10).map { $0 * 389 % stubs }
    let bodies = numbers.map { Data(body($0).utf8) }
    let requests = bodies.map { StubRequest(method: "POST", url: url, body: .bytes($0)) }
    let result = try await Measurement.compare(
      rounds: 31, warmUpRounds: 3, baselineCount: numbers.count, subjectCount: numbers.count,
      baseline: {
        for (number, body) in zip(numbers, bodies) {
          guard try loop(body) == number else { throw UnexpectedMiss(name) }
        }
      },
      subject: {
        let run = scenario.run()
        for (number, request) in zip(numbers, requests) {
          guard case .respond(let selection) = run.respond(to: request),
            selection.event.stubKey == "order-\(number)"
          else { throw UnexpectedMiss(name) }
        }
      })
    return .atMost(
      1.5, result.ratio, name: "\(name) in 1,000 stubs of one URL",
      detail: """
        \(format(result.subject)) µs a request against \(format(result.baseline)) µs of the \
        comparisons in a loop
        """)
  }

  // MARK: matches

  private static func regex(_ number: Int) -> String { "order-\(number)-[0-9a-f]{4,}" }
  private static func regexBody(_ number: Int) -> String { "order-\(number)-09af1d" }

  private static func regexLoop() throws -> Loop {
    let expressions = try (0..<stubs).map {
      try BoundedRegex(regex($0), dialect: .java, isWhole: true)
    }
    return { body in
      let text = String(decoding: body, as: UTF8.self)
      return expressions.firstIndex { $0.isFound(in: text, steps: 2_000).verdict == true }
    }
  }

  // MARK: matchesJsonSchema

  private static func schema(_ number: Int) -> StubDBJSON.JSONValue {
    .object([
      "type": "object", "required": ["id", "items"],
      "properties": .object([
        "id": .object(["const": .number(JSONNumber(number))]),
        "items": .object(["type": "array", "items": .object(["type": "object"])]),
      ]),
    ])
  }

  private static func jsonBody(_ number: Int) -> String {
    #"{"id": \#(number), "items": [{"sku": "tea", "count": 2}], "note": "leave it at the door"}"#
  }

  private static func schemaLoop() throws -> Loop {
    let schemas = try (0..<stubs).map { try JSONSchema(schema($0)) }
    return { body in
      let value = try StubDBJSON.JSONValue(parsing: body)
      return schemas.firstIndex {
        var limit = 1_000_000
        return $0.violations(in: value, checks: &limit)?.isEmpty == true
      }
    }
  }

  // MARK: equalToXml and matchesXPath

  private static func xml(_ number: Int) -> String {
    "<order><customer>Ada</customer><id>\(number)</id><item sku=\"tea\" count=\"2\"/></order>"
  }

  private static func xmlBody(_ number: Int) -> String {
    """
    <order>
      <customer>Ada</customer>
      <id>\(number)</id>
      <item count="2" sku="tea"/>
    </order>
    """
  }

  private static func xPath(_ number: Int) -> String { "/order[id = \(number)]/item" }

  private static func xmlLoop() throws -> Loop {
    let documents = try (0..<stubs).map { try XMLTree(parsing: xml($0)) }
    return { body in
      let actual = try XMLTree(parsing: String(decoding: body, as: UTF8.self))
      return documents.firstIndex {
        var limit = 1_000_000
        return XMLComparison(
          $0, actual, ignoreOrderOfSameNode: false, visiting: &limit, isText: ==
        ).count == 0
      }
    }
  }

  private static func xPathLoop() throws -> Loop {
    let paths = try (0..<stubs).map { try XPath(xPath($0)) }
    return { body in
      let tree = try XMLTree(parsing: String(decoding: body, as: UTF8.self))
      return paths.firstIndex {
        var limit = 1_000_000
        return $0.evaluate(in: tree, visiting: &limit)?.isSomething == true
      }
    }
  }
}
