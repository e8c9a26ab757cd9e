#if Server
import StubDBPlayback

/// What the connections of a server share.
final class ServedScenario: Sendable {
  let player: Player
  let origins: OriginMap
  let options: ServerOptions
  let log: AccessLog?
  let connections = ConnectionTable()
  let contents: ContentBudget

  init(_ player: Player, origins: OriginMap, options: ServerOptions, log: AccessLog?) {
    self.player = player
    self.origins = origins
    self.options = options
    contents = ContentBudget(limit: options.largestContentAtOnce)
    self.log = log
  }
}
#endif
