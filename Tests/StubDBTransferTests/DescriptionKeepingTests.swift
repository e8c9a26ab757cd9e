import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDescriptions
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSecrets
import StubDBTransfer
import StubDBValidation
import Testing

/// Descriptions that a catalog keeps, and the requests of runs compared with them.
struct DescriptionKeepingTests {
  private static let yaml = """
    openapi: 3.0.3
    info: {title: Shop, version: "1"}
    servers: [{url: https://api.shop.test/v1}]
    paths:
      /charges:
        post:
          operationId: createCharge
          requestBody:
            required: true
            content:
              application/json: {schema: {$ref: "#/components/schemas/Charge"}}
              image/*: {}
          responses: {"201": {description: made}}
      /orders/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          parameters:
            - {name: state, in: query, required: true, schema: {enum: [open, paid]}}
            - {name: ids, in: query, schema: {type: array, items: {type: integer}}}
            - {name: X-Trace, in: header, schema: {type: string, minLength: 4}}
            - {name: sid, in: cookie, required: true, schema: {type: string}}
          responses: {"200": {description: ok}}
      /orders/new:
        get:
          responses: {"200": {description: ok}}
      /orders/{id}:copy:
        post:
          responses: {"200": {description: ok}}
    components:
      securitySchemes:
        key: {type: apiKey, in: query, name: key}
      schemas:
        Charge:
          type: object
          additionalProperties: false
          required: [id, amount]
          properties:
            id: {type: string, readOnly: true}
            amount: {type: integer, minimum: 1}
            lines: {type: array, items: {$ref: "#/components/schemas/Line"}}
        Line: {type: object, required: [sku], properties: {sku: {type: string, nullable: true}}}
    """

  private static func kept(_ yaml: String = yaml) throws -> KeptDescription {
    let input = try ImportInput(
      file: "shop.yaml", path: ["shop"], bytes: Data(yaml.utf8), folder: nil, log: ReportLog())
    return try OpenAPICheck(input).kept(file: "shop.yaml")
  }

  private static func post(_ json: String, _ type: String = "application/json") -> StubRequest {
    StubRequest(
      method: "POST", url: "https://api.shop.test/v1/charges", headers: [.contentType: type],
      body: .bytes(Data(json.utf8)))
  }

  private static func get(
    _ path: String, _ fields: [String: String] = ["Cookie": "sid=1"]
  ) -> StubRequest {
    var headers = HTTPFields()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return StubRequest(url: "https://api.shop.test\(path)", headers: headers)
  }

  private static let table: [(StubRequest, [String])] = [
    (post(#"{"amount": 1200, "lines": [{"sku": null}]}"#), []),
    (post(#"{"amount": "x"}"#), ["/body/amount: string, must be integer"]),
    (post(#"{"amount": 0}"#), ["/body/amount: must be 1 or more"]),
    (post("{}"), [#"/body: must have the member "amount""#]),
    (post(#"{"amount": 1, "note": 1}"#), ["/body/note: must not be there"]),
    (
      post(#"{"amount": 1, "lines": [{"sku": "a"}, {}]}"#),
      [#"/body/lines/1: must have the member "sku""#]
    ),
    (post("{"), ["/body: not JSON, must be application/json"]),
    (post(""), ["/body: missing, must be there"]),
    (
      post("a=1", "text/plain"),
      ["/headers/Content-Type: text/plain, must be application/json or image/*"]
    ),
    (post("…", "image/png"), []),
    (post(#"{"amount": 1}"#, "application/vnd.shop+json; charset=utf-8"), []),
    (get("/v1/orders/7?state=open&ids=1&ids[]=2&key=k"), []),
    (get("/v1/orders/new"), []),
    (
      get("/v1/orders/x?state=lost&sort=up", ["X-Trace": "abc"]),
      [
        "/path/id: string, must be integer", #"/query/state: must be one of "open", "paid""#,
        "/headers/X-Trace: must have 4 characters or more", "/cookies/sid: missing, must be there",
        "/query/sort: must not be there",
      ]
    ),
    (get("/v1/order/7"), [": there is no such path; the nearest is /v1/orders/new"]),
    (
      StubRequest(method: "DELETE", url: "https://api.shop.test/v1/charges"),
      [": /charges has POST"]
    ),
    (StubRequest(method: "POST", url: "https://api.shop.test/v1/orders/7:copy"), []),
    (StubRequest(url: "https://metrics.test/any"), []),
  ]

  @Test(arguments: table.indices) func violationsHaveTheirPlaces(index: Int) throws {
    let (request, expected) = Self.table[index]
    let found = DescribedRequests([try Self.kept()]).violations(of: request)
    #expect(found.map { "\($0.pointer): \($0.message)" } == expected)
    #expect(found.allSatisfy { $0.origin.hasPrefix("shop.yaml") })
  }

  @Test func anExportOfAllLeavesOutWhatIsKept() throws {
    let kept = try Self.kept()
    let description = try kept.scenario(named: #require(kept.scenarioName))
    let scenario = Scenario(
      name: ScenarioName(unchecked: "a/b"),
      stubs: [Stub(key: Stub.Key(unchecked: "me"), request: RequestPattern(methods: [.get]))])
    let job = ExportJob(
      from: URL(fileURLWithPath: "/shop.stubdb"), as: try #require(ExportFormats.named("openapi")),
      options: ExportOptions(), to: nil, replaces: false)
    func prepared(_ scenarios: [Scenario]) throws -> ExportJob.Prepared {
      try job.prepare(scenarios, isWhole: true, log: ReportLog())
    }
    let (all, one) = (try prepared([scenario, description]), try prepared([scenario]))
    #expect(all.result.files.map(\.content) == one.result.files.map(\.content))
    #expect(all.result.report.summary == one.result.report.summary)
  }

  @Test func aDescriptionIsReadAsItWasKeptAndOthersAreNoDescriptions() throws {
    let kept = try Self.kept()
    let name = try #require(kept.scenarioName)
    #expect(name.rawValue == "openapi/shop")
    var scenario = try kept.scenario(named: name)
    let read = try #require(try KeptDescription(scenario))
    #expect(Set(read.operations) == Set(kept.operations))
    #expect(read.hosts == ["api.shop.test"] && read.title == "Shop")
    scenario.stubs[0].responses = [.json(["requests": 2])]
    #expect(throws: KeptDescription.Failure.self) { try KeptDescription(scenario) }
    scenario.tags = []
    #expect(try KeptDescription(scenario) == nil)
  }

  private static let shop = """
    {"scenario": "checkout/paid", "stubs": [{"key": "charge", "request": {"method": "POST", "path": "/v1/charges"}}]}
    """

  private static func problems(
    _ catalog: Catalog, _ request: StubRequest, validates: Bool = true
  ) throws -> [String] {
    let player = Player(
      try catalog.load("checkout/paid"), options: PlaybackOptions(validatesRequests: validates))
    _ = player.decide(about: request)
    _ = player.decide(about: request)
    return player.problems().map { "\($0.kind.rawValue) \($0.stubKey ?? "-") \($0.message)" }
  }

  @Test func aRunHasTheProblemsOfItsRequestsButNotTheExceptions() throws {
    try withCatalog(Self.shop) { catalog in
      let wrong = Self.post(#"{"amount": "x"}"#)
      #expect(try Self.problems(catalog, wrong, validates: false).isEmpty)
      let none = try Self.problems(catalog, wrong)
      #expect(none.count == 1 && none[0].contains("stubdb check --openapi FILE --keep"))
      try DescriptionKeeping(Self.kept()).write(to: catalog)
      let expected =
        "invalidRequest charge POST /v1/charges /body/amount: string, must be integer (shop.yaml#/paths/~1charges/post)"
      #expect(try Self.problems(catalog, wrong) == [expected])
      #expect(try Self.problems(catalog, Self.post(#"{"amount": 1}"#)).isEmpty)
      let file = DriftFile.url(beside: catalog.url)
      try Data(
        #"{"ignore": [{"pointer": "/body/amount", "key": "charge", "reason": "old app"}]}"#.utf8
      )
      .write(to: file)
      #expect(try Self.problems(catalog, wrong).isEmpty)
      // What is kept anew counts at once.
      try FileManager.default.removeItem(at: file)
      let loose = Self.yaml.replacing("amount: {type: integer, minimum: 1}", with: "amount: {}")
      try DescriptionKeeping(Self.kept(loose)).write(to: catalog)
      #expect(try Self.problems(catalog, wrong).isEmpty)
    }
  }

  /// A run that is recorded passes all requests on.
  @Test func requestsThatThePolicyPassesOnCount() throws {
    try withCatalog(Self.shop.replacing("POST", with: "GET")) { catalog in
      try DescriptionKeeping(Self.kept()).write(to: catalog)
      let player = Player(
        try catalog.load("checkout/paid"),
        options: PlaybackOptions(unmatched: .passthrough, validatesRequests: true))
      _ = player.decide(about: Self.post(#"{"amount": "x"}"#))
      #expect(player.problems().map(\.kind) == [.invalidRequest])
    }
  }

  @Test func aScenarioOfAnotherKindIsNotReplaced() throws {
    try withCatalog(#"{"scenario": "openapi/shop", "stubs": [{"key": "a"}]}"#) { catalog in
      let keeping = try DescriptionKeeping(Self.kept())
      #expect(throws: DescriptionKeeping.Refusal.self) { try keeping.write(to: catalog) }
    }
  }
}
