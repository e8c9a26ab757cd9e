public import HTTPTypes

/// What a stub answers with: a response, an error, a fault, or what somebody else answers.
public struct StubResponse: Hashable, Sendable {
  /// The status code, 100 to 999; 200 unless said otherwise.
  public var status: Int
  /// The template whose text is the status code; nil for ``status``.
  public var statusTemplate: String?
  /// The header fields; fields of one name keep their order.
  public var headers: HTTPFields
  /// The content; nil for none.
  public var body: ResponseBody?
  /// How long the answer is held back; nil for not at all.
  public var delay: ResponseDelay?
  /// How the content is cut and spread over time; nil for all at once.
  public var chunks: ResponseChunks?
  /// How fast the content comes in; nil for at once.
  public var throttle: ResponseThrottle?
  /// The error the client gets; nil for none.
  public var error: ResponseError?
  /// What goes wrong on the connection; nil for nothing.
  public var fault: ResponseFault?
  /// How many bytes of the content are delivered before the error or fault; nil for none.
  public var afterBytes: Int?
  /// How many times this response is given, 1 and up.
  public var repeatCount: Int
  /// Who answers in place of this response; nil for itself.
  ///
  /// Then nothing but ``delay``, ``throttle`` and ``repeatCount`` counts.
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
