internal import HTTPTypes
internal import StubDBJSON
import StubDBSupport

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

  /// The members that describe what is sent if no error or fault replaces it.
  package static let sent = all.filter(\.isSent)

  /// Whether the member describes what is sent if no error or fault replaces it.
  package var isSent: Bool {
    switch self {
    case .status, .headers, .json, .text, .base64, .file, .chunks, .events, .throttle, .webSocket,
      .template:
      true
    case .delay, .error, .fault, .afterBytes, .repeat, .callbacks, .passthrough, .next: false
    }
  }

  /// Whether the member has an effect if the connection becomes a WebSocket.
  package var isUsedWithWebSocket: Bool {
    switch self {
    case .headers, .delay, .webSocket, .repeat, .template, .passthrough, .next: true
    case .status, .json, .text, .base64, .file, .chunks, .events, .throttle, .error, .fault,
      .afterBytes, .callbacks:
      false
    }
  }

  /// Whether the member has an effect if another stub or the network answers in place of the response.
  package func isUsed(with delegation: StubResponse.Delegation) -> Bool {
    switch self {
    case .delay, .repeat, .passthrough, .next: true
    // The real network cannot be slowed down.
    case .throttle: delegation != .passthrough
    case .status, .headers, .json, .text, .base64, .file, .chunks, .events, .webSocket, .error,
      .fault, .afterBytes, .template, .callbacks:
      false
    }
  }

  /// What the response has of the member, in a few words; nil if it has its default, or if words do not say it.
  package func phrase(of response: StubResponse) -> String? {
    switch self {
    case .delay: response.delay.map(\.phrase)
    case .chunks:
      if case .split(let count, let time) = response.chunks?.kind {
        "in \(Plural.of(count, "piece")) over \(DurationText.text(time))"
      } else {
        nil
      }
    case .throttle: response.throttle.map(\.phrase)
    case .repeat: response.repeatCount > 1 ? "\(response.repeatCount) times" : nil
    case .template: response.isTemplate ? "placeholders filled in" : nil
    case .callbacks:
      response.callbacks.isEmpty
        ? nil : response.callbacks.map(\.phrase).joined(separator: ", then ")
    case .passthrough:
      response.delegation == .passthrough ? "what the real network answers" : nil
    case .next: response.delegation == .next ? "what the next stub that matches answers" : nil
    case .webSocket: response.webSocket.map(\.phrase)
    case .status, .headers, .json, .text, .base64, .file, .events, .error, .fault, .afterBytes: nil
    }
  }
}

/// What a document says of a response, which may contradict itself.
struct WrittenResponse {
  var status = 200
  var statusTemplate: String?
  var headers: HTTPFields = [:]
  var body: ResponseBody?
  var delay: ResponseDelay?
  var chunks: ResponseChunks?
  var throttle: ResponseThrottle?
  var webSocket: WebSocketScript?
  var error: ResponseError?
  var fault: ResponseFault?
  var afterBytes: Int?
  var repeatCount = 1
  var delegation: StubResponse.Delegation?
  var isTemplate = false
  var callbacks: [ResponseCallback] = []

  var response: StubResponse {
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
    case .events: try object["events"]?.readEvents(into: &response)
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

  /// The member as a document has it, nil if it has its default; `content` is the one that the response has.
  func tree(
    of response: StubResponse, content: (part: ResponsePart, tree: OrderedJSON)?
  ) -> OrderedJSON? {
    switch self {
    case .status:
      response.statusTemplate.map(OrderedJSON.string)
        ?? (response.status == 200 ? nil : .integer(response.status))
    case .headers: response.headers.isEmpty ? nil : .headers(response.headers)
    case .json, .text, .base64, .file: content?.part == self ? content?.tree : nil
    case .delay: response.delay.map(OrderedJSON.delay)
    case .chunks: response.chunks.map(OrderedJSON.chunks)
    // Written as the chunks that they are.
    case .events: nil
    case .throttle: response.throttle.map(OrderedJSON.throttle)
    case .webSocket: response.webSocket.map(OrderedJSON.webSocket)
    case .error: response.error.map(OrderedJSON.error)
    case .fault: response.fault.map { .string($0.rawValue) }
    case .afterBytes: response.afterBytes.map(OrderedJSON.integer)
    case .repeat: response.repeatCount == 1 ? nil : .integer(response.repeatCount)
    case .template: response.isTemplate ? .yes : nil
    case .callbacks:
      response.callbacks.isEmpty ? nil : .callbacks(response.callbacks, of: response)
    case .passthrough, .next: response.delegation?.rawValue == rawValue ? .yes : nil
    }
  }
}

extension ResponseDelay {
  fileprivate var phrase: String {
    switch kind {
    case .fixed(let time): "after \(DurationText.text(time))"
    case .uniform(let least, let most):
      "after \(DurationText.text(least)) to \(DurationText.text(most))"
    case .lognormal(let median, let sigma):
      "after about \(DurationText.text(median)) (lognormal, sigma \(sigma))"
    }
  }
}

extension ResponseCallback {
  fileprivate var phrase: String {
    let time = after == .zero ? "" : " after \(DurationText.text(after))"
    return "calls back \(method) \(url)\(time)\(times > 1 ? ", \(times) times" : "")"
  }
}

extension ResponseThrottle {
  fileprivate var phrase: String {
    switch kind {
    case .network(let profile): "as fast as \(profile.rawValue)"
    case .bytesPerSecond(let rate): "at \(ByteRateText.text(rate))"
    }
  }
}

extension WebSocketScript {
  fileprivate var phrase: String {
    let name = subprotocol.map { " with \($0)" } ?? ""
    return "a WebSocket\(name): "
      + (frames.isEmpty ? "no frames" : Plural.of(frames.count, "frame"))
  }
}
