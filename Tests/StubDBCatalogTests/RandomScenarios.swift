import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel

/// Random scenarios that use every column of the catalog; the same seed gives the same ones.
struct RandomScenarios {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &+ 0x9E37_79B9_7F4A_7C15
  }

  /// SplitMix64.
  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(bound))
  }

  mutating func chance() -> Bool { next(2) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

  /// A scenario that includes only names from the list.
  mutating func scenario(named name: ScenarioName, including names: [ScenarioName] = []) -> Scenario
  {
    var scenario = Scenario(name: name)
    if chance() {
      scenario.summary = pick(["für alle", "tab-free \"quotes\"", "\u{FEFF}mark", "e\u{301}"])
    }
    scenario.tags = Array(Set((0..<next(3)).map { _ in pick(["a", "b", "ü"]) })).sorted()
    scenario.includes =
      names.filter { _ in next(3) == 0 }.map(ScenarioReference.init(_:))
    scenario.stubs = (0..<next(5)).map { stub(key: "stub \($0)") }
    return scenario
  }

  private mutating func stub(key: String) -> Stub {
    var stub = Stub(key: Stub.Key(unchecked: key), request: request())
    if chance() { stub.summary = "why \(next(10))" }
    stub.priority = 1 + next(9)
    stub.isRequired = chance()
    stub.responses = (0...next(3)).map { _ in response() }
    stub.then = pick(AfterLastResponse.allCases)
    if chance() { stub.flow = FlowStep(name: "order", requires: "started", becomes: "paid") }
    if next(4) == 0 { try? stub.become(resource(stub.key)) }
    return stub
  }

  private mutating func resource(_ key: Stub.Key) throws(DocumentError) -> Stub {
    let seed = (0..<next(4)).map { index -> JSONObject in
      ["id": .number(JSONNumber(index)), "ü": [nil, true]]
    }
    return try Stub(
      key: key, resourceAt: pick(["/v1/items", "https://api.shop.test/a%20b"]), id: .integer,
      seed: seed, pages: chance() ? .number("ü", size: 2) : nil)
  }

  private mutating func request() -> RequestPattern {
    var request = RequestPattern()
    request.methods = pick([[], [.get], [.post], [.get, .head]])
    if chance() { request.scheme = "https" }
    if chance() { request.host = pick(["api.shop.test", .matches(".*\\.test")]) }
    if chance() { request.port = 1 + next(65_535) }
    if chance() {
      request.path = pick([.template("/v1/{id}/**"), .value(.contains("/é")), .template("/a%20b")])
      if request.path == .template("/v1/{id}/**"), chance() {
        request.pathParameters = [NamedPattern("id", .matches("\\d+"))]
      }
    }
    if chance() { request.query = [NamedPattern("q", .hasExactly(["1", .contains("ü")]))] }
    request.queryIsExact = chance()
    if chance() { request.headers = [HeaderPattern(.accept, .not(.contains("xml")))] }
    if chance() { request.cookies = [NamedPattern("session", .absent)] }
    if chance() { request.basicAuth = BasicCredentials(username: "jo", password: "pä:ss") }
    if chance() {
      request.body = [
        .equalToJSON(["a": [1, nil]], ignoreArrayOrder: true), .value(.contains("x")),
      ]
    }
    return request
  }

  private mutating func response() -> StubResponse {
    var response = StubResponse(status: 200 + next(300))
    if chance() {
      response.headers.append(.init(name: .setCookie, value: "a=1"))
      response.headers.append(.init(name: .setCookie, value: "b=2"))
    }
    switch next(6) {
    case 0: response.body = .json(["id": .number(JSONNumber(next(4))), "ü": [nil, true]])
    case 1: response.body = .text(pick(["", "plain", "ünï\u{0}cödé", "\u{FEFF}{}"]))
    case 2: response.body = .data(Data((0..<next(300)).map { UInt8(truncatingIfNeeded: $0) }))
    case 3: response.body = .text(String(repeating: "large ", count: 20_000 + next(2)))
    case 4:
      response = StubResponse(
        error: ResponseError(urlErrorName: "timedOut"), afterBytes: chance() ? 3 : nil)
    default: break
    }
    if chance() { response.delay = .lognormal(median: .milliseconds(80), sigma: 0.4) }
    response.repeatCount = 1 + next(3)
    response.isTemplate = chance()
    return response
  }
}

extension Stub {
  /// Takes over the URL of a resource, and its items in place of the last response.
  fileprivate mutating func become(_ made: Stub) {
    resource = made.resource
    (request.path, request.pathParameters) = (made.request.path, [])
    if made.request.scheme != nil {
      (request.scheme, request.host) = (made.request.scheme, made.request.host)
      request.port = made.request.port
    }
    responses[responses.count - 1] = made.responses[0]
  }
}
