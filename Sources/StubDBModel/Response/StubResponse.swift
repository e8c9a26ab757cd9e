public import HTTPTypes
internal import StubDBSupport

/// The answer of a stub: a response, an error, a fault, or a delegation.
///
/// Only answers that can be given can be made: a property that this kind of answer does not have keeps its default.
public struct StubResponse: Hashable, Sendable {
  /// The outcome of the request.
  private enum Outcome: Hashable {
    case reply
    /// After so many bytes of the reply; nil for before it.
    case failure(ResponseError, afterBytes: Int?)
    case fault(ResponseFault, afterBytes: Int?)
    case delegation(StubResponse.Delegation)
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
    @ByBytes var statusTemplate: String?
    @ByBytes var headers: HTTPFields = [:]
    var body: ResponseBody?
    var chunks: ResponseChunks?
    var isTemplate = false
  }

  /// All that makes up a response.
  private struct Parts: Hashable, Sendable {
    var outcome: Outcome
    var reply = Reply()
    var delay: ResponseDelay?
    var throttle: ResponseThrottle?
    var callbacks: [ResponseCallback] = []
    var repeatCount: Int

    init(_ outcome: Outcome, delay: ResponseDelay?, repeatCount: Int) {
      self.outcome = outcome
      self.delay = delay
      self.repeatCount = max(1, repeatCount)
    }
  }

  // Unchecked, since parts are changed only where nothing else refers to them.
  private final class Storage: @unchecked Sendable {
    var parts: Parts

    init(_ parts: Parts) {
      self.parts = parts
    }
  }

  // One reference: with its parts in place, copying a response, which each answer does, would retain every one of them.
  private var storage: Storage

  private var parts: Parts {
    _read { yield storage.parts }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.parts) }
      yield &storage.parts
    }
  }

  /// Makes a response; without arguments an empty 200.
  ///
  /// Of arguments that exclude each other the strongest counts: `delegation`, then `error`, then `fault`. What is sent
  /// before an error or a fault needs `afterBytes`, except for the fault `truncated`. A list of chunks is the content.
  public init(
    status: Int = 200, headers: HTTPFields = [:], body: ResponseBody? = nil,
    delay: ResponseDelay? = nil, chunks: ResponseChunks? = nil, throttle: ResponseThrottle? = nil,
    error: ResponseError? = nil, fault: ResponseFault? = nil, afterBytes: Int? = nil,
    repeatCount: Int = 1, delegation: StubResponse.Delegation? = nil, isTemplate: Bool = false,
    statusTemplate: String? = nil, callbacks: [ResponseCallback] = []
  ) {
    let outcome: Outcome =
      if let delegation {
        .delegation(delegation)
      } else if let error {
        .failure(error, afterBytes: afterBytes)
      } else if let fault {
        .fault(fault, afterBytes: afterBytes)
      } else {
        .reply
      }
    var parts = Parts(outcome, delay: delay, repeatCount: repeatCount)
    parts.throttle = throttle
    if delegation == nil { parts.callbacks = callbacks }
    if outcome.sendsReply {
      parts.reply = Reply(
        status: Self.validStatus(status), statusTemplate: isTemplate ? statusTemplate : nil,
        headers: headers, body: body, chunks: chunks, isTemplate: isTemplate)
      if case .pieces = chunks?.kind { parts.reply.body = nil }
    }
    storage = Storage(parts)
  }

  /// Makes a response that turns the connection into a WebSocket.
  package init(
    webSocket: WebSocketScript, headers: HTTPFields = [:], delay: ResponseDelay? = nil,
    repeatCount: Int = 1, isTemplate: Bool = false
  ) {
    var parts = Parts(.webSocket(webSocket), delay: delay, repeatCount: repeatCount)
    parts.reply.headers = headers
    parts.reply.isTemplate = isTemplate
    storage = Storage(parts)
  }

  /// The answer with what it would send if there were no fault and no delegation; an error stays.
  package var withoutFault: StubResponse {
    guard error == nil, webSocket == nil else { return self }
    var response = self
    response.parts.outcome = .reply
    return response
  }

  /// Whether all parts are equal.
  public static func == (left: StubResponse, right: StubResponse) -> Bool {
    left.storage === right.storage || left.parts == right.parts
  }

  /// Hashes all parts.
  public func hash(into hasher: inout Hasher) {
    parts.hash(into: &hasher)
  }
}

extension StubResponse: CustomReflectable {
  /// The parts, as if they were properties.
  public var customMirror: Mirror {
    Mirror(self, children: Mirror(reflecting: parts).children, displayStyle: .struct)
  }
}

extension StubResponse {
  /// The delay before the answer; nil without a delay.
  public var delay: ResponseDelay? {
    get { parts.delay }
    set { parts.delay = newValue }
  }

  /// How fast the content arrives; nil for at once.
  public var throttle: ResponseThrottle? {
    get { parts.throttle }
    set { parts.throttle = newValue }
  }

  /// The calls that are made after the answer, in order; none if another stub or the network answers, or after a
  /// WebSocket.
  public var callbacks: [ResponseCallback] {
    get { parts.callbacks }
    set { parts.callbacks = delegation == nil && webSocket == nil ? newValue : [] }
  }

  /// How many times in a row this response is given, at least 1.
  public var repeatCount: Int {
    get { parts.repeatCount }
    set { parts.repeatCount = max(1, newValue) }
  }

  /// The status that a client gets before anything else; nil if it gets none, or if only the template knows it.
  package var sentStatus: Int? {
    switch parts.outcome {
    case .reply, .failure(_, .some), .fault(_, .some):
      parts.reply.statusTemplate == nil ? status : nil
    case .failure, .fault, .delegation, .webSocket:
      nil
    }
  }
}

extension StubResponse {
  /// The status code, 100 to 999; 200 by default.
  ///
  /// Of other numbers the nearest valid one counts.
  public var status: Int {
    get { parts.reply.status }
    set { if parts.outcome.sendsReply { parts.reply.status = newValue } }
  }

  /// The valid status code that is nearest to a number.
  package static func validStatus(_ number: Int) -> Int { min(max(number, 100), 999) }

  /// The template for the status code; nil to use ``status``.
  ///
  /// Only a response that is a template has one.
  public var statusTemplate: String? {
    get { parts.reply.statusTemplate }
    set {
      guard isTemplate, parts.outcome.sendsReply else { return }
      parts.reply.statusTemplate = newValue
    }
  }

  /// The header fields; fields of one name keep their order.
  public var headers: HTTPFields {
    get { parts.reply.headers }
    _modify {
      // Also if what changes them throws.
      defer { if !parts.outcome.sendsHead { parts.reply.headers = [:] } }
      yield &parts.reply.headers
    }
  }

  /// The content; nil without content.
  ///
  /// Setting it removes a list of chunks.
  public var body: ResponseBody? {
    get { parts.reply.body }
    set {
      guard parts.outcome.sendsReply else { return }
      parts.reply.body = newValue
      if newValue != nil, case .pieces = parts.reply.chunks?.kind { parts.reply.chunks = nil }
    }
  }

  /// How the content is divided into pieces over time; nil to send it at once.
  ///
  /// A list of pieces replaces the content.
  public var chunks: ResponseChunks? {
    get { parts.reply.chunks }
    set {
      guard parts.outcome.sendsReply else { return }
      parts.reply.chunks = newValue
      if case .pieces = newValue?.kind { parts.reply.body = nil }
    }
  }

  /// Whether placeholders in the content and the header fields are filled in; false by default.
  public var isTemplate: Bool {
    get { parts.reply.isTemplate }
    set {
      guard parts.outcome.sendsHead else { return }
      parts.reply.isTemplate = newValue
      if !newValue { parts.reply.statusTemplate = nil }
    }
  }

  /// The error that the client gets; nil for none.
  public var error: ResponseError? {
    if case .failure(let error, _) = parts.outcome { error } else { nil }
  }

  /// The failure of the connection; nil for none.
  public var fault: ResponseFault? {
    if case .fault(let fault, _) = parts.outcome { fault } else { nil }
  }

  /// How many bytes of the content are delivered before the error or fault; nil for none.
  public var afterBytes: Int? {
    switch parts.outcome {
    case .failure(_, let afterBytes), .fault(_, let afterBytes): afterBytes
    case .reply, .delegation, .webSocket: nil
    }
  }

  /// Whether the connection becomes a WebSocket; looking here copies nothing.
  package var isWebSocket: Bool {
    if case .webSocket = parts.outcome { true } else { false }
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
    get { if case .webSocket(let script) = parts.outcome { script } else { nil } }
    set {
      if let newValue, case .webSocket = parts.outcome { parts.outcome = .webSocket(newValue) }
    }
  }

  /// Who answers in place of this response; nil for the response itself.
  ///
  /// If it is not nil, only ``delay``, ``throttle`` and ``repeatCount`` have an effect.
  public var delegation: StubResponse.Delegation? {
    if case .delegation(let delegation) = parts.outcome { delegation } else { nil }
  }
}
