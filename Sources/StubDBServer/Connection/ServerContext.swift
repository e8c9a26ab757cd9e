#if Server
/// What the connections of a server share.
final class ServerContext: Sendable {
  let options: ServerOptions
  let log: AccessLog?
  let sessions: SessionTable
  /// Nil if the server has no admin API.
  let admin: AdminAPI?
  let connections: ConnectionTable
  let metrics: Metrics
  let contents: ContentBudget
  let client: UpstreamClient
  /// Nil unless requests may be passed on.
  let forwarder: Forwarder?
  /// What is recorded of the answers of other servers; nil for nothing.
  var recording: ServerRecording? { options.recording }
  /// Whether pages of scenarios are kept away from the admin API.
  var sandboxesPages: Bool { options.admin?.trustsPages == false }

  init(
    _ sessions: SessionTable, admin: AdminAPI?, connections: ConnectionTable, metrics: Metrics,
    client: UpstreamClient, options: ServerOptions, log: AccessLog?
  ) {
    (self.connections, self.metrics, self.client) = (connections, metrics, client)
    forwarder = options.forwarding.allowsPassthrough ? Forwarder(client) : nil
    self.sessions = sessions
    self.admin = admin
    self.options = options
    self.log = log
    contents = ContentBudget(limit: options.largestContentAtOnce)
  }
}

/// What can be asked on a connection, by the port that accepted it or by its tunnel.
struct ConnectionScope: Sendable {
  /// The session of requests that name none, or nil.
  var session: Session?
  var hasScenarios = true
  var hasAdmin = true
  /// Where requests go that come through a tunnel which the server looks into; nil outside of one.
  var tunnel: TunnelledOrigin?
}
#endif
