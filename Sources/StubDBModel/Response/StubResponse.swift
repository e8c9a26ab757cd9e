public import Foundation
public import HTTPTypes
public import StubDBJSON

/// The answer of a stub: a response, an error, a fault, or a delegation.
///
/// Only answers that can be given can be made: a property that this kind of answer does not have keeps its default.
public struct StubResponse: Hashable, Sendable {
  /// What comes of the request.
  private enum Outcome: Hashable {
    case reply
    /// After so many bytes of the reply; nil for before it.
    case failure(ResponseError, afterBytes: Int?)
    case fault(ResponseFault, afterBytes: Int?)
    case delegation(Delegation)
    case webSocket(WebSocketScript)

    /// Whether the reply, or its beginning, is sent.
    var sendsReply: Bool {
      switch self {
      case .reply, .fault(.truncated, _): true
      case .failure(_, let afterBytes), .fault(_, let afterBytes): afterBytes != nil
      case .delegation, .webSocket: false
      }
    }

    /// Whether the head of a reply is sent; that of a WebSocket has a status of its own.
    var sendsHead: Bool {
      if case .webSocket = self { true } else { sendsReply }
    }
  }

  /// What is sent; empty if nothing is.
  private struct Reply: Hashable {
    var status = 200 {
      didSet { status = StubResponse.validStatus(status) }
    }
    var statusTemplate: String?
    var headers: HTTPFields = [:]
    var body: ResponseBody?
    var chunks: ResponseChunks?
    var isTemplate = false
  }

  /// How many header fields a response has at most: more than any server sends, and fewer than `HTTPFields` can contain.
  package static let maximumHeaderCount = 1000

  private var outcome: Outcome
  private var reply = Reply()
  /// The delay before the answer; nil without a delay.
  public var delay: ResponseDelay?
  /// How fast the content arrives; nil for at once.
  public var throttle: ResponseThrottle?
  /// The calls that are made after the answer, in order; none if another stub or the network answers, or after a
  /// WebSocket.
  public var callbacks: [ResponseCallback] {
    didSet { if delegation != nil || webSocket != nil { callbacks = [] } }
  }
  /// How many times in a row this response is given, at least 1.
  public var repeatCount: Int {
    didSet { repeatCount = max(1, repeatCount) }
  }

  /// Makes a response; without arguments an empty 200.
  ///
  /// Of arguments that exclude each other the strongest counts: `delegation`, then `error`, then `fault`. What is sent
  /// before an error or a fault needs `afterBytes`, except for the fault `truncated`. A list of chunks is the content.
  public init(
    status: Int = 200, headers: HTTPFields = [:], body: ResponseBody? = nil,
    delay: ResponseDelay? = nil, chunks: ResponseChunks? = nil, throttle: ResponseThrottle? = nil,
    error: ResponseError? = nil, fault: ResponseFault? = nil, afterBytes: Int? = nil,
    repeatCount: Int = 1, delegation: Delegation? = nil, isTemplate: Bool = false,
    statusTemplate: String? = nil, callbacks: [ResponseCallback] = []
  ) {
    outcome =
      if let delegation {
        .delegation(delegation)
      } else if let error {
        .failure(error, afterBytes: afterBytes)
      } else if let fault {
        .fault(fault, afterBytes: afterBytes)
      } else {
        .reply
      }
    self.delay = delay
    self.throttle = throttle
    self.repeatCount = max(1, repeatCount)
    self.callbacks = delegation == nil ? callbacks : []
    guard outcome.sendsReply else { return }
    reply.status = status
    reply.headers = headers
    reply.body = body
    reply.isTemplate = isTemplate
    if isTemplate { reply.statusTemplate = statusTemplate }
    reply.chunks = chunks
    if case .pieces = chunks?.kind { reply.body = nil }
  }

  /// Makes a response that turns the connection into a WebSocket.
  package init(
    webSocket: WebSocketScript, headers: HTTPFields = [:], delay: ResponseDelay? = nil,
    repeatCount: Int = 1, isTemplate: Bool = false
  ) {
    outcome = .webSocket(webSocket)
    self.delay = delay
    self.repeatCount = max(1, repeatCount)
    callbacks = []
    reply.headers = headers
    reply.isTemplate = isTemplate
  }

  /// The answer with what it would send if there were no fault and no delegation; an error stays.
  package var withoutFault: StubResponse {
    guard error == nil, webSocket == nil else { return self }
    var response = self
    response.outcome = .reply
    return response
  }
}

extension StubResponse {
  /// The status code, 100 to 999; 200 by default.
  ///
  /// Of other numbers the nearest valid one counts.
  public var status: Int {
    get { reply.status }
    set { if outcome.sendsReply { reply.status = newValue } }
  }

  /// The valid status code that is nearest to a number.
  package static func validStatus(_ number: Int) -> Int { min(max(number, 100), 999) }

  /// The template for the status code; nil to use ``status``.
  ///
  /// Only a response that is a template has one.
  public var statusTemplate: String? {
    get { reply.statusTemplate }
    set { if reply.isTemplate, outcome.sendsReply { reply.statusTemplate = newValue } }
  }

  /// The header fields; fields of one name keep their order.
  public var headers: HTTPFields {
    get { reply.headers }
    _modify {
      yield &reply.headers
      if !outcome.sendsHead { reply.headers = [:] }
    }
  }

  /// The content; nil without content.
  ///
  /// Setting it removes a list of chunks.
  public var body: ResponseBody? {
    get { reply.body }
    set {
      guard outcome.sendsReply else { return }
      reply.body = newValue
      if newValue != nil, case .pieces = reply.chunks?.kind { reply.chunks = nil }
    }
  }

  /// How the content is divided into pieces over time; nil to send it at once.
  ///
  /// A list of pieces replaces the content.
  public var chunks: ResponseChunks? {
    get { reply.chunks }
    set {
      guard outcome.sendsReply else { return }
      reply.chunks = newValue
      if case .pieces = newValue?.kind { reply.body = nil }
    }
  }

  /// Whether placeholders in the content and the header fields are filled in; false by default.
  public var isTemplate: Bool {
    get { reply.isTemplate }
    set {
      guard outcome.sendsHead else { return }
      reply.isTemplate = newValue
      if !newValue { reply.statusTemplate = nil }
    }
  }

  /// The error that the client gets; nil for none.
  public var error: ResponseError? {
    if case .failure(let error, _) = outcome { error } else { nil }
  }

  /// The failure of the connection; nil for none.
  public var fault: ResponseFault? {
    if case .fault(let fault, _) = outcome { fault } else { nil }
  }

  /// How many bytes of the content are delivered before the error or fault; nil for none.
  public var afterBytes: Int? {
    switch outcome {
    case .failure(_, let afterBytes), .fault(_, let afterBytes): afterBytes
    case .reply, .delegation, .webSocket: nil
    }
  }

  /// Whether the connection becomes a WebSocket; looking here copies nothing.
  package var isWebSocket: Bool {
    if case .webSocket = outcome { true } else { false }
  }

  /// Whether it has to be compiled before it can be given; looking here copies nothing.
  package var needsCompiling: Bool {
    isTemplate || isWebSocket || callbacks.contains(where: \.isTemplate)
  }

  /// What happens on the WebSocket that the connection becomes; nil for other answers.
  ///
  /// If it is not nil, only ``headers``, ``delay``, ``repeatCount`` and ``isTemplate`` have an effect besides.
  /// Setting it has no effect on other answers.
  package var webSocket: WebSocketScript? {
    get { if case .webSocket(let script) = outcome { script } else { nil } }
    set {
      if let newValue, case .webSocket = outcome { outcome = .webSocket(newValue) }
    }
  }

  /// Who answers in place of this response; nil for the response itself.
  ///
  /// If it is not nil, only ``delay``, ``throttle`` and ``repeatCount`` have an effect.
  public var delegation: Delegation? {
    if case .delegation(let delegation) = outcome { delegation } else { nil }
  }
}

extension StubResponse {
  /// A response whose content is a JSON value.
  public static func json(
    _ value: JSONValue, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .json(value))
  }

  /// A response whose content is an encoded value.
  ///
  /// - Throws: The errors of the encoder.
  public static func json(
    encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder(), status: Int = 200,
    headers: HTTPFields = [:]
  ) throws -> StubResponse {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = "application/json" }
    return StubResponse(status: status, headers: headers, body: .data(try encoder.encode(value)))
  }

  /// A response whose content is text, as UTF-8.
  public static func text(
    _ text: String, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .text(text))
  }

  /// A response whose content is any bytes.
  public static func data(
    _ data: Data, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .data(data))
  }

  /// A response without content.
  public static func status(_ status: Int, headers: HTTPFields = [:]) -> StubResponse {
    StubResponse(status: status, headers: headers)
  }
}

extension StubResponse {
  /// Whether the header fields have the same text, unlike `==`, for which the case and the order of names do not count.
  package func hasSameHeaderText(as other: StubResponse) -> Bool {
    headers.hasSameText(as: other.headers)
      && callbacks.elementsEqual(other.callbacks) { $0.headers.hasSameText(as: $1.headers) }
  }
}

extension HTTPFields {
  fileprivate func hasSameText(as other: HTTPFields) -> Bool {
    elementsEqual(other) { $0.name.rawName == $1.name.rawName && $0.value == $1.value }
  }
}
