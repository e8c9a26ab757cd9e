internal import Foundation
internal import StubDBModel
internal import StubDBSupport

/// Translates what an expectation answers.
struct MockServerResponseReader {
  /// Answers that code, a template or another protocol gives.
  private static let others: [(name: String, reason: String)] = [
    ("httpResponseTemplate", "its answer is a template in another language"),
    ("httpResponseClassCallback", "its answer is made by code"),
    ("httpResponseObjectCallback", "its answer is made by code"),
    ("httpClassCallback", "its answer is made by code"),
    ("httpObjectCallback", "its answer is made by code"),
    ("httpForwardTemplate", "it forwards by a template"),
    ("httpForwardClassCallback", "it forwards by code"),
    ("httpForwardObjectCallback", "it forwards by code"),
    ("httpForwardValidateAction", "it forwards and checks the answer"),
    ("httpWebSocketResponse", "it answers with a WebSocket"),
    ("grpcStreamResponse", "it answers a call of gRPC"),
    ("binaryResponse", "it answers bytes that are no HTTP"),
    ("dnsResponse", "it answers a query of DNS"),
  ]

  /// All members of an expectation that say what is answered.
  static let actions =
    [
      "httpResponse", "httpResponses", "responseMode", "httpSseResponse", "httpError",
      "httpForward", "httpOverrideForwardedRequest",
    ] + others.map(\.name)

  let input: ImportInput

  /// The responses, in their order.
  ///
  /// - Throws: ``Unanswerable`` for an answer that stubs cannot give.
  func responses(
    of expectation: SourceValue, request: SourceValue?
  ) throws -> [StubResponse] {
    if let several = expectation.given("httpResponses") {
      if expectation.text("responseMode")?.uppercased() == "RANDOM" {
        several.note(
          .dropped, .random, "Answers were chosen at random; the stub gives them in order")
      }
      expectation.ignore("httpResponse")
      let responses = try several.elements.map(response)
      guard !responses.isEmpty else { throw Unanswerable("it has no answer") }
      return responses
    }
    expectation.ignore("responseMode")
    if let single = expectation.given("httpResponse") { return [try response(single)] }
    if let stream = expectation.given("httpSseResponse") { return [try events(stream)] }
    if let error = expectation.given("httpError") { return [try failure(error)] }
    for name in ["httpForward", "httpOverrideForwardedRequest"] {
      guard let forward = expectation.given(name) else { continue }
      return [try self.forward(forward, name: name, request: request)]
    }
    if let other = Self.others.first(where: { expectation.given($0.name) != nil }) {
      throw Unanswerable(other.reason)
    }
    return [StubResponse()]
  }

  private func response(_ value: SourceValue) throws -> StubResponse {
    guard value.isObject else { throw Unanswerable("its answer is \(value.typeName)") }
    if value.members.isEmpty { return StubResponse() }
    var response = ResponseBuilder()
    value.ignore("reasonPhrase", "primary")
    addHead(value, to: &response)
    for (name, values) in entries(value["cookies"]) {
      response.addHeader("Set-Cookie", values.map { "\(name)=\($0)" })
    }
    if let body = value.given("body") { try addBody(body, to: &response) }
    response.delay = try delay(value["delay"])
    value.ignore("connectionOptions")
    return try response.checked()
  }

  private func addHead(_ value: SourceValue, to response: inout ResponseBuilder) {
    response.status = value.integer("statusCode")
    for (name, values) in entries(value["headers"]) {
      response.addHeader(name, values)
    }
  }

  /// Names with texts, as an object or a list.
  private func entries(_ value: SourceValue?) -> [(String, [String])] {
    func texts(_ value: SourceValue?) -> [String] {
      value?.elementsOrSelf.compactMap(\.text) ?? []
    }
    guard let value, !value.isNull else { return [] }
    if value.isArray {
      return value.elements.compactMap { entry in
        entry.text("name").map { ($0, texts(entry.first(of: "values", "value"))) }
      }
    }
    return value.members.filter { $0.name != "keyMatchStyle" }.map { ($0.name, texts($0.value)) }
  }

  private func addBody(_ body: SourceValue, to response: inout ResponseBuilder) throws {
    if let text = body.text { return response.setText(text) }
    let kind = try MockServerBodyKind.kind(of: body) {
      Unanswerable("its content has the type \($0)")
    }
    guard let kind else {
      response.addContentType("application/json")
      response.content = .json(body.json)
      return
    }
    body.ignore("type", "charset", "rawBytes", "not", "optional", "matchType", "subString")
    let usual: [MockServerBodyKind: String] = [.json: "application/json", .xml: "application/xml"]
    if let type = body.text("contentType") ?? usual[kind] { response.addContentType(type) }
    switch kind {
    case .string: response.setText(body.text("string") ?? "")
    case .xml: response.setText(body.text("xml") ?? "")
    case .json:
      guard let json = body["json"] else { return }
      if json.isString {
        response.setText(json.text ?? "")
      } else {
        response.content = .json(json.json)
      }
    case .binary:
      try response.setBase64(body.text("base64Bytes") ?? "")
    case .parameters:
      let pairs = entries(body["parameters"]).flatMap { name, values in
        values.map { "\(Self.encoded(name))=\(Self.encoded($0))" }
      }
      response.setText(pairs.joined(separator: "&"))
    case .file where body["templateType"] == nil:
      guard let file = body["filePath"], let name = file.text else { return }
      try response.setFile(name, at: file, of: input)
    default: throw Unanswerable("its content has the type \(kind.rawValue)")
    }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.percentEncoded { $0.isASCIILetter || $0.isASCIIDigit }
  }

  private func failure(_ value: SourceValue) throws -> StubResponse {
    var response = ResponseBuilder()
    value.ignore("primary")
    response.delay = try delay(value["delay"])
    let bytes = value.given("responseBytes")
    if let bytes {
      bytes.change(.matcher, "The bytes of the broken answer are others")
      value.ignore("dropConnection")
    } else {
      value["dropConnection"]?.keep()
    }
    response.fault = FailureTable.fault(ofMockServerSendingBytes: bytes != nil)
    return try response.checked()
  }

  /// Passes through, where it forwards to the host that was asked for.
  private func forward(
    _ value: SourceValue, name: String, request: SourceValue?
  ) throws -> StubResponse {
    guard name == "httpForward" else { throw Unanswerable("it edits what it forwards") }
    let target = value.text("host")?.lowercased() ?? ""
    let header = request?["headers"]?.members.first { $0.name.lowercased() == "host" }?.value
    let asked =
      header?.elements.first?.peekedText ?? header?.peekedText
      ?? request?["socketAddress"]?["host"]?.peekedText
    let host = asked?.lowercased().prefix { $0 != ":" }
    guard let host, host == target else {
      throw Unanswerable(
        "it forwards to \(target), and stubdb passes through only to the host that was asked for")
    }
    value.change(.proxy, "It forwards to \(target): the stub passes through to the URL asked for")
    return StubResponse(delegation: .passthrough)
  }
}

// MARK: - Streams and times

extension MockServerResponseReader {
  private func events(_ value: SourceValue) throws -> StubResponse {
    var response = ResponseBuilder()
    addHead(value, to: &response)
    response.addContentType("text/event-stream")
    value.ignore("primary", "closeConnection")
    var pieces: [ResponseChunks.Piece] = []
    for event in value.list("events") {
      var text = ""
      for name in ["event", "id", "retry"] {
        if let field = event.text(name) { text += "\(name): \(field)\n" }
      }
      for line in (event.text("data") ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)
      where event["data"] != nil {
        text += "data: \(line)\n"
      }
      var piece = ResponseChunks.Piece(.text(text + "\n"))
      if case .fixed(let after)? = try delay(event["delay"])?.kind { piece.after = after }
      pieces.append(piece)
    }
    response.chunks = pieces.isEmpty ? nil : .pieces(pieces)
    response.delay = try delay(value["delay"])
    return try response.checked()
  }

  /// A delay: a time, or one of the distributions.
  private func delay(_ value: SourceValue?) throws -> ResponseDelay? {
    guard let value = value.orIgnoredNull else { return nil }
    let unit = try Self.milliseconds(of: value.text("timeUnit"))
    guard let distribution = value.given("distribution") else {
      guard let amount = value.number("value") else { return nil }
      return .ifAny(try ResponseTime.duration(milliseconds: amount * unit))
    }
    value.ignore("value")
    func time(_ name: String) -> Double { (distribution.number(name) ?? 0) * unit }
    switch distribution.text("type")?.uppercased() {
    case "UNIFORM": return try ResponseTime.uniform(time("min"), time("max"))
    case "LOG_NORMAL":
      let (median, high) = (time("median"), time("p99"))
      guard median > 0, high >= median else { throw Untranslatable("the delay") }
      // The 99th percentile of the standard normal distribution.
      let sigma = ((log(high / median) / 2.3263) * 10_000).rounded() / 10_000
      return try ResponseTime.lognormal(median: median, sigma: sigma)
    case "GAUSSIAN":
      let (mean, deviation) = (time("mean"), time("stdDev"))
      distribution.change(
        .matcher, "The delay is uniform within two standard deviations of the mean")
      return try ResponseTime.uniform(max(0, mean - 2 * deviation), mean + 2 * deviation)
    default: throw Untranslatable("the delay")
    }
  }

  private static func milliseconds(of unit: String?) throws -> Double {
    switch unit?.uppercased() {
    case "NANOSECONDS": return 1e-6
    case "MICROSECONDS": return 1e-3
    case nil, "MILLISECONDS": return 1
    case "SECONDS": return 1e3
    case "MINUTES": return 6e4
    case "HOURS": return 3.6e6
    case "DAYS": return 8.64e7
    default: throw Untranslatable("the delay")
    }
  }
}
