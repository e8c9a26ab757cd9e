internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Translates the `response` of a stub.
struct WireMockResponseReader {
  let input: ImportInput
  let options: ImportOptions
  /// Why a response cannot be translated; empty until it happens.
  private(set) var reason = ""

  private let origin: WireMockOrigin?

  init(input: ImportInput, options: ImportOptions, origin: WireMockOrigin?) {
    self.origin = origin
    self.input = input
    self.options = options
  }

  /// The response of a document; nil if it cannot be given.
  mutating func response(
    _ response: SourceValue, of mapping: SourceValue
  ) throws -> [String: JSONValue]? {
    var answer = ResponseBuilder(texts: .typed, leavingOut: HeaderPolicy.lengths)
    if response.isObject, response.members.isEmpty { response.keep() }
    response.ignore("statusMessage", "fromConfiguredStub")
    if let proxy = response["proxyBaseUrl"], !proxy.isNull {
      return proxied(response, proxy, of: mapping)
    }
    if origin?.error != nil || origin?.fault != nil {
      response["fault"]?.keep()
    } else if let fault = response["fault"], let name = fault.text {
      guard let known = FailureTable.fault(ofWireMock: name) else {
        reason = "the fault \(name) is not known"
        return nil
      }
      answer.fault = known.fault
      if !known.isSame {
        answer.afterBytes = 0
        fault.change(.matcher, "The answer breaks off after its header fields")
      }
      response.ignoreUnread()
      try addDelay(response, to: &answer)
      return answer.document
    }
    if let status = response.integer("status"), status != 0 {
      answer.status = status
    }
    answer.addHeaders(response["headers"])
    guard try addBody(response, to: &answer) else { return nil }
    try addDelay(response, to: &answer)
    var document = answer.document
    try addPieces(response, to: &document)
    if origin?.isPlain != true { WireMockTemplates.settle(response, &document, options) }
    restore(&document)
    return document
  }

  private func addPieces(
    _ response: SourceValue, to document: inout [String: JSONValue]
  ) throws {
    if let dribble = response["chunkedDribbleDelay"], !dribble.isNull,
      let count = dribble.integer("numberOfChunks")
    {
      let total = try Self.time(dribble["totalDuration"])
      if document["json"] != nil || document["text"] != nil || document["base64"] != nil {
        document["chunks"] = .object([
          "count": .number(JSONNumber(max(1, count))), "over": .string("\(total)ms"),
        ])
      }
    }
  }

  /// Puts back what an export of stubdb found no place for.
  private func restore(_ document: inout [String: JSONValue]) {
    guard let origin else { return }
    if origin.addsContentType, case .object(var headers) = document["headers"] {
      let kinds: [ResponseBody.Kind] = [.json, .text, .base64]
      let kind = kinds.first { document[$0.rawValue] != nil }
      if let type = headers["Content-Type"], type == kind?.usualContentType.map(JSONValue.string) {
        headers["Content-Type"] = nil
        document["headers"] = headers.isEmpty ? nil : .object(headers)
      }
    }
    guard origin.error != nil || origin.fault != nil else { return }
    document["error"] = origin.error
    document["fault"] = origin.fault
    document["afterBytes"] = origin.afterBytes
    let sendsNothing = origin.afterBytes == nil && origin.fault != "truncated"
    if sendsNothing { for name in ["status", "headers"] { document[name] = nil } }
    if document["delay"] == .string("\(WireMockTiming.endless)ms") {
      document["delay"] = origin.delay
    }
  }

  /// Passes through, where the proxy is the host that was asked for.
  private mutating func proxied(
    _ response: SourceValue, _ proxy: SourceValue, of mapping: SourceValue
  ) -> [String: JSONValue]? {
    let edits = [
      "proxyUrlPrefixToRemove", "additionalProxyRequestHeaders", "removeProxyRequestHeaders",
    ]
    if edits.contains(where: { name in
      response[name].map {
        !$0.isNull && !($0.members.isEmpty && $0.elements.isEmpty && !$0.isString)
      }
        ?? false
    }) {
      reason = "it edits what it forwards, which stubdb does not"
      return nil
    }
    let text = proxy.text ?? ""
    let target = URLParts(text)
    let asked = mapping["request"]?["host"]
    let host = asked?["equalTo"]?.peekedText ?? asked?.peekedText
    guard let host, host.lowercased() == target?.host else {
      reason =
        "it forwards to \(text), and stubdb passes through only to the host that was asked for"
      return nil
    }
    proxy.change(
      .proxy, "proxyBaseUrl \(text): the stub passes through to the URL that was asked for")
    response.ignoreUnread()
    return ["passthrough": true]
  }

  /// A year, in milliseconds.
  private static let longestTime = 365 * 86_400_000

  /// A time in milliseconds; 0 without one.
  private static func time(_ value: SourceValue?) throws -> Int {
    guard let value, !value.isNull else {
      value?.ignore()
      return 0
    }
    guard let time = value.integer, (0...longestTime).contains(time) else {
      throw Untranslatable("the delay")
    }
    return time
  }

  private func addDelay(
    _ response: SourceValue, to document: inout ResponseBuilder
  ) throws {
    let fixed = try Self.time(response["fixedDelayMilliseconds"])
    guard let distribution = response["delayDistribution"], !distribution.isNull else {
      if fixed > 0 { document["delay"] = .string("\(fixed)ms") }
      return
    }
    switch distribution.text("type") {
    case "uniform":
      let lower = try Self.time(distribution["lower"])
      let upper = try Self.time(distribution["upper"])
      document["delay"] = try ResponseTime.uniform(Double(lower + fixed), Double(upper + fixed))
    case "lognormal":
      document["delay"] = try ResponseTime.lognormal(
        median: distribution.number("median") ?? 0, sigma: distribution.number("sigma") ?? 0)
      if distribution["maxValue"].map({ !$0.isNull }) ?? false {
        distribution["maxValue"]?.change(.matcher, "The delay has no upper bound")
      }
      if fixed > 0 {
        distribution.change(.matcher, "The fixed delay was left out beside the distribution")
      }
    default:
      let whole = try Self.time(distribution["milliseconds"]) + fixed
      document["delay"] = .string("\(whole)ms")
    }
  }
}

// MARK: - Content

extension WireMockResponseReader {
  /// Adds the content; false if it cannot be given.
  private mutating func addBody(
    _ response: SourceValue, to document: inout ResponseBuilder
  ) throws -> Bool {
    let names = ["jsonBody", "base64Body", "bodyFileName", "body"]
    let given = names.filter { response[$0].map { !$0.isNull } ?? false }
    for name in given.dropFirst() { response[name]?.ignore() }
    guard let name = given.first, let value = response[name] else { return true }
    switch name {
    case "jsonBody": document.content = .json(value.json)
    case "base64Body": addBase64(value, to: &document)
    case "bodyFileName": return try addFile(value, to: &document)
    default:
      if value.isObject { return try addEntity(value, to: &document) }
      setText(value.text ?? "", &document)
    }
    return true
  }

  private func setText(_ text: String, _ document: inout ResponseBuilder) {
    guard let kind = origin?.content, !text.isEmpty else { return document.setText(text) }
    if kind == .json, let json = try? JSONValue(parsing: text) {
      document.content = .json(json)
    } else {
      document.content = .body(.text(text))
    }
  }

  /// Adds bytes, without the coding that the header fields say.
  private func addBase64(_ value: SourceValue, to document: inout ResponseBuilder) {
    guard origin == nil, let coding = document.header("Content-Encoding"),
      let bytes = value.peekedText.flatMap(Base64Text.decoded),
      let content = try? ResponseBuilder.decoded(bytes, coding: coding)
    else {
      document["base64"] = value.json
      return
    }
    value.keep()
    document.removeHeader("Content-Encoding")
    // WireMock fills no placeholders in here.
    guard content.firstRange(of: Data("{{".utf8)) == nil else {
      document.content = .body(.data(content))
      return
    }
    document.setBytes(content)
  }

  private mutating func addFile(
    _ value: SourceValue, to document: inout ResponseBuilder
  ) throws -> Bool {
    let name = value.text ?? ""
    if name.contains("{{") {
      reason = "the name of its file is a template"
      return false
    }
    guard let folder = input.folder else {
      throw value.failure(
        "the file \"\(name)\" cannot be read here; import the mapping from a file")
    }
    let files = folder.sibling("__files", of: "mappings", above: input.directory)
    let data = try files.read(name) { value.failure($0) }
    if origin?.content != .base64, let text = String(strictUTF8: data), text.isPlainText {
      setText(text, &document)
    } else {
      document.content = .body(.data(data))
    }
    return true
  }

  /// The content of WireMock 4, an object.
  private mutating func addEntity(
    _ value: SourceValue, to document: inout ResponseBuilder
  ) throws -> Bool {
    if value.first(of: "dataStore", "dataRef") != nil {
      reason = "its content is in a data store"
      return false
    }
    value.ignore("format", "charset")
    let isZipped = value.text("compression")?.lowercased() == "gzip"
    if let data = value["data"], !data.isNull {
      if data.isString {
        setText(data.text ?? "", &document)
      } else {
        document.content = .json(data.json)
      }
    } else if let base64 = value.text("base64Data") {
      guard let bytes = Data(base64Encoded: base64) else {
        reason = "its content is not base64"
        return false
      }
      document.content = .body(
        .data(isZipped ? try ResponseBuilder.decoded(bytes, coding: "gzip") : bytes))
    } else if let file = value["filePath"] {
      return try addFile(file, to: &document)
    }
    return true
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
