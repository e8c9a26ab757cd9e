public import HTTPTypes

/// The answer of a stub: a response, an error, a fault, or a delegation.
public struct StubResponse: Hashable, Sendable {
  /// The status code, 100 to 999; 200 by default.
  public var status: Int
  /// The template for the status code; nil to use ``status``.
  public var statusTemplate: String?
  /// The header fields; fields of one name keep their order.
  public var headers: HTTPFields
  /// The content; nil without content.
  public var body: ResponseBody?
  /// The delay before the answer; nil without a delay.
  public var delay: ResponseDelay?
  /// How the content is divided into pieces over time; nil to send it at once.
  public var chunks: ResponseChunks?
  /// How fast the content arrives; nil for at once.
  public var throttle: ResponseThrottle?
  /// The error that the client gets; nil for none.
  public var error: ResponseError?
  /// The failure of the connection; nil for none.
  public var fault: ResponseFault?
  /// How many bytes of the content are delivered before the error or fault; nil for none.
  public var afterBytes: Int?
  /// How many times in a row this response is given, at least 1.
  public var repeatCount: Int
  /// Who answers in place of this response; nil for the response itself.
  ///
  /// If it is not nil, only ``delay``, ``throttle`` and ``repeatCount`` have an effect.
  public var handover: ResponseHandover?
  /// Whether placeholders in the content and the header fields are filled in; false by default.
  public var isTemplate: Bool

  /// Makes a response; without arguments an empty 200.
  public init(
    status: Int = 200, headers: HTTPFields = [:], body: ResponseBody? = nil,
    delay: ResponseDelay? = nil, chunks: ResponseChunks? = nil, throttle: ResponseThrottle? = nil,
    error: ResponseError? = nil, fault: ResponseFault? = nil, afterBytes: Int? = nil,
    repeatCount: Int = 1, handover: ResponseHandover? = nil, isTemplate: Bool = false,
    statusTemplate: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.chunks = chunks
    self.throttle = throttle
    self.error = error
    self.fault = fault
    self.afterBytes = afterBytes
    self.repeatCount = repeatCount
    self.handover = handover
    self.isTemplate = isTemplate
    self.statusTemplate = statusTemplate
  }
}
