import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport

/// Makes scenarios of few words from a seed, and requests that their stubs often match.
struct RandomStubs {
  private var generator: SeededRandom

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  private mutating func list<Element>(
    _ bound: Int, _ make: (inout RandomStubs) -> Element
  ) -> [Element] {
    (0..<(1 + below(bound))).map { _ in make(&self) }
  }

  mutating func scenario() -> Scenario {
    Scenario(
      name: ScenarioName(unchecked: pick(["a", "Shop/cart_1", "checkout/card-declined"])),
      summary: chance(2) ? "A summary" : nil, tags: chance(2) ? ["b", "a é"] : [],
      stubs: (0..<(1 + below(6))).map { stub("\(pick(["k", "Key é", "a/b"])) \($0)") })
  }

  private mutating func stub(_ key: String) -> Stub {
    var stub = Stub(
      key: Stub.Key(unchecked: key), summary: chance(3) ? "summary" : nil,
      priority: chance(3) ? 1 + below(9) : 5, isRequired: chance(3), request: request(),
      responses: [response()])
    if chance(4) { stub.recorded = Stub.Recording(at: "2026-11-21", from: "https://a.test") }
    if chance(4) {
      stub.responses =
        (chance(3) ? [] : list(3) { $0.response() }) + [StubResponse(status: 299)]
      stub.then = pick(AfterLastResponse.allCases)
    } else if chance(3) {
      stub.flow = FlowStep(
        name: "order", requires: chance(2) ? pick(["started", "Started", "paid"]) : nil,
        becomes: "paid")
    }
    return stub
  }

  private mutating func request() -> RequestPattern {
    var request = RequestPattern()
    request.methods = pick([[], [.get], [.get, .post]])
    if chance(2) {
      request.host = pick(["a.test", "b.test", .matches("[ab]\\.test")])
      request.scheme = pick([nil, "https", "http"])
      request.port = pick([nil, 8080])
    }
    switch below(8) {
    case 0: request.path = nil
    case 1: request.path = .template("/a/{id}/**")
    case 2:
      request.path = .template("/a/{id}")
      request.pathParameters = chance(2) ? [NamedPattern("id", value(1))] : []
    case 3:
      request.path = .value(
        pick([.matches("/[ab]+"), .contains("/a"), .doesNotContain("b"), .doesNotMatch("/b.*")]))
    case 4:
      request.wholeURL = pick([
        .matches("[a-z]+://[^/?]*(?:/a.*)"), .matches("https://a\\.test/a.*"), .contains("a"),
      ])
      (request.host, request.scheme, request.port) = (nil, nil, nil)
    default: request.path = .template(pick(["/", "/a", "/b", "/a/b", "/a%20b/%7Bx%7D/%2A%2A"]))
    }
    if chance(2) { request.query = named(["a", "b c", "é"], 2) }
    request.queryIsExact = chance(3) && request.wholeURL == nil
    if chance(3) {
      request.headers = named(["X-A", "X-B"], 2).compactMap { named in
        HTTPField.Name(named.name).map { HeaderPattern($0, named.pattern) }
      }
    }
    if chance(6) { request.cookies = named(["c"], 1) }
    if chance(8) { request.basicAuth = BasicCredentials(username: "ada", password: "x") }
    if chance(20) { request.captured = named(["id"], 1) }
    if chance(2) { request.body = list(2) { $0.body(2) } }
    return request
  }

  private mutating func named(_ names: [String], _ depth: Int) -> [NamedPattern] {
    NamedPattern.sorted(names.filter { _ in chance(2) }.map { NamedPattern($0, value(depth)) })
  }

  private mutating func value(_ depth: Int) -> ValuePattern {
    if chance(2) { return .equalTo(pick(["a", "b", "ab", "1"])) }
    switch below(depth > 0 ? 14 : 9) {
    case 0: return .equalTo(pick(["a", "é"]), caseInsensitive: true)
    case 1: return .contains("a")
    case 2: return .doesNotContain("b")
    case 3: return .matches(pick(["a+", "[0-9]{1,2}"]))
    case 4: return .doesNotMatch("x")
    case 5: return .absent
    case 6: return .equalTo("a")
    case 7: return .number(pick(NumberComparison.allCases), JSONNumber(1))
    case 8:
      return .date(
        pick(DateComparison.allCases),
        DatePattern("2026-11-21T00:00:00Z", truncateActual: .firstDayOfMonth))
    case 9: return .and(list(1) { $0.value(depth - 1) } + [.contains("a")])
    case 10: return .or(list(2) { $0.value(depth - 1) } + [.equalTo("b")])
    case 11: return .not(value(depth - 1))
    case 12: return .hasExactly(list(3) { $0.value(depth - 1) })
    default: return .includes(list(3) { $0.value(depth - 1) })
    }
  }

  private mutating func body(_ depth: Int) -> BodyPattern {
    switch below(depth > 0 ? 14 : 8) {
    case 0: return .value(value(0))
    case 1: return .binaryEqualTo(Data([0, 1, UInt8(below(256))]))
    case 2, 3:
      return .equalToJSON(
        pick(Self.json), ignoreArrayOrder: chance(2), ignoreExtraElements: chance(3))
    case 4:
      return .matchesJSONSchema(
        pick([["type": "object"], ["required": ["a"]]]), dialect: chance(2) ? .draft07 : nil)
    case 5: return .form([NamedPattern("a", value(1))], isExact: chance(2))
    case 6:
      return .graphQL(
        GraphQLPattern(
          operationName: chance(2) ? "A" : nil, variables: ["b": 1], query: "query A { a }"))
    case 7:
      return .equalToXML(
        XMLPattern(
          "<a><b>1</b></a>", enablePlaceholders: chance(2), ignoreOrderOfSameNode: chance(2)))
    case 8:
      return .matchesXPath(
        XPathPattern("//x:a/text()", namespaces: ["x": "urn:x"], value: chance(2) ? "1" : nil))
    case 9:
      return .matchesJSONPath(
        pick(["$.a", "$..b", "$.a[0]", "$.a[*]", "$.a[?@.b > 1]"]),
        chance(2) ? body(0) : chance(2) ? .not(.equalToJSON(.null)) : nil)
    case 10:
      return .multipart(
        list(2) { random in
          PartPattern(
            name: random.chance(2) ? "p\"1" : nil, filename: random.chance(2) ? "f.png" : nil,
            body: random.chance(2) ? [random.body(0)] : [])
        }, isExact: chance(2))
    case 11: return .and(list(1) { $0.body(depth - 1) } + [.value(.contains("a"))])
    case 12: return .or(list(1) { $0.body(depth - 1) } + [.value(.contains("a"))])
    default: return .not(body(depth - 1))
    }
  }

  private mutating func response() -> StubResponse {
    var response = StubResponse(
      status: pick([200, 201, 404]), delay: chance(4) ? delay() : nil,
      repeatCount: 1)
    for (name, value) in [
      ("X-B", "1"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b={{x}}"),
      ("Content-Type", "application/json"),
    ] where chance(3) {
      if let name = HTTPField.Name(name) {
        response.headers.append(HTTPField(name: name, value: value))
      }
    }
    if chance(2) { response.body = content() }
    if chance(6), response.body != nil {
      response.chunks = .split(count: 1 + below(5), over: .milliseconds(below(500)))
    }
    if chance(10) { response.throttle = .bytesPerSecond(1000) }
    guard chance(5) else { return response }
    let error = ResponseError(urlErrorName: pick(["timedOut", "networkConnectionLost"]))
    return chance(2)
      ? StubResponse(delay: response.delay, error: error)
      : StubResponse(delay: response.delay, fault: pick(ResponseFault.allCases))
  }

  private mutating func content() -> ResponseBody {
    switch below(4) {
    case 0: .json(pick(Self.json + [["t": "{{request.path}}"], 1e21, nil]))
    case 1: .text(pick(["a", "{\"a\": 1}", "{{request.path}}", "é\n"]))
    case 2: .text(String(repeating: "x", count: pick([10, 70_000])))
    default: .data(Data([0, 255, UInt8(below(256))]))
    }
  }

  private mutating func delay() -> ResponseDelay {
    switch below(3) {
    case 0: .fixed(.milliseconds(1 + below(2000)))
    case 1: .uniform(.milliseconds(below(5)), .milliseconds(5 + below(9)))
    default: .lognormal(median: .milliseconds(80), sigma: 0.4)
    }
  }

  private static let json: [JSONValue] = [
    ["a": "b"], ["a": 1, "b": ["c": [1, 2.5]]], [1, "x"], "text", nil, true,
    ["a": "${json-unit.any-string}"],
  ]

  /// A request of the same few words.
  mutating func request() -> StubRequest {
    let path = pick(["/", "/a", "/b", "/a/b", "/a/1/c", "/ab", "/a%20b/%7Bx%7D/**"])
    let query = (0..<below(3)).map { _ in
      pick(["a=a", "a=b", "b+c=ab", "%C3%A9=1", "a", "z=1"])
    }.joined(separator: "&")
    var headers = HTTPFields()
    for (name, value) in [
      ("X-A", "a"), ("X-A", "b"), ("X-B", "ab"), ("Cookie", "c=a"),
      ("Authorization", "Basic YWRhOng="), ("Content-Type", "application/x-www-form-urlencoded"),
    ] where chance(3) {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    let body = pick([
      "", "a", "b", #"{"a":"b"}"#, #"{"a":1,"b":{"c":[1,2.5]}}"#, "[1,\"x\"]", "a=a",
      "<a><b>1</b></a>",
      #"{"query":"query A { a }","operationName":"A","variables":{"b":1}}"#,
    ])
    return StubRequest(
      method: pick(["GET", "POST"]),
      url: pick(["https://a.test", "http://b.test:8080", "https://b.test"]) + path
        + (query.isEmpty ? "" : "?\(query)"),
      headers: headers, body: .bytes(Data(body.utf8)))
  }
}
