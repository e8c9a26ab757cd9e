package import HTTPTypes

/// The members of a response in a document, in their order there.
///
/// The raw value is the key. All that the model knows of a member is in this file: reading, writing, the rules which
/// members exclude each other, and words follow from it. What it means is in the JSON Schema, `docs/stubdb.schema.json`.
package enum ResponsePart: String, Hashable, Sendable, CaseIterable {
  case status
  case headers
  case json
  case text
  case base64
  case file
  case delay
  case chunks
  case events
  case throttle
  case webSocket
  case error
  case fault
  case afterBytes
  case `repeat`
  case template
  case callbacks
  case passthrough
  case next

  /// All members in order, made once because every response that is read goes through them.
  package static let all = Array(allCases)

  /// The members that have the content; a response has at most one of them.
  package static let contents: [ResponsePart] = [.json, .text, .base64, .file]
}

/// What a document says of a response, which may contradict itself.
package struct WrittenResponse {
  package var status = 200
  package var statusTemplate: String?
  package var headers: HTTPFields = [:]
  package var body: ResponseBody?
  package var delay: ResponseDelay?
  package var chunks: ResponseChunks?
  package var throttle: ResponseThrottle?
  package var webSocket: WebSocketScript?
  package var error: ResponseError?
  package var fault: ResponseFault?
  package var afterBytes: Int?
  package var repeatCount = 1
  package var delegation: StubResponse.Delegation?
  package var isTemplate = false
  package var callbacks: [ResponseCallback] = []

  package var response: StubResponse {
    if let webSocket, delegation == nil, error == nil, fault == nil {
      return StubResponse(
        webSocket: webSocket, headers: headers, delay: delay, repeatCount: repeatCount,
        isTemplate: isTemplate)
    }
    return StubResponse(
      status: status, headers: headers, body: body, delay: delay, chunks: chunks,
      throttle: throttle, error: error, fault: fault, afterBytes: afterBytes,
      repeatCount: repeatCount, delegation: delegation, isTemplate: isTemplate,
      statusTemplate: statusTemplate, callbacks: callbacks)
  }
}

extension ResponsePart {
  /// Reads the member, if the document has it.
  func read(
    _ object: DocumentObject, into response: inout WrittenResponse
  ) throws(DocumentError) {
    switch self {
    case .status: try object["status"]?.readStatus(into: &response)
    case .headers: response.headers = try object["headers"]?.headerFields() ?? [:]
    case .json: response.body = try object.content(Self.contents)
    // Read with the first kind of content.
    case .text, .base64, .file: break
    case .delay: response.delay = try object["delay"]?.delay()
    case .chunks: response.chunks = try object["chunks"]?.chunks()
    case .events:
      if let events = object["events"] {
        try object.node.context.rules?.readEvents(events, into: &response)
      }
    case .throttle: response.throttle = try object["throttle"]?.throttle()
    case .webSocket: response.webSocket = try object["webSocket"]?.webSocket()
    case .error: response.error = try object["error"]?.responseError()
    case .fault:
      if let fault = object["fault"] { response.fault = try fault.choice("a fault") }
    case .afterBytes:
      response.afterBytes = try object["afterBytes"]?.integer("\"afterBytes\"", in: 0...Int.max)
    case .repeat:
      response.repeatCount = try object["repeat"]?.integer("\"repeat\"", in: 1...Int.max) ?? 1
    case .template: response.isTemplate = try object.flag("template")
    case .callbacks:
      response.callbacks =
        try object["callbacks"]?.callbacks(areTemplates: response.isTemplate) ?? []
    case .passthrough: response.delegation = try object.delegation()
    // Read with the other delegation.
    case .next: break
    }
  }
}
