package import StubDBEngine

extension WebSocketPlay {
  /// What to do.
  package enum Action: Hashable, Sendable {
    /// Send the message, and call ``sent()`` once the client has taken it if `isAwaited`.
    case send(WebSocketMessage, isAwaited: Bool)
    /// Call ``timeHasPassed(_:)`` with the number after the time; this replaces the timer before.
    case wait(Duration, Int)
    /// Compare the message with what the frame of the script expects, and call ``compared(_:)``.
    case compare(WebSocketMessage, frame: Int)
    /// Send a frame that closes the connection; without a code if it is nil.
    case close(Int?, reason: String)
    /// Close the connection, because both sides have sent that frame.
    case end
    case reset
    /// Send nothing any more, whatever the client sends.
    case fallSilent
    /// Add to the journal.
    case record(FrameRecord)
    /// Note that the WebSocket did not go as its script says.
    case problem(String)
  }
}
