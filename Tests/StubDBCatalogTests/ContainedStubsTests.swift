import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBContainment
import StubDBDocuments
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
        .matches("1.*"), .matches(".*"), .matches(".+"), .hasExactly([.matches(".*"), "2"]),
        .includes([.matches(".*")]),
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
    switch Int.random(in: 0..<8, using: &random) {
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
            variables: pick([nil, [:], ["a": 1], ["a": "${json-unit.ignore}"]], &random),
            query: pick([nil, "{ a }", "query a { a }"], &random)))
      ]
    case 5:
      return [
        .equalToXML(
          XMLPattern(pick(documents, &random), enablePlaceholders: Bool.random(using: &random)))
      ]
    case 6:
      return [
        .value(pick(["1", .matches("1.*"), .matches(".*"), .contains("1"), .absent], &random))
      ]
    default:
      return [
        .equalToJSON(
          pick(
            [
              ["a": 1], ["a": 1, "b": ["c": 2]], ["b": ["c": 2]], ["a": [1, 2]],
              ["a": "${json-unit.ignore}"], ["a": "${json-unit.any-number}", "b": ["c": 2]],
              ["a": 1, "b": "${json-unit.ignore-element}"], ["a": 1, "b": "${json-unit.ignore}"],
              ["a": [1, "${json-unit.ignore}"]], ["a": ["${json-unit.ignore}", 2]],
            ], &random),
          ignoreArrayOrder: Bool.random(using: &random),
          ignoreExtraElements: Bool.random(using: &random))
      ]
    }
  }

  private static let documents = [
    "<a><p>1</p><b>2</b></a>", "<a><p>${xmlunit.ignore}</p><b>2</b></a>",
    "<a><p>1</p><b>${xmlunit.ignore}</b></a>", "<a x=\"${xmlunit.ignore}\"><b>2</b></a>",
    "<a x='1'><b>2</b></a>", "<a x=\"1\"><b>2</b></a>", "<a>${xmlunit.ignore}<b/>2</a>",
    "<a> <b/>2</a>", "<a>1<b/>2</a>", "<a xmlns=\"${xmlunit.ignore}\"/>", "<a xmlns=\"1\"/>",
    "<a><![CDATA[1]]>${xmlunit.ignore}</a>", "<a><![CDATA[1]]>2</a>", "<a>12</a>",
    "<a><b>2</b><p>1</p></a>", "<a>\n<p> 1 </p><b>2</b></a>", "<a><b>2</b><p>1</p><b>3</b></a>",
  ]

  private static let templates = [
    "/", "/a/1", "/a/{id}", "/a/{id}/x", "/a/**", "/**/x", "/{x}/1", "/a/1/x", "/{x}/**", "/a/",
  ]

  private static func path(_ random: inout SeededRandom) -> PathPattern? {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1, 2: return nil
    case 3:
      let values: [ValuePattern] = [
        anyItem, "/a/1", "/a/2", .matches("/a/1"), .matches(".*/x"), .contains("a"),
      ]
      return .value(pick(values, &random))
    default: return .template(pick(templates, &random))
    }
  }

  private static let anyItem: ValuePattern = .matches("/a/.*")

  private static func pattern(_ random: inout SeededRandom) -> RequestPattern {
    RequestPattern(
      methods: pick([[], [], [.post], [.get], [.head], [.post, .head], [.get, .post]], &random),
      scheme: pick([nil, nil, "https", "http"], &random),
      host: pick([nil, nil, "a.test", .matches("[a-z]\\.test"), "b.test"], &random),
      path: path(&random),
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
    if pattern.path == .value(anyItem) { pattern.path = .value("/a/1") }
    switch pattern.body.first.map(\.members) {
    case .form(let fields)?: pattern.body = [.form(fields + [NamedPattern("c", "1")])]
    case .parts(let parts)?: pattern.body = [.multipart(parts + [PartPattern(name: "c")])]
    case .graphQL(var operation)?:
      operation.variables = operation.variables ?? ["a": 1]
      pattern.body = [.graphQL(operation)]
    case .openJSON(var members, let ignoresOrder)?:
      for (name, value) in large { members["0" + name] = value }
      pattern.body = [
        .equalToJSON(
          .object(members), ignoreArrayOrder: ignoresOrder && Bool.random(using: &random),
          ignoreExtraElements: true)
      ]
    case .other?, nil: pattern.query.append(NamedPattern("c", "1"))
    }
    return pattern
  }

  /// More members than a stub is filed under.
  fileprivate static let large: JSONObject = JSONObject(
    (10..<50).map { ("a\($0)", JSONValue.string("x")) })

  // MARK: Requests of the same words

  private static func items(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      pick(["a", "b", "c"], &random) + "=" + pick(["1", "2"], &random)
    }.joined(separator: "&")
  }

  private static func request(_ random: inout SeededRandom) -> StubRequest {
    let paths = ["/", "/a/1", "/a/2", "/a/1/x", "/a/2/x", "/a/", "/b/1", "/b/x"]
    let url = "https://a.test" + pick(paths, &random) + "?" + items(&random)
    var request = StubRequest(
      method: pick(["POST", "POST", "POST", "GET", "HEAD"], &random), url: url)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      request.headers.append(HTTPField(name: .accept, value: pick(["1", "2", "1, 2"], &random)))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 3: request.body = .bytes(Data(pick(documents, &random).utf8))
    case 4: request.body = .bytes(Data(pick(["1", "2", "12", "21"], &random).utf8))
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
              #"{"a": [1, 2], "b": {"c": 2, "d": 3}}"#, #"{"a": 1, "b": {"c": 3}}"#,
              #"{"a": 2, "b": {"c": 2}}"#, #"{"a": [1, 3]}"#, #"{"a": "1"}"#, #"{"a": [1, 2]}"#,
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
    let requests = (0..<500).map { _ in Self.request(&random) }
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

  /// The pattern with some parts of another one.
  private static func mixed(
    _ pattern: RequestPattern, _ other: RequestPattern, _ random: inout SeededRandom
  ) -> RequestPattern {
    var pattern = pattern
    func takes() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }
    if takes() { pattern.methods = other.methods }
    if takes() { pattern.scheme = other.scheme }
    if takes() { pattern.host = other.host }
    if takes() { pattern.path = other.path }
    if takes() { (pattern.query, pattern.queryIsExact) = (other.query, other.queryIsExact) }
    if takes() { pattern.headers = other.headers }
    if takes() { pattern.body = other.body }
    return pattern
  }

  @Test(arguments: 0..<4)
  func everyStubThatAcceptsAllOfALaterOneIsFound(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var count = 0
    for _ in 0..<500 {
      let first = Self.pattern(&random)
      let other = Self.pattern(&random)
      let second = Self.mixed(first, other, &random)
      // A stub that names HEAD comes first for such requests.
      let isFirst = first.methods.contains(.head) || !second.methods.contains(.head)
      let isAccepted = first.withCanonicalXML.accepts(allOf: second.withCanonicalXML)
      if isFirst, isAccepted, first != second { count += 1 }
      #expect(
        Self.hidden(first, second) == (isFirst && isAccepted),
        "\(first.jsonObject) and \(second.jsonObject)")
    }
    #expect(count > 10)
  }
}

/// Stubs of which one leaves free what the other one asks for.
@Suite struct FreePlaceTests {
  private static let any: ValuePattern = .matches(".*")

  private static func path(_ text: String) -> RequestPattern {
    RequestPattern(path: .template(text))
  }

  private static func wholePath(_ value: ValuePattern) -> RequestPattern {
    RequestPattern(path: .value(value))
  }

  private static func query(_ value: ValuePattern) -> RequestPattern {
    RequestPattern(query: [NamedPattern("a", value), NamedPattern("b", "1")])
  }

  private static func body(_ body: BodyPattern) -> RequestPattern { RequestPattern(body: [body]) }

  private static func json(_ value: JSONValue, more: Bool = false) -> RequestPattern {
    body(.equalToJSON(value, ignoreExtraElements: more))
  }

  private static func xml(_ text: String, isFree: Bool = false) -> RequestPattern {
    body(.equalToXML(XMLPattern(text, enablePlaceholders: isFree)))
  }

  private static func part(_ value: ValuePattern) -> RequestPattern {
    body(.multipart([PartPattern(name: "a", body: [.value(value)])], isExact: true))
  }

  private static func isHidden(_ second: RequestPattern, by first: RequestPattern) -> Bool {
    let scenario = Scenario(
      name: ScenarioName(unchecked: "s"),
      stubs: [Stub(key: "first", request: first), Stub(key: "second", request: second)])
    return ScenarioProblems.shadowed(in: scenario).map(\.key) == ["second"]
  }

  /// Many members before the one that another stub asks for.
  private static let large: JSONValue = .object(
    ContainedStubsTests.large.merging(["z": 1]) { $1 })

  private static let ignored: JSONValue = "${json-unit.ignore}"

  static let hiding: [(RequestPattern, RequestPattern)] = [
    (path("/v1/{secret}/x"), path("/v1/abc/x")),
    (path("/v1/{a}/{b}"), path("/v1/{x}/y")),
    (path("/v1/{a}/**"), path("/v1/abc/x/y")),
    (path("/v1/**/y"), path("/v1/abc/x/y")),
    (wholePath(.matches("/v1/.*")), wholePath("/v1/a")),
    (wholePath(.matches("/v1/.*")), wholePath(.matches("/v1/a/.+"))),
    (query(any), query("x")),
    (query(.matches("Bearer .*")), query("Bearer x")),
    (query(.matches("a\\.b.*")), query(.matches("a\\.b.*c"))),
    (query(.hasExactly([any, "2"])), query(.hasExactly(["2", "1"]))),
    (query(.hasExactly(["1", "2"])), query(.hasExactly(["2", "1"]))),
    (
      RequestPattern(headers: [HeaderPattern(.accept, any)]),
      RequestPattern(headers: [HeaderPattern(.accept, "x")])
    ),
    (json(["a": ignored, "b": [1]]), json(["a": ["x"], "b": [1]])),
    (json(["a": [ignored, 1]], more: true), json(["a": ["x", 1], "b": 2])),
    (json(["a": "${json-unit.any-string}"]), json(["a": "x"])),
    (json(["z": 1], more: true), json(large, more: true)),
    (
      body(.equalToJSON(["a": [1]], ignoreArrayOrder: true, ignoreExtraElements: false)),
      json(["a": [1]])
    ),
    (
      body(.graphQL(GraphQLPattern(operationName: .matches("a.*"), query: "{ a }"))),
      body(.graphQL(GraphQLPattern(operationName: "ab", query: "{ a }")))
    ),
    (
      body(.graphQL(GraphQLPattern(variables: ["a": ignored], query: "{ a }"))),
      body(.graphQL(GraphQLPattern(variables: ["a": "x"], query: "{ a }")))
    ),
    (
      xml("<a n=\"${xmlunit.ignore}\"><p>${xmlunit.ignore}</p></a>", isFree: true),
      xml("<a n=\"x\"><p>y</p></a>")
    ),
    (xml("<a><b>1</b><c>2</c></a>"), xml("<a> <c>2</c><b>1</b></a>")),
    (
      xml("<a><c>2</c><b n='1'>${xmlunit.ignore}</b></a>", isFree: true),
      xml("<a><b n=\"1\">x</b>\n<c> 2</c></a>")
    ),
    (part(any), part("x")),
    (body(.form([NamedPattern("a", any)])), body(.form([NamedPattern("a", "x")]))),
    (body(.value(.matches("a=.*"))), body(.value("a=1"))),
  ]

  @Test(arguments: hiding.indices)
  func aStubThatLeavesMoreFreeHidesTheOther(index: Int) {
    let (first, second) = Self.hiding[index]
    #expect(Self.isHidden(second, by: first), "\(first.jsonObject) \(second.jsonObject)")
  }

  static let apart: [(RequestPattern, RequestPattern)] = [
    (path("/v1/{secret}/x"), path("/v1//x")),
    (path("/v1/{secret}/x"), path("/v1/**")),
    (
      RequestPattern(path: .template("/{a}/{b}"), pathParameters: [NamedPattern("a", "1")]),
      RequestPattern(path: .template("/{b}/{a}"), pathParameters: [NamedPattern("a", "1")])
    ),
    (query(.matches("a.*")), query("b")),
    (query(.matches("(?i)a")), query("(?i)a")),
    (query(.matches("a.c")), query(.matches("a.*c"))),
    (query(.matches("\\d.*")), query("d")),
    (query(.hasExactly([any, any])), query(.hasExactly(["1"]))),
    (json(["a": ignored]), json(["a": "${json-unit.ignore-element}"])),
    (json(["a": ignored]), json([:])),
    (json(["a": ignored]), json(["a": 1, "b": 2])),
    (json(["a": "${json-unit.any-number}"]), json(["a": "1"])),
    (xml("<a>${xmlunit.ignore}</a>"), xml("<a>x</a>")),
    (xml("<a><b>1</b><b>2</b></a>"), xml("<a><b>2</b><b>1</b></a>")),
    (xml("<a>x<b/></a>"), xml("<a>x<b/>y</a>")),
    (xml("<a>${xmlunit.ignore}<b/>c</a>", isFree: true), xml("<a> <b/>c</a>")),
    (xml("<a>${xmlunit.ignore}<!-- b -->c</a>", isFree: true), xml("<a>x<!-- b -->c</a>")),
    (xml("<a xmlns=\"${xmlunit.ignore}\"/>", isFree: true), xml("<a xmlns=\"x\"/>")),
    (xml("<a n='\"${xmlunit.ignore}\"'/>", isFree: true), xml("<a n='\"x\"'/>")),
    (xml("<a>x>${xmlunit.ignore}</a>", isFree: true), xml("<a>x>y</a>")),
  ]

  @Test(arguments: apart.indices)
  func aStubThatAsksForMoreIsNotSaidToHideTheOther(index: Int) {
    let (first, second) = Self.apart[index]
    #expect(!Self.isHidden(second, by: first), "\(first.jsonObject) \(second.jsonObject)")
  }
}

extension BodyPattern {
  fileprivate enum Members {
    case form([NamedPattern])
    case parts([PartPattern])
    case graphQL(GraphQLPattern)
    case openJSON(JSONObject, ignoresOrder: Bool)
    case other
  }

  fileprivate var members: Members {
    switch operation {
    case let form as FormOperator: .form(form.fields)
    case let multipart as MultipartOperator: .parts(multipart.parts)
    case let graphQL as GraphQLPattern: .graphQL(graphQL)
    case let json as EqualToJSONOperator:
      if json.ignoreExtraElements, case .object(let members) = json.value {
        .openJSON(members, ignoresOrder: json.ignoreArrayOrder)
      } else {
        .other
      }
    default: .other
    }
  }
}
