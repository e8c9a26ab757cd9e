internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBDrift
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// What requests of an operation have, and what they get.
struct LearnedOperation {
  private struct Parameter {
    var name: String
    var place: String
    var example: String?
  }

  /// Header fields to which the specification gives no meaning as parameters.
  private static let undescribed = ["accept", "content-type", "authorization", "cookie"]
  /// Header fields of answers that say nothing of the operation.
  private static let technical = [
    "connection", "content-encoding", "content-length", "content-type", "date", "keep-alive",
    "transfer-encoding",
  ]

  /// The origins of the stubs, unless one of them answers any host.
  private(set) var servers: [String] = []
  private var knownServers: Set<String> = []
  private var hasAnyServer = false
  private var summary: String?
  private var parameters: [Parameter] = []
  /// The places and names of the parameters, as bytes.
  private var knownParameters: Set<[UInt8]> = []
  /// The JSON of requests, whatever its media type.
  private var requestJSON = Shape()
  private var requestContents: [String: LearnedContent] = [:]
  /// By status, or `default`.
  private var responses: [String: Response] = [:]

  private struct Response {
    var status: Int
    var headers: [String: String] = [:]
    var contents: [String: LearnedContent] = [:]

    mutating func add(_ answer: SampledAnswer, named name: String) {
      for field in answer.headers {
        let canonical = field.name.canonicalName
        guard !technical.contains(canonical), headers[canonical] == nil else { continue }
        headers[canonical] = field.name.rawName
      }
      if answer.content.isEmpty { return }
      let type = answer.headers[.contentType].flatMap(MediaType.init)
      let isJSON = type?.isJSON ?? false
      let value = isJSON ? try? JSONValue(parsing: answer.content) : nil
      contents[type?.description ?? "*/*", default: LearnedContent()].add(value, named: name)
    }
  }

  /// Adds a stub, and the answers that its example gets.
  mutating func add(
    _ stub: Stub, _ example: RequestExample, _ url: URLParts, server: String?,
    _ answers: [SampledAnswer], of scenario: ScenarioName
  ) {
    add(stub, example, url, server: server)
    for answer in answers {
      let key = (100...599).contains(answer.status) ? String(answer.status) : "default"
      responses[key, default: Response(status: answer.status)]
        .add(answer, named: "\(scenario) \(stub.key)")
    }
  }

  /// Adds what a stub asks for.
  private mutating func add(
    _ stub: Stub, _ example: RequestExample, _ url: URLParts, server: String?
  ) {
    summary = summary ?? stub.summary
    if let server, !hasAnyServer, knownServers.insert(server).inserted { servers.append(server) }
    if server == nil { (servers, hasAnyServer) = ([], true) }
    let asked = stub.request.query.filter { $0.pattern.operator != .absent }.map(\.name)
    for name in asked + url.query.map(\.name) {
      add(name, in: "query", example: url.query.first { $0.name == name }?.value)
    }
    for header in stub.request.headers where header.pattern.operator != .absent {
      let name = header.name.rawName
      if !Self.undescribed.contains(name.lowercased()) { add(name, in: "header") }
    }
    for cookie in stub.request.cookies where cookie.pattern.operator != .absent {
      add(cookie.name, in: "cookie")
    }
    addContent(of: stub.request, example)
  }

  private mutating func add(_ name: String, in place: String, example: String? = nil) {
    let identity = "\(place) \(place == "header" ? name.lowercased() : name)"
    if knownParameters.insert(Array(identity.utf8)).inserted {
      parameters.append(Parameter(name: name, place: place, example: example))
    }
  }

  private mutating func addContent(of request: RequestPattern, _ example: RequestExample) {
    if example.body.isEmpty { return }
    let type = example.headers[.contentType].flatMap(MediaType.init)?.description ?? "*/*"
    switch example.content {
    case .json(let value), .graphQL(let value):
      let values = request.body.compactMap { $0.operation as? EqualToJSONOperator }.map(\.value)
      for value in values.filter({ !$0.holdsPlaceholder }) + [value] { requestJSON.add(value) }
      requestContents[type, default: LearnedContent()].add(value, named: "example")
    case .form(let fields):
      requestContents[type, default: LearnedContent()].add(fields: fields.map(\.name))
    case .multipart(let parts):
      requestContents[type, default: LearnedContent()].add(fields: parts.map(\.name))
    case .none, .text, .bytes:
      requestContents[type, default: LearnedContent()].add(nil, named: "example")
    }
  }

  /// The members of the operation as a description has it.
  var members: [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = []
    if let summary { members.append(("summary", .string(summary))) }
    if !parameters.isEmpty {
      let sorted = parameters.sorted {
        $0.place == $1.place ? $0.name.precedesByBytes($1.name) : $0.place > $1.place
      }
      members.append(("parameters", .array(sorted.map(Self.json))))
    }
    if !requestContents.isEmpty {
      members.append(
        ("requestBody", .object([("content", Self.json(requestContents, requestJSON))])))
    }
    members.append(("responses", .object(describedResponses)))
    return members
  }

  private static func json(_ parameter: Parameter) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("name", .string(parameter.name)), ("in", .string(parameter.place)),
      ("schema", .object([("type", .string("string"))])),
    ]
    if let example = parameter.example { members.append(("example", .string(example))) }
    return .object(members)
  }

  private var describedResponses: [(String, OrderedJSON)] {
    if responses.isEmpty {
      let text = OrderedJSON.string("No stub has an answer of its own")
      return [("default", .object([("description", text)]))]
    }
    return responses.sorted { $0.key < $1.key }.map { key, response in
      let phrase = StatusPhrase.text(of: response.status)
      var members: [(String, OrderedJSON)] = [
        ("description", .string(phrase.isEmpty ? "Status \(response.status)" : phrase))
      ]
      if !response.headers.isEmpty {
        let schema = OrderedJSON.object([("type", .string("string"))])
        let headers = response.headers.sorted { $0.key < $1.key }
        members.append(
          ("headers", .object(headers.map { ($0.value, .object([("schema", schema)])) })))
      }
      if !response.contents.isEmpty { members.append(("content", Self.json(response.contents))) }
      return (key, .object(members))
    }
  }

  private static func json(
    _ contents: [String: LearnedContent], _ shape: Shape? = nil
  ) -> OrderedJSON {
    .object(
      contents.sorted { $0.key < $1.key }.map { type, content in
        (type, content.json(mediaType: type, shape))
      })
  }
}
