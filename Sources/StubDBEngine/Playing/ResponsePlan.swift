public import HTTPTypes
public import StubDBModel

/// What to send, and when.
///
/// All times are times of the scenario: whoever carries the plan out applies the run's ``Pace``.
public struct ResponsePlan: Hashable, Sendable {
  /// What to send.
  public enum Action: Hashable, Sendable {
    /// A response; nil for no content. The header fields already hold a default `Content-Type`.
    case response(status: Int, headers: HTTPFields, body: ResponseBody?)
    /// An error in place of a response.
    case error(ResponseError)
    /// Nothing, ever: the client runs into its time-out.
    case never
    /// What the real network answers.
    case passthrough
  }

  /// A piece of the content.
  public struct Piece: Hashable, Sendable {
    /// How many bytes it has; zero or more.
    public var byteCount: Int
    /// How long after the piece before it this one is sent; zero or more.
    public var after: Duration

    /// Makes a piece; sent at once unless said otherwise.
    public init(byteCount: Int, after: Duration = .zero) {
      self.byteCount = byteCount
      self.after = after
    }
  }

  /// What comes after the content.
  public enum Ending: Hashable, Sendable {
    /// The response is complete.
    case complete
    /// The client gets an error.
    case error(ResponseError)
    /// Nothing more, ever.
    case never
  }

  /// How long to hold the answer back; zero or more.
  public var delay: Duration
  /// What to send.
  public var action: Action
  /// Which bytes of the body are its content; nil for all.
  public var contentRange: Range<Int>?
  /// How the content is cut and spread over time; empty for all at once.
  ///
  /// Together no longer than the content; what is beyond the last piece is not sent.
  public var pieces: [Piece]
  /// What comes after the content.
  public var ending: Ending
  /// What a server does to the connection; `action` and `ending` say what a client sees of it.
  public var fault: ResponseFault?

  /// Makes a plan; without more than an action it is sent at once and whole.
  public init(
    delay: Duration = .zero, action: Action, contentRange: Range<Int>? = nil, pieces: [Piece] = [],
    ending: Ending = .complete, fault: ResponseFault? = nil
  ) {
    self.delay = delay
    self.action = action
    self.contentRange = contentRange
    self.pieces = pieces
    self.ending = ending
    self.fault = fault
  }
}
