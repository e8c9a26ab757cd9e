internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes the `response` of a mapping.
struct WireMockResponseWriter {
  /// What is larger goes into a file of its own.
  private static let maximumInlineByteCount = 64 * 1024

  /// The response of a mapping.
  private(set) var members: JSONObject = [:]
  /// What of the response has no place there, for a later import.
  private(set) var origin: JSONObject = [:]
  /// The error in stubdb's words, which is how mappings name it to other tools.
  private(set) var error: JSONValue?
  /// The file that the content is in; nil if it is in the mapping.
  private(set) var file: ExportedFile?

  private let response: StubResponse
  private let document: SourceValue?

  /// - Throws: ``Untranslatable`` for a response that WireMock cannot give.
  init(_ response: StubResponse, document: SourceValue?, of request: RequestPattern) throws {
    self.response = response
    self.document = document
    document?["repeat"]?.keep()
    if let delegation = response.delegation {
      members = try passthrough(delegation, of: request)
      addTiming()
      return
    }
    guard response.webSocket == nil else {
      throw Untranslatable("webSocket", "WireMock 3 has no WebSockets")
    }
    guard response.statusTemplate == nil else {
      throw Untranslatable("status", "a status cannot be a template there")
    }
    document?.keep("status", "json", "text", "base64")
    members["status"] = .number(JSONNumber(response.status))
    addTemplate()
    try addHeaders()
    try addContent()
    addTiming()
    addFailure()
  }

  private func passthrough(
    _ delegation: StubResponse.Delegation, of request: RequestPattern
  ) throws -> JSONObject {
    guard delegation == .passthrough else {
      throw Untranslatable("next", "WireMock cannot hand a request to the next stub")
    }
    guard let target = Self.target(of: request) else {
      throw Untranslatable("passthrough", "without a host WireMock has nowhere to pass it to")
    }
    document?["passthrough"]?.change(.proxy, "WireMock passes the request to \(target)")
    return ["proxyBaseUrl": .string(target)]
  }

  /// The server that a request is for; nil if it may be for any.
  static func target(of request: RequestPattern) -> String? {
    guard let host = request.host?.literal else { return nil }
    let scheme = request.scheme ?? "https"
    guard ["http", "https"].contains(scheme) else { return nil }
    let port = request.port.map { URLParts.defaultPort(scheme) == $0 ? "" : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }

  private mutating func addTiming() {
    let timing = WireMockTiming(
      response, document: document,
      byteCount: response.delegation == nil ? content?.byteCount ?? 0 : 0)
    members.merge(timing.members) { $1 }
  }

  private mutating func addFailure() {
    let failure = WireMockFailure(response, document: document)
    if failure.waitsForEver { members["delayDistribution"] = nil }
    members.merge(failure.members) { $1 }
    origin.merge(failure.origin) { $1 }
    error = failure.error
  }

  private mutating func addTemplate() {
    guard response.isTemplate else {
      if WireMockTemplateWriter.hasBraces(response) { origin["template"] = false }
      return
    }
    document?["template"]?.keep()
    members["transformers"] = ["response-template"]
  }

  private mutating func addHeaders() throws {
    document?["headers"]?.keep()
    var headers: JSONObject = [:]
    for (name, values) in response.headers.byName {
      let list = try values.map {
        JSONValue.string(response.isTemplate ? try WireMockTemplateWriter.text($0) : $0)
      }
      if HeaderPolicy.lengths.contains(name.canonicalName) {
        document?["headers"]?[name.rawName]?.change(
          .header, "WireMock sends a \(name.rawName) of its own")
      } else {
        headers[name.rawName] = list.count == 1 ? list[0] : .array(list)
      }
    }
    // Clients of stubdb get it by default.
    if !response.headers.contains(.contentType), let type = content?.kind.usualContentType {
      headers["Content-Type"] = .string(type)
      origin["adds"] = "Content-Type"
    }
    members["headers"] = headers.isEmpty ? nil : .object(headers)
  }

  /// The content as a whole.
  private var content: ResponseBody? {
    guard case .pieces(let pieces)? = response.chunks?.kind else { return response.body }
    let kinds = Set(pieces.map(\.body.kind))
    let data = pieces.reduce(into: Data()) { $0.append($1.body.bytes ?? Data()) }
    if kinds.contains(.base64) { return .data(data) }
    return kinds == [.json] && pieces.count == 1
      ? pieces[0].body : .text(String(decoding: data, as: UTF8.self))
  }

  private mutating func addContent() throws {
    guard let content, let bytes = content.bytes, !bytes.isEmpty else { return }
    let text = content.kind == .base64 ? nil : String(strictUTF8: bytes)
    if response.isTemplate, let text {
      let written = try WireMockTemplateWriter.content(text, kind: content.kind)
      members["body"] = .string(written)
      settleKind(content.kind, ofText: written)
      if content.kind == .json, written != text {
        document?["json"]?.change(
          .template, "WireMock does not escape for JSON what it fills in")
      }
      return
    }
    if content.byteCount > Self.maximumInlineByteCount {
      addFile(content, bytes)
    } else if let text {
      if content.kind == .json, let value = try? JSONValue(parsing: text), value.isContainer,
        value.isKeptByDoubles
      {
        members["jsonBody"] = value
      } else {
        members["body"] = .string(text)
        settleKind(content.kind, ofText: text)
      }
    } else {
      members["base64Body"] = .string(bytes.base64EncodedString())
    }
  }

  /// The name of the file of a content, which follows from the content alone.
  static func fileName(of content: Data, _ ending: String) -> String {
    "\(SHA256Digest.hexadecimal(of: content).prefix(12)).\(ending)"
  }

  private mutating func addFile(_ content: ResponseBody, _ bytes: Data) {
    let ending = content.kind == .json ? "json" : content.kind == .text ? "txt" : "bin"
    let name = Self.fileName(of: bytes, ending)
    file = ExportedFile(path: "__files/\(name)", content: bytes)
    members["bodyFileName"] = .string(name)
    let text = String(strictUTF8: bytes)
    if content.kind != .base64 {
      settleKind(content.kind, ofText: text ?? "")
    } else if text?.isPlainText == true {
      origin["content"] = "base64"
    }
  }

  /// Says what the content was, where an import could not know.
  private mutating func settleKind(_ kind: ResponseBody.Kind, ofText text: String) {
    let type = members["headers"].flatMap(\.contentType) ?? ""
    let looksLikeJSON =
      type.contains("json") && (try? JSONValue(parsing: text))?.isContainer == true
    if (kind == .json) != looksLikeJSON { origin["content"] = .string(kind.rawValue) }
  }
}

extension ResponseBody.Kind {
  /// The default type that clients of stubdb get; nil for bytes of unknown meaning.
  var usualContentType: String? {
    switch self {
    case .json: "application/json"
    case .text: "text/plain; charset=utf-8"
    case .base64: nil
    }
  }
}

extension JSONValue {
  /// Whether every number survives being read as a `double` or a whole number, as WireMock reads them.
  fileprivate var isKeptByDoubles: Bool {
    switch self {
    case .number(let number):
      number.integerValue != nil || number.isKeptByDoubles
    case .array(let elements): elements.allSatisfy { $0.isKeptByDoubles }
    case .object(let members): members.values.allSatisfy { $0.isKeptByDoubles }
    default: true
    }
  }
}
