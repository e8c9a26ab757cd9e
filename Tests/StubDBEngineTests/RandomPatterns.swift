import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel

@testable import StubDBEngine

/// SplitMix64: the same numbers from the same seed on every platform.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Stubs and requests made of few words, so that they often match.
enum RandomPatterns {
  private static let words = ["a", "b", "ab", "a, b", "é", "e\u{301}"]
  private static let segments = ["a", "b", "ab", "%C3%A9", ""]
  private static let methods = ["GET", "POST", "PUT"]

  static func stub(key: String, _ random: inout SeededGenerator) -> Stub {
    var pattern = RequestPattern()
    if chance(50, &random) {
      pattern.methods = Array(Set([pick(methods, &random), "PUT"])).sorted()
    }
    if chance(30, &random) { pattern.scheme = pick(["http", "https"], &random) }
    if chance(40, &random) { pattern.host = host(&random) }
    if chance(10, &random) { pattern.port = pick([80, 443, 81], &random) }
    if chance(85, &random) { pattern.path = path(&random) }
    if chance(40, &random) { pattern.query = named(["q", "é", "e\u{301}"], &random) }
    if chance(30, &random) { pattern.headers = named(["X-A", "x-b"], &random) }
    if chance(15, &random) { pattern.cookies = named(["c"], &random) }
    if chance(10, &random) { pattern.queryIsExact = true }
    if chance(40, &random) {
      pattern.body = (0..<pick([1, 1, 2], &random)).map { _ in body(&random) }
    }
    return Stub(key: key, priority: pick([5, 5, 5, 1, 9], &random), request: pattern)
  }

  static func request(_ random: inout SeededGenerator) -> StubRequest {
    let host = pick(["a.test", "A.test", "b.test", "b.test:81"], &random)
    let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      "/" + pick(segments, &random)
    }.joined()
    let items = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      pick(["q", "%C3%A9", "e%CC%81"], &random) + "=" + pick(["a", "b", "%C3%A9"], &random)
    }
    var fields = HTTPFields()
    for name in ["x-a", "X-A", "X-B", "Cookie"] where chance(40, &random) {
      let value = pick(["a", "b", "a, b", "c=a; c=b"], &random)
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return StubRequest(
      method: pick(methods, &random),
      url: "\(pick(["http", "https"], &random))://\(host)\(path)"
        + (items.isEmpty ? "" : "?" + items.joined(separator: "&")),
      headers: fields, body: .bytes(Data(pick(bodies, &random).utf8)))
  }

  private static func path(_ random: inout SeededGenerator) -> PathPattern {
    if chance(10, &random) { return .value(pick([.equalTo("/a"), .contains("/b")], &random)) }
    let parts = ["a", "b", "%C3%A9", "{x}", "{y}", "**", ""]
    let count = Int.random(in: 1...4, using: &random)
    return .template((0..<count).map { _ in "/" + pick(parts, &random) }.joined())
  }

  private static func host(_ random: inout SeededGenerator) -> ValuePattern {
    pick(
      [.equalTo("a.test"), .equalTo("B.test"), .contains("A"), .matches("[ab]\\.test")], &random)
  }

  private static func named(
    _ names: [String], _ random: inout SeededGenerator
  ) -> [NamedPattern] {
    names.filter { _ in chance(50, &random) }.map { NamedPattern($0, value(2, &random)) }
  }

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> ValuePattern {
    let word = pick(words, &random)
    if depth > 0, chance(25, &random) {
      let operands = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        value(depth - 1, &random)
      }
      return pick(
        [
          .and(operands), .or(operands), .not(operands.first ?? .absent), .hasExactly(operands),
          .includes(operands),
        ], &random)
    }
    return pick(
      [
        .equalTo(word), .equalTo(word), .equalTo(word), .equalTo(word, caseInsensitive: true),
        .contains(word), .doesNotContain(word), .matches("[ab]+"), .doesNotMatch("a"), .absent,
        .anything,
      ], &random)
  }

  private static func body(_ random: inout SeededGenerator) -> BodyPattern {
    let (order, extra) = (chance(50, &random), chance(50, &random))
    let json = pick(jsonValues, &random)
    let value = value(1, &random)
    return pick(
      [
        .value(value), .not(.value(.contains("a"))), .binaryEqualTo(Data("ab".utf8)),
        .equalToJSON(json, ignoreArrayOrder: order, ignoreExtraElements: extra),
        .equalToJSON(json, ignoreArrayOrder: order, ignoreExtraElements: extra),
        .and([.equalToJSON(json, ignoreExtraElements: true), .value(.contains("a"))]),
        .matchesJSONPath(pick(["$.a", "$[0]", "$..b", "$.*"], &random)),
        .matchesJSONPath(pick(["$.a", "$[0]", "$..b", "$.*"], &random), .value(value)),
        .matchesJSONPath("$.a", .equalToJSON([1, 2], ignoreArrayOrder: order)),
        .matchesJSONSchema(.object(["required": ["b"]])), .form([NamedPattern("a", value)]),
        .graphQL(GraphQLPattern(operationName: value, variables: chance(50, &random) ? json : nil)),
        .equalToXML(XMLPattern("<a><b/></a>")), .matchesXPath(XPathPattern("//b", value: value)),
        .value(.number(.greaterThan, JSONNumber(1))), .value(.date(.before, DatePattern("now"))),
        .multipart([PartPattern(name: "a")]),
      ], &random)
  }

  private static let jsonValues: [JSONValue] = [
    [1, 2], .object(["a": [1, 2]]), .object(["a": 0, "b": .object(["c": "x"])]),
    .object(["a": "${json-unit.any-number}", "b": nil]), .object(["b": 1]), 0, "a",
  ]

  static let bodies = [
    "", "a", "ab", "[1,2]", "[2,1,3]", "{\"a\":[2,1]}", "{\"a\":[1,2],\"b\":1}",
    "{\"a\":-0,\"b\":{\"c\":\"x\"}}", "{\"a\":0.0,\"b\":{\"c\":\"x\",\"d\":1},\"e\":1}",
    "{\"a\":5,\"b\":null}",
    "a=b&a=a", "a=ab&b", "<a><b>a</b></a>", "<a><b/></a>", "2", "2001", "{\"a\":\"b\"}",
    "{\"query\":\"{a}\",\"operationName\":\"a\",\"variables\":{\"b\":1}}",
    "{\"operationName\":null}",
  ]

  private static func pick<Element>(
    _ elements: [Element], _ random: inout SeededGenerator
  ) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}
