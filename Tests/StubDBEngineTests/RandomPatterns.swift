import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBTestSupport

@testable import StubDBEngine

/// Stubs and requests made of few words, so that they often match.
enum RandomPatterns {
  private static let words = ["a", "b", "ab", "a, b", "é", "e\u{301}"]
  private static let segments = ["a", "b", "ab", "%C3%A9", ""]
  private static let methods: [HTTPRequest.Method] = [.get, .post, .put]

  static func stub(key: String, _ random: inout SeededRandom) -> Stub {
    var pattern = RequestPattern()
    for (part, (percent, ask)) in parts.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where part != .pathParameters && chance(percent, &random) {
      ask(&pattern, &random)
    }
    return Stub(
      key: Stub.Key(unchecked: key), priority: pick([5, 5, 5, 1, 9], &random), request: pattern)
  }

  /// For each part of a request how often patterns ask something of it, and what.
  static let parts:
    [RequestPart: (percent: Int, ask: @Sendable (inout RequestPattern, inout SeededRandom) -> Void)] =
      [
        .method: (50, { $0.methods = pick([[.get, .put], [.post, .put], [.put]], &$1) }),
        .url: (
          15,
          {
            $0.wholeURL = pick(
              [
                "https://a.test/a", .matches("http://.*/a.*"), .contains("/a"), .not(.equalTo("x")),
              ],
              &$1)
          }
        ),
        .scheme: (30, { $0.scheme = pick(["http", "https"], &$1) }),
        .host: (40, { $0.host = host(&$1) }),
        .port: (10, { $0.port = pick([80, 443, 81], &$1) }),
        .path: (85, { $0.path = path(&$1) }),
        .pathParameters: (
          0,
          {
            $0.path = .template(pick(["/{x}", "/{x}/**"], &$1))
            $0.pathParameters = [NamedPattern("x", value(1, &$1))]
          }
        ),
        .query: (40, { $0.query = named(["q", "é", "e\u{301}"], &$1) }),
        .queryIsExact: (10, { pattern, _ in pattern.queryIsExact = true }),
        .headers: (
          30,
          {
            $0.headers = named(["X-A", "x-b"], &$1).compactMap { named in
              HTTPField.Name(named.name).map { HeaderPattern($0, named.pattern) }
            }
          }
        ),
        .cookies: (15, { $0.cookies = named(["c"], &$1) }),
        .basicAuth: (
          5, { $0.basicAuth = BasicCredentials(username: "a", password: pick(["", "b"], &$1)) }
        ),
        .captured: (5, { $0.captured = named(["id"], &$1) }),
        .body: (
          40,
          { pattern, random in
            pattern.body = (0..<pick([1, 1, 2], &random)).map { _ in body(&random) }
          }
        ),
      ]

  static func request(_ random: inout SeededRandom) -> StubRequest {
    let host = pick(["a.test", "A.test", "b.test", "b.test:81"], &random)
    let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      "/" + pick(segments, &random)
    }.joined()
    let items = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      pick(["q", "%C3%A9", "e%CC%81"], &random) + "=" + pick(["a", "b", "%C3%A9"], &random)
    }
    var fields = HTTPFields()
    for name in ["x-a", "X-A", "X-B", "Cookie"] where chance(40, &random) {
      let value = pick(["a", "b", "a, b", "c=a; c=b", "2"], &random)
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if chance(20, &random) {
      fields[.authorization] =
        "Basic " + Data(pick(["a:", "a:b"], &random).utf8).base64EncodedString()
    }
    let content = pick(contents, &random)
    if content.hasPrefix("--b") { fields[.contentType] = "multipart/form-data; boundary=b" }
    return StubRequest(
      method: pick(methods, &random).rawValue,
      url: "\(pick(["http", "https"], &random))://\(host)\(path)"
        + (items.isEmpty ? "" : "?" + items.joined(separator: "&")),
      headers: fields, body: .bytes(Data(content.utf8)))
  }

  /// A request with multipart content, which is rare among those of ``request(_:)``.
  static let multipartRequest = StubRequest(
    method: "POST", url: "https://a.test/",
    headers: [.contentType: "multipart/form-data; boundary=b"],
    body: .bytes(
      Data("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n--b--\r\n".utf8)))

  private static func path(_ random: inout SeededRandom) -> PathPattern {
    if chance(10, &random) { return .value(pick([.equalTo("/a"), .contains("/b")], &random)) }
    let parts = ["a", "b", "%C3%A9", "{x}", "{y}", "**", ""]
    let count = Int.random(in: 1...4, using: &random)
    return .template((0..<count).map { _ in "/" + pick(parts, &random) }.joined())
  }

  private static func host(_ random: inout SeededRandom) -> ValuePattern {
    pick(
      [.equalTo("a.test"), .equalTo("B.test"), .contains("A"), .matches("[ab]\\.test")], &random)
  }

  private static func named(
    _ names: [String], _ random: inout SeededRandom
  ) -> [NamedPattern] {
    names.filter { _ in chance(50, &random) }.map { NamedPattern($0, value(2, &random)) }
  }

  static func value(_ depth: Int, _ random: inout SeededRandom) -> ValuePattern {
    if chance(30, &random) { return .equalTo(pick(words, &random)) }
    return value(pick(ValueOperator.allCases, &random), depth, &random)
  }

  /// A pattern with the operator; each kind of operand is made here, so that new operators are included.
  static func value(
    _ known: ValueOperator, _ depth: Int, _ random: inout SeededRandom
  ) -> ValuePattern {
    let text = pick(words, &random)
    let expression = pick(["[ab]+", "a", ".*, b", "[0-9]+"], &random)
    let number = JSONNumber(pick([1, 2, 2001], &random))
    let date = DatePattern(pick(["now", "2001", "1999-01-01"], &random))
    let count = depth > 0 ? Int.random(in: 0...2, using: &random) : 0
    let patterns = (0..<count).map { _ in value(depth - 1, &random) }
    return switch known {
    case .equalTo: .equalTo(text, caseInsensitive: chance(20, &random))
    case .contains: .contains(text)
    case .doesNotContain: .doesNotContain(text)
    case .matches: .matches(expression)
    case .doesNotMatch: .doesNotMatch(expression)
    case .absent: .absent
    case .anything: .anything
    case .equalToCaptured: .equalToCaptured(pick(["id", "none"], &random))
    case .equalToNumber: .number(.equalTo, number)
    case .greaterThanNumber: .number(.greaterThan, number)
    case .greaterThanEqualNumber: .number(.greaterThanOrEqual, number)
    case .lessThanNumber: .number(.lessThan, number)
    case .lessThanEqualNumber: .number(.lessThanOrEqual, number)
    case .before: .date(.before, date)
    case .after: .date(.after, date)
    case .equalToDateTime: .date(.equalTo, date)
    case .hasExactly: .hasExactly(patterns)
    case .includes: .includes(patterns)
    case .and: .and(patterns)
    case .or: .or(patterns)
    case .not: .not(depth > 0 ? value(depth - 1, &random) : .absent)
    }
  }

  private static func body(_ random: inout SeededRandom) -> BodyPattern {
    // Sorted, because the order of a dictionary differs from process to process.
    let kind = pick(
      ["value", "and", "or", "not", "json", "json"] + bodies.keys.sorted(), &random)
    switch kind {
    case "value": return .value(value(1, &random))
    case "json": return body("equalToJson", &random)
    case "and":
      return .and([.equalToJSON(pick(jsonValues, &random), ignoreExtraElements: true), .value("a")])
    case "or": return .or([.value(value(1, &random)), body("equalToJson", &random)])
    case "not": return .not(.value(value(1, &random)))
    default: return body(kind, &random)
    }
  }

  /// A pattern with the operator of a body; see ``bodies``.
  static func body(_ name: String, _ random: inout SeededRandom) -> BodyPattern {
    bodies[name].map { $0(&random) } ?? .value("a")
  }

  /// A pattern for each operator of a body.
  static let bodies: [String: @Sendable (inout SeededRandom) -> BodyPattern] = [
    "binaryEqualTo": { .binaryEqualTo(Data(pick(["ab", "a", "2"], &$0).utf8)) },
    "equalToJson": { random in
      .equalToJSON(
        pick(jsonValues, &random), ignoreArrayOrder: chance(50, &random),
        ignoreExtraElements: chance(50, &random))
    },
    "matchesJsonPath": { random in
      let path = pick(["$.a", "$[0]", "$..b", "$.*", "$[?@ > 1]"], &random)
      if chance(30, &random) { return .matchesJSONPath(path) }
      if chance(30, &random) {
        return .matchesJSONPath(path, .equalToJSON([1, 2], ignoreArrayOrder: true))
      }
      return .matchesJSONPath(path, .value(value(1, &random)))
    },
    "matchesJsonSchema": { random in
      pick(
        [.matchesJSONSchema(["required": ["b"]]), .matchesJSONSchema(["type": "string"])], &random)
    },
    "form": { random in
      .form([NamedPattern("a", value(1, &random))], isExact: chance(50, &random))
    },
    "multipart": { random in
      .multipart(
        chance(50, &random) ? [PartPattern(name: "a")] : [], isExact: chance(50, &random))
    },
    "graphql": { random in
      .graphQL(
        GraphQLPattern(
          operationName: chance(60, &random) ? value(1, &random) : nil,
          variables: chance(40, &random) ? pick(jsonValues, &random) : nil,
          query: chance(30, &random) ? "{ a }" : nil))
    },
    "equalToXml": { random in
      .equalToXML(
        XMLPattern(
          pick(["<a><b/></a>", "<a><b>a</b></a>"], &random),
          ignoreOrderOfSameNode: chance(50, &random)))
    },
    "matchesXPath": { random in
      .matchesXPath(
        XPathPattern("//b", value: chance(60, &random) ? value(1, &random) : nil))
    },
  ]

  private static let jsonValues: [JSONValue] = [
    [1, 2], .object(["a": [1, 2]]), .object(["a": 0, "b": .object(["c": "x"])]),
    .object(["a": "${json-unit.any-number}", "b": nil]), .object(["b": 1]), 0, "a",
  ]

  static let contents = [
    "", "a", "ab", "[1,2]", "[2,1,3]", "{\"a\":[2,1]}", "{\"a\":[1,2],\"b\":1}",
    "{\"a\":-0,\"b\":{\"c\":\"x\"}}", "{\"a\":0.0,\"b\":{\"c\":\"x\",\"d\":1},\"e\":1}",
    "{\"a\":5,\"b\":null}",
    "a=b&a=a", "a=ab&b", "<a><b>a</b></a>", "<a><b/></a>", "2", "2001", "{\"a\":\"b\"}",
    "{\"query\":\"{a}\",\"operationName\":\"a\",\"variables\":{\"b\":1}}",
    "{\"operationName\":null}",
    "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n--b--\r\n",
  ]

  static func pick<Element>(
    _ elements: [Element], _ random: inout SeededRandom
  ) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  static func chance(_ percent: Int, _ random: inout SeededRandom) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}
