import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Stubs that another one hides because its requests contain theirs.
@Suite struct ContainedStubsTests {
  private static func pick<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  // MARK: Patterns of few words

  private static func value(_ random: inout SeededRandom) -> ValuePattern {
    pick(
      [
        "1", "2", .contains("1"), .anything, .absent, .hasExactly(["1"]), .hasExactly(["1", "2"]),
        .hasExactly(["1", "1"]), .includes(["1"]), .includes(["1", "2"]), .not("1"),
        .and(["1", .contains("1")]), .or(["1", "2"]), .doesNotContain("2"), .matches("[12]"),
      ], &random)
  }

  private static func named(_ random: inout SeededRandom) -> [NamedPattern] {
    ["a", "b"].filter { _ in Bool.random(using: &random) }.map { NamedPattern($0, value(&random)) }
  }

  private static func part(_ random: inout SeededRandom) -> PartPattern {
    PartPattern(
      name: pick(["a", "b", nil], &random),
      body: pick([[], [.value("1")], [.value("2")]], &random))
  }

  private static func body(_ random: inout SeededRandom) -> [BodyPattern] {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return []
    case 1, 2: return [.form(named(&random), isExact: Bool.random(using: &random))]
    case 3:
      let parts = (0..<Int.random(in: 0...2, using: &random)).map { _ in part(&random) }
      return [.multipart(parts, isExact: Bool.random(using: &random))]
    case 4:
      return [
        .graphQL(
          GraphQLPattern(
            operationName: pick([nil, "a"], &random),
            variables: pick([nil, [:], ["a": 1]], &random),
            query: pick([nil, "{ a }", "query a { a }"], &random)))
      ]
    default:
      return [
        .equalToJSON(
          pick([["a": 1], ["a": 1, "b": ["c": 2]], ["b": ["c": 2]], ["a": [1, 2]]], &random),
          ignoreArrayOrder: Bool.random(using: &random),
          ignoreExtraElements: Bool.random(using: &random))
      ]
    }
  }

  private static func pattern(_ random: inout SeededRandom) -> RequestPattern {
    RequestPattern(
      query: Int.random(in: 0..<3, using: &random) == 0 ? named(&random) : [],
      queryIsExact: Int.random(in: 0..<4, using: &random) == 0,
      headers: Int.random(in: 0..<4, using: &random) == 0
        ? [HeaderPattern(.accept, value(&random))] : [],
      body: body(&random))
  }

  /// The pattern with a further demand, so that it accepts no more than before.
  private static func narrowed(
    _ pattern: RequestPattern, _ random: inout SeededRandom
  ) -> RequestPattern {
    var pattern = pattern
    switch pattern.body.first.map(\.members) {
    case .form(let fields)?: pattern.body = [.form(fields + [NamedPattern("c", "1")])]
    case .parts(let parts)?: pattern.body = [.multipart(parts + [PartPattern(name: "c")])]
    case .graphQL(var operation)?:
      operation.variables = operation.variables ?? ["a": 1]
      pattern.body = [.graphQL(operation)]
    case .other?, nil: pattern.query.append(NamedPattern("c", "1"))
    }
    return pattern
  }

  // MARK: Requests of the same words

  private static func items(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      pick(["a", "b", "c"], &random) + "=" + pick(["1", "2"], &random)
    }.joined(separator: "&")
  }

  private static func request(_ random: inout SeededRandom) -> StubRequest {
    var request = StubRequest(method: "POST", url: "https://a.test/?" + items(&random))
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      request.headers.append(HTTPField(name: .accept, value: pick(["1", "2", "1, 2"], &random)))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1: request.body = .bytes(Data(items(&random).utf8))
    case 2:
      let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        "--b\r\nContent-Disposition: form-data; name=\"\(pick(["a", "b", "c"], &random))\"\r\n\r\n"
          + pick(["1", "2"], &random) + "\r\n"
      }
      request.headers[.contentType] = "multipart/form-data; boundary=b"
      request.body = .bytes(Data((parts.joined() + "--b--\r\n").utf8))
    default:
      request.body = .bytes(
        Data(
          pick(
            [
              #"{"query": "{ a }"}"#, #"{"query": "{ a }", "variables": {"a": 1}}"#,
              #"{"query": "query a { a }", "operationName": "a"}"#, #"{"a": 1}"#,
              #"{"a": 1, "b": {"c": 2}}"#, #"{"a": [2, 1]}"#,
              #"{"a": [1, 2], "b": {"c": 2, "d": 3}}"#,
            ], &random
          ).utf8))
    }
    return request
  }

  private static func hidden(_ first: RequestPattern, _ second: RequestPattern) -> Bool {
    let scenario = Scenario(
      name: ScenarioName(unchecked: "s"),
      stubs: [
        Stub(key: "first", request: first, responses: [StubResponse()]),
        Stub(key: "second", request: second, responses: [StubResponse()]),
      ])
    return ScenarioProblems.shadowed(in: scenario).contains { $0.key == "second" }
  }

  @Test(arguments: 0..<12)
  func noRequestReachesAStubThatIsSaidNeverToAnswer(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let requests = (0..<150).map { _ in Self.request(&random) }
    var hiddenCount = 0
    for _ in 0..<250 {
      let first = Self.pattern(&random)
      var second = Self.pattern(&random)
      if Bool.random(using: &random) { second = Self.narrowed(first, &random) }
      guard first != second, Self.hidden(first, second) else { continue }
      hiddenCount += 1
      let loaded = try LoadedScenario(
        Scenario(
          name: ScenarioName(unchecked: "s"),
          stubs: [Stub(key: "first", request: first), Stub(key: "second", request: second)]))
      for request in requests {
        #expect(
          loaded.firstMatch(for: request)?.stub.key != "second",
          "\(first.jsonObject) hides \(second.jsonObject), not \(request)")
      }
    }
    #expect(hiddenCount > 10)
  }

  @Test(arguments: 0..<4)
  func aStubWithAFurtherDemandIsHidden(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      var first = Self.pattern(&random)
      first.queryIsExact = false
      let isOpen =
        switch first.body.first.map(\.members) {
        case .form?, .parts?: first.body == first.withoutExactness.body
        default: true
        }
      let second = Self.narrowed(first, &random)
      guard isOpen, first != second else { continue }
      #expect(Self.hidden(first, second), "\(first.jsonObject) does not hide \(second.jsonObject)")
    }
  }
}

extension BodyPattern {
  fileprivate enum Members {
    case form([NamedPattern])
    case parts([PartPattern])
    case graphQL(GraphQLPattern)
    case other
  }

  fileprivate var members: Members {
    switch operation {
    case let form as FormOperator: .form(form.fields)
    case let multipart as MultipartOperator: .parts(multipart.parts)
    case let graphQL as GraphQLPattern: .graphQL(graphQL)
    default: .other
    }
  }
}
