#if Server
import StubDBEngine
import StubDBPlayback

/// A scenario as it is played to the clients of a session.
final class ServedScenario: Sendable {
  let player: Player
  let origins: OriginMap
  /// The status for requests that no stub answers.
  let unmatchedStatus: Int

  init(_ player: Player, origins: OriginMap, unmatchedStatus: Int) {
    self.player = player
    self.origins = origins
    self.unmatchedStatus = unmatchedStatus
  }
}
#endif
