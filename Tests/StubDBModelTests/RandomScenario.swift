import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBTestSupport

/// Makes scenarios that use the whole model, in the form that the decoder returns.
struct RandomScenario {
  private var generator: SeededRandom

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  mutating func next() -> Scenario {
    Scenario(
      name: ScenarioName(unchecked: pick(["a", "checkout/card-declined", "A.b_c/d-1/e"])),
      summary: chance(3) ? pick(Self.texts.filter { !$0.isEmpty && !$0.contains("\n") }) : nil,
      tags: Array(["b", "a", "z z", "é\"\\"].shuffled(using: &generator).prefix(below(4))),
      includes: ["i/1", "i/2", "i/0", "other:i/1", "a.b-c:i"].shuffled(using: &generator)
        .prefix(below(6)).compactMap { ScenarioReference($0) },
      stubs: (0..<below(4)).map { stub("key \($0)") })
  }

  private static let texts = [
    "", "a", "b/c", "é ü", "😀", "\"quoted\"", "back\\slash", "line\nbreak", "{x}", "a&b=c+d%20",
    "~0",
  ]

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
  private mutating func text() -> String { pick(Self.texts) }
  private mutating func filled() -> String { pick(Self.texts.filter { !$0.isEmpty }) }

  private mutating func list<Element>(
    _ bound: Int, _ make: (inout RandomScenario) -> Element
  ) -> [Element] {
    (0..<below(bound)).map { _ in make(&self) }
  }

  private mutating func stub(_ key: String) -> Stub {
    let stub = plainStub(key)
    return chance(4) ? (try? resource(stub)) ?? stub : stub
  }

  /// The stub with a resource in place of its URL and its last response.
  private mutating func resource(_ other: Stub) throws(DocumentError) -> Stub {
    let isInteger = chance(2)
    let member = pick(["id", "sku", "a \""])
    let seed = list(4) { $0.json(2) }.enumerated().map { index, value -> JSONObject in
      [member: isInteger ? .number(JSONNumber(index * 7 - 7)) : .string("é \(index)"), "a": value]
    }
    let pages: Stub.Pages? =
      chance(2) ? nil : chance(2) ? .offset("a&b", size: 1 + below(9)) : .number()
    let made = try Stub(
      key: other.key, resourceAt: pick(["/v1/items", "https://[::1]:8080/a%20b/%2F", "/(a)+$*"]),
      id: isInteger ? .integer(member: member) : .uuid(member: member), seed: seed, pages: pages)
    var stub = other
    (stub.resource, stub.request.wholeURL) = (made.resource, nil)
    (stub.request.path, stub.request.pathParameters) = (made.request.path, [])
    if let host = made.request.host {
      (stub.request.scheme, stub.request.host) = (made.request.scheme, host)
      stub.request.port = made.request.port
    }
    stub.responses[stub.responses.count - 1] = StubResponse(
      headers: chance(2) ? [.server: "s"] : [:], body: made.responses.last?.body,
      delay: chance(2) ? delay() : nil)
    return stub
  }

  private mutating func plainStub(_ key: String) -> Stub {
    Stub(
      key: Stub.Key(unchecked: key), summary: chance(3) ? "summary" : nil,
      priority: chance(3) ? 1 + below(9) : 5,
      isRequired: chance(3), request: request(), captures: captures(),
      responses: (0...below(3)).map { _ in response() }, then: pick(AfterLastResponse.allCases),
      flow: chance(3)
        ? FlowStep(
          name: "order", requires: chance(2) ? FlowStep.initialState : nil,
          becomes: chance(2) ? "paid" : nil) : nil,
      recorded: chance(3)
        ? Stub.Recording(
          at: pick(["2026-11-21", "2026-11-21T09:30:00.5+01:00"]),
          from: chance(2) ? "https://api.shop.test" : nil) : nil)
  }

  private mutating func captures() -> [Capture] {
    guard chance(3) else { return [] }
    let names = ["id", "orders/{{request.path.id}}", "é \""].shuffled(using: &generator)
    return names.prefix(1 + below(3)).map { name in
      Capture(
        name,
        pick([
          .jsonPath("$.a"), .pathParameter("id"), .query("q"), .header(.contentType), .cookie("c"),
          .template("{{uuid}}"), .nothing,
        ]))
    }
  }

  private mutating func request() -> RequestPattern {
    var request = RequestPattern()
    request.methods = pick([[], [.get], [.get, .post], [HTTPRequest.Method("PURGE") ?? .get]])
    request.scheme = pick([nil, "https", "http", "ws"])
    request.host = pick([
      nil, "api.shop.test", "[::1]", "xn--bcher-kva.test", .matches(".*\\.test"),
    ])
    request.port = pick([nil, nil, 8080])
    switch below(4) {
    case 0: request.path = .value(value(2))
    case 1: request.path = nil
    case 2:
      request.path = .template("/v1/{id}/**")
      if chance(2) { request.pathParameters = [NamedPattern("id", value(2))] }
    default: request.path = .template(pick(["/", "/a%20b/%2F", "//x", "/%7Bx%7D/%2A%2A"]))
    }
    if chance(6) {
      request.wholeURL = pick([.matches("https://.*"), "https://a.test/b?c=d", .not(.absent)])
    }
    request.query = named(Self.texts)
    request.queryIsExact = chance(3)
    request.headers = named(["X-B", "x-a", "Accept", "b"]).compactMap { named in
      HTTPField.Name(named.name).map { HeaderPattern($0, named.pattern) }
    }
    request.cookies = named(["session", "a[b]"])
    if chance(4) { request.basicAuth = BasicCredentials(username: "ada", password: text()) }
    request.captured = named(["id", "orders/{{request.path.id}}"])
    request.body = list(3) { $0.body(2) }
    return request
  }

  private mutating func named(_ names: [String]) -> [NamedPattern] {
    guard chance(2) else { return [] }
    let chosen = names.shuffled(using: &generator).prefix(below(3))
    return NamedPattern.sorted(chosen.map { NamedPattern($0, value(2)) })
  }

  private mutating func value(_ depth: Int) -> ValuePattern {
    if chance(12) { return .equalToCaptured(pick(["id", "a/{{request.query.b}}"])) }
    switch below(depth > 0 ? 14 : 9) {
    case 0: return .equalTo(text(), caseInsensitive: chance(2))
    case 1: return .contains(text())
    case 2: return .doesNotContain(text())
    case 3: return .matches(pick(["a+", "[0-9]{2}\\."]))
    case 4: return .doesNotMatch("^x$")
    case 5: return .absent
    case 6: return .anything
    case 7: return .number(pick(NumberComparison.allCases), number())
    case 8: return .date(pick(DateComparison.allCases), date())
    case 9: return .and(list(3) { $0.value(depth - 1) })
    case 10: return .or(list(3) { $0.value(depth - 1) })
    case 11: return .not(value(depth - 1))
    case 12: return .hasExactly(list(4) { $0.value(depth - 1) })
    default: return .includes(list(3) { $0.value(depth - 1) })
    }
  }

  private mutating func date() -> DatePattern {
    var date = DatePattern(pick(["now", "now +3 days", "2026-11-21T00:00:00Z"]))
    if chance(2) { date.actualFormat = "unix" }
    if chance(2) { date.truncateExpected = pick(DatePattern.Truncation.allCases) }
    if chance(2) { date.truncateActual = pick(DatePattern.Truncation.allCases) }
    date.applyTruncationLast = chance(2)
    if chance(2) {
      date.expectedOffset = DatePattern.Offset(below(20) - 10, pick(DatePattern.Unit.allCases))
    }
    return date
  }

  private mutating func body(_ depth: Int) -> BodyPattern {
    switch below(depth > 0 ? 13 : 9) {
    case 0, 1: return .value(value(depth))
    case 2: return .binaryEqualTo(data())
    case 3:
      return .equalToJSON(json(3), ignoreArrayOrder: chance(2), ignoreExtraElements: chance(2))
    case 4: return .matchesJSONSchema(["type": "object"], dialect: chance(2) ? .draft07 : nil)
    case 5: return .form(named(Self.texts), isExact: chance(2))
    case 6:
      return .graphQL(
        GraphQLPattern(
          operationName: chance(2) ? value(1) : nil, variables: chance(2) ? json(2) : nil,
          query: chance(2) ? "{ a }" : nil))
    case 7:
      return .equalToXML(
        XMLPattern("<a/>", enablePlaceholders: chance(2), ignoreOrderOfSameNode: chance(2)))
    case 8:
      return .matchesXPath(
        XPathPattern(
          "//a", namespaces: chance(2) ? ["x": "urn:x"] : [:], value: chance(2) ? value(1) : nil))
    case 9: return .matchesJSONPath("$.a", chance(2) ? body(depth - 1) : nil)
    case 10:
      return .multipart(
        list(3) { random in
          PartPattern(
            name: random.chance(2) ? random.text() : nil,
            filename: random.chance(2) ? random.value(1) : nil,
            headers: random.chance(2) ? [] : [HeaderPattern(.contentType, random.value(2))],
            body: random.list(3) { $0.body(depth - 1) })
        }, isExact: chance(2))
    case 11: return .and(list(3) { $0.body(depth - 1) })
    default: return chance(2) ? .or(list(3) { $0.body(depth - 1) }) : .not(body(depth - 1))
    }
  }

  /// The response with an end after some of its bytes.
  private mutating func ended(
    _ response: StubResponse, error: ResponseError? = nil, fault: ResponseFault? = nil
  ) -> StubResponse {
    StubResponse(
      status: response.status, headers: response.headers, body: response.body,
      delay: response.delay, chunks: response.chunks, throttle: response.throttle, error: error,
      fault: fault, afterBytes: below(10), repeatCount: response.repeatCount,
      isTemplate: response.isTemplate)
  }

  private mutating func response() -> StubResponse {
    var response = StubResponse(
      status: pick([200, 200, 404, 299, 999]), delay: chance(2) ? delay() : nil,
      repeatCount: chance(3) ? 2 : 1, isTemplate: chance(4))
    for (name, value) in [
      ("X-B", "1"), ("set-cookie", "a=1"), ("set-cookie", "b=\"é\""), ("A", ""),
    ]
    where chance(2) {
      if let name = HTTPField.Name(name) {
        response.headers.append(HTTPField(name: name, value: value))
      }
    }
    if chance(2) { response.body = content() }
    if chance(3) {
      response.chunks =
        response.body == nil
        ? .pieces((0...below(3)).map { _ in .init(content(), after: duration()) })
        : .split(count: 1 + below(5), over: duration())
    }
    if chance(4) {
      response.throttle =
        chance(2) ? .network(pick(NetworkProfile.allCases)) : .bytesPerSecond(pick([1, 64_000]))
    }
    if chance(3) {
      let codes = [-1001, -1009, -4242]
      let domain = chance(2) ? "NSURLErrorDomain" : "é"
      let error = ResponseError(
        domain: domain, code: pick(codes), userInfo: chance(2) ? ["a": json(2)] : [:])
      response = ended(response, error: error)
    } else if chance(4) {
      response = ended(response, fault: pick(ResponseFault.allCases))
    }
    if chance(5) {
      response = StubResponse(
        delay: response.delay, error: ResponseError(urlErrorName: "timedOut"),
        repeatCount: response.repeatCount)
    }
    if response.isTemplate, chance(2) {
      (response.status, response.statusTemplate) = (200, "{{request.query.status}}")
    }
    if chance(6) {
      response = StubResponse(
        webSocket: webSocket(), headers: response.headers, delay: response.delay,
        repeatCount: response.repeatCount, isTemplate: response.isTemplate)
    }
    if chance(8) {
      response = StubResponse(
        delay: response.delay, repeatCount: response.repeatCount,
        delegation: pick(StubResponse.Delegation.allCases))
    }
    if chance(5) {
      let isTemplate = chance(2)
      response.callbacks = (0...below(2)).map { _ in
        ResponseCallback(
          isTemplate ? "{{request.path}}" : "https://hooks.test/a?b=c",
          method: pick(["POST", "GET"]),
          headers: chance(2) ? [.contentType: "a/b"] : [:], body: chance(2) ? content() : nil,
          after: duration(), times: 1 + below(3), isTemplate: isTemplate)
      }
    }
    return response
  }

  private mutating func webSocket() -> WebSocketScript {
    var script = WebSocketScript(
      subprotocol: chance(2) ? "orders.v1" : nil,
      frames: list(4) { random in
        random.chance(2)
          ? .send(random.content(), after: random.duration())
          : WebSocketScript.Frame(
            kind: .expect(
              random.list(2) { $0.body(2) } + [random.body(2)],
              within: random.chance(2) ? random.duration() : nil))
      }, otherwise: pick(WebSocketScript.Otherwise.allCases))
    if let start = script.frames.lastIndex(where: \.isPause), chance(2) {
      script.repeatFrom = below(start + 1)
    } else if chance(2) {
      script.frames.append(
        pick([
          .close(4000, reason: filled(), after: duration()), .close(), .reset(after: duration()),
          .silence(),
        ]))
    }
    return script
  }

  private mutating func content() -> ResponseBody {
    switch below(3) {
    case 0: .json(json(3))
    case 1: .text(text())
    default: .data(data())
    }
  }

  private mutating func delay() -> ResponseDelay {
    switch below(3) {
    case 0: return .fixed(duration())
    case 1:
      let times = [duration(), duration()].sorted()
      return .uniform(times[0], times[1])
    default: return .lognormal(median: duration(), sigma: pick([0, 0.4, 1e-7, 12]))
    }
  }

  private mutating func duration() -> Duration {
    pick([
      .zero, .microseconds(7), .milliseconds(250), .milliseconds(1500), .seconds(2), .seconds(60),
      .seconds(86_400), .nanoseconds(1_500), Duration(secondsComponent: 1, attosecondsComponent: 1),
    ])
  }

  private mutating func data() -> Data {
    Data(list(6) { UInt8($0.below(256)) })
  }

  private mutating func number() -> JSONNumber {
    JSONNumber(pick([0, -1.5, 1e21, 12])) ?? JSONNumber(0)
  }

  private mutating func json(_ depth: Int) -> JSONValue {
    switch below(depth > 0 ? 6 : 4) {
    case 0: .null
    case 1: .bool(chance(2))
    case 2: .number(number())
    case 3: .string(text())
    case 4: .array(list(3) { $0.json(depth - 1) })
    default:
      .object(
        Dictionary(list(3) { ($0.text(), $0.json(depth - 1)) }) { first, _ in first })
    }
  }
}
