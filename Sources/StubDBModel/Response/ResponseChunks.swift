/// How content is divided into pieces over time.
public enum ResponseChunks: Hashable, Sendable {
  /// The body in this many equal pieces, at least 1, over a duration.
  case split(count: Int, over: Duration)
  /// Explicit pieces, in order, in place of a body.
  case pieces([Piece])

  /// A piece of the content.
  public struct Piece: Hashable, Sendable {
    /// The content of the piece, in memory.
    public var body: ResponseBody
    /// The time after the preceding piece.
    public var after: Duration

    /// Makes a piece; by default it is sent at once.
    public init(_ body: ResponseBody, after: Duration = .zero) {
      self.body = body
      self.after = after
    }
  }
}
