/// How content is cut into pieces and spread over time.
public enum ResponseChunks: Hashable, Sendable {
  /// The body in this many equal pieces, 1 and up, over the time given.
  case split(count: Int, over: Duration)
  /// Pieces of their own, in order, in place of a body.
  case pieces([Piece])

  /// One piece of the content.
  public struct Piece: Hashable, Sendable {
    /// The content of the piece, in memory.
    public var body: ResponseBody
    /// How long after the piece before it this one is sent.
    public var after: Duration

    /// Makes a piece; sent at once unless said otherwise.
    public init(_ body: ResponseBody, after: Duration = .zero) {
      self.body = body
      self.after = after
    }
  }
}
