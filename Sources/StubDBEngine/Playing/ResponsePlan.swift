public import HTTPTypes
public import StubDBModel

/// What to send, and when.
public struct ResponsePlan: Hashable, Sendable {
  /// What to send.
  public enum Action: Hashable, Sendable {
    /// A response; nil for no content. The header fields already hold a default `Content-Type`.
    case response(status: Int, headers: HTTPFields, body: ResponseBody?)
    /// An error in place of a response.
    case error(ResponseError)
  }

  /// How long to hold the answer back; already scaled by the pace, zero or more.
  public var delay: Duration
  /// What to send.
  public var action: Action

  /// Makes a plan.
  public init(delay: Duration = .zero, action: Action) {
    self.delay = delay
    self.action = action
  }
}
