internal import Foundation
internal import HTTPTypes
import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Translates the `response` of a stub.
struct WireMockResponseReader {
  let input: ImportInput
  let options: ImportOptions
  let origin: WireMockOrigin?

  /// - Throws: ``Unanswerable`` for a response that cannot be given, `DocumentError` for one with a wrong value.
  func response(_ response: SourceValue, of mapping: SourceValue) throws -> StubResponse {
    var answer = ResponseBuilder(texts: .typed, leavingOut: HeaderPolicy.lengths)
    if response.isObject, response.members.isEmpty { response.keep() }
    response.ignore("statusMessage", "fromConfiguredStub")
    if let proxy = response.given("proxyBaseUrl") {
      return try proxied(response, proxy, of: mapping)
    }
    if origin?.fails == true {
      response["fault"]?.keep()
    } else if let fault = response["fault"], let name = fault.text {
      guard let known = FailureTable.fault(ofWireMock: name) else {
        throw Unanswerable("the fault \(name) is not known")
      }
      answer.fault = known.fault
      if !known.isSame {
        answer.afterBytes = 0
        fault.change(.matcher, "The answer breaks off after its header fields")
      }
      response.ignoreUnread()
      answer.delay = try delay(response)
      return try answer.checked()
    }
    if let status = response.integer("status"), status != 0 { answer.status = status }
    answer.addHeaders(response["headers"])
    try addBody(response, to: &answer)
    answer.delay = try delay(response)
    if let dribble = response.given("chunkedDribbleDelay"),
      let count = dribble.integer("numberOfChunks")
    {
      let total = try ResponseTime.duration(dribble["totalDuration"])
      if answer.content != nil { answer.chunks = .split(count: max(1, count), over: total) }
    }
    var translated = try answer.checked()
    if origin?.isPlain != true { WireMockTemplates.settle(response, &translated, options) }
    return try restored(translated)
  }

  /// The response with what an export of stubdb found no place for.
  private func restored(_ response: StubResponse) throws -> StubResponse {
    guard let origin else { return response }
    var response = response
    if origin.addsContentType,
      response.headers[.contentType] == response.body?.kind.usualContentType
    {
      response.headers[.contentType] = nil
    }
    guard origin.fails else { return response }
    let failure = try origin.failure()
    let isEndless = response.delay == .fixed(.milliseconds(WireMockTiming.endless))
    return StubResponse(
      status: response.status, headers: response.headers, body: response.body,
      delay: isEndless ? failure.delay : response.delay, chunks: response.chunks,
      error: failure.error, fault: failure.fault, afterBytes: failure.afterBytes,
      isTemplate: response.isTemplate)
  }

  /// Passes through, where the proxy is the host that was asked for.
  private func proxied(
    _ response: SourceValue, _ proxy: SourceValue, of mapping: SourceValue
  ) throws -> StubResponse {
    let edits = [
      "proxyUrlPrefixToRemove", "additionalProxyRequestHeaders", "removeProxyRequestHeaders",
    ].compactMap(response.given)
    guard edits.allSatisfy({ $0.members.isEmpty && $0.elements.isEmpty && !$0.isString }) else {
      throw Unanswerable("it edits what it forwards, which stubdb does not")
    }
    let text = proxy.text ?? ""
    let asked = mapping["request"]?["host"]
    let host = asked?["equalTo"]?.peekedText ?? asked?.peekedText
    guard let host, host.lowercased() == URLParts(text)?.host else {
      throw Unanswerable(
        "it forwards to \(text), and stubdb passes through only to the host that was asked for")
    }
    proxy.change(
      .proxy, "proxyBaseUrl \(text): the stub passes through to the URL that was asked for")
    response.ignoreUnread()
    return StubResponse(delegation: .passthrough)
  }

  private func delay(_ response: SourceValue) throws -> ResponseDelay? {
    let fixed = try ResponseTime.duration(response["fixedDelayMilliseconds"])
    guard let distribution = response.given("delayDistribution") else { return .ifAny(fixed) }
    switch distribution.text("type") {
    case "uniform":
      return .uniform(
        try ResponseTime.duration(distribution["lower"]) + fixed,
        try ResponseTime.duration(distribution["upper"]) + fixed)
    case "lognormal":
      distribution.given("maxValue")?.change(.matcher, "The delay has no upper bound")
      if fixed > .zero {
        distribution.change(.matcher, "The fixed delay was left out beside the distribution")
      }
      return try ResponseTime.lognormal(
        median: distribution.number("median") ?? 0, sigma: distribution.number("sigma") ?? 0)
    default: return .fixed(try ResponseTime.duration(distribution["milliseconds"]) + fixed)
    }
  }
}

// MARK: - Content

extension WireMockResponseReader {
  private func addBody(_ response: SourceValue, to answer: inout ResponseBuilder) throws {
    let given = ["jsonBody", "base64Body", "bodyFileName", "body"].compactMap { name in
      response.given(name).map { (name: name, value: $0) }
    }
    for (_, value) in given.dropFirst() { value.ignore() }
    guard let (name, value) = given.first else { return }
    switch name {
    case "jsonBody": answer.content = .json(value.json)
    case "base64Body": try addBase64(value, to: &answer)
    case "bodyFileName": try addFile(value, to: &answer)
    default:
      if value.isObject { return try addEntity(value, to: &answer) }
      setText(value.text ?? "", &answer)
    }
  }

  private func setText(_ text: String, _ answer: inout ResponseBuilder) {
    guard let kind = origin?.content, !text.isEmpty else { return answer.setText(text) }
    if kind == .json, let json = try? JSONValue(parsing: text) {
      answer.content = .json(json)
    } else {
      answer.content = .body(.text(text))
    }
  }

  /// Adds bytes, without the coding that the header fields say.
  private func addBase64(_ value: SourceValue, to answer: inout ResponseBuilder) throws {
    guard origin == nil, let coding = answer.header("Content-Encoding"),
      let bytes = value.peekedText.flatMap(Base64Text.decoded),
      let content = try? ResponseBuilder.decoded(bytes, coding: coding)
    else {
      let response = try StubResponse(
        jsonObject: [ResponsePart.base64.rawValue: value.json],
        at: JSONPointer(["responses", "0"]))
      answer.content = response.body.map { .body($0) }
      return
    }
    value.keep()
    answer.removeHeader("Content-Encoding")
    // WireMock fills no placeholders in here.
    guard content.firstRange(of: Data("{{".utf8)) == nil else {
      answer.content = .body(.data(content))
      return
    }
    answer.setBytes(content)
  }

  private func addFile(_ value: SourceValue, to answer: inout ResponseBuilder) throws {
    let name = value.text ?? ""
    if name.contains("{{") { throw Unanswerable("the name of its file is a template") }
    guard let folder = input.folder else {
      throw value.failure(
        "the file \"\(name)\" cannot be read here; import the mapping from a file")
    }
    let files = folder.sibling("__files", of: "mappings", above: input.directory)
    let data = try files.read(name) { value.failure($0) }
    if origin?.content != .base64, let text = String(strictUTF8: data), text.isPlainText {
      setText(text, &answer)
    } else {
      answer.content = .body(.data(data))
    }
  }

  /// The content of WireMock 4, an object.
  private func addEntity(_ value: SourceValue, to answer: inout ResponseBuilder) throws {
    guard value.first(of: "dataStore", "dataRef") == nil else {
      throw Unanswerable("its content is in a data store")
    }
    value.ignore("format", "charset")
    let isZipped = value.text("compression")?.lowercased() == "gzip"
    if let data = value.given("data") {
      if data.isString {
        setText(data.text ?? "", &answer)
      } else {
        answer.content = .json(data.json)
      }
    } else if let base64 = value.text("base64Data") {
      guard let bytes = Data(base64Encoded: base64) else {
        throw Unanswerable("its content is not base64")
      }
      answer.content = .body(
        .data(isZipped ? try ResponseBuilder.decoded(bytes, coding: "gzip") : bytes))
    } else if let file = value["filePath"] {
      try addFile(file, to: &answer)
    }
  }
}

extension JSONValue {
  /// The Content-Type among header fields, in lower case.
  var contentType: String? {
    guard case .object(let members) = self,
      case .string(let type)? = members.first(where: { $0.key.lowercased() == "content-type" })?
        .value
    else { return nil }
    return type.lowercased()
  }
}
