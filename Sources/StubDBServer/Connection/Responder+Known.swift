#if Server
import NIOCore
import StubDBPlayback

extension Responder {
  /// Answers a known request as it was answered before, and returns the time when that was done.
  ///
  /// Nil if something has changed since: the request then takes the usual way.
  func answer(
    _ known: KnownRequest, since start: NIODeadline, in context: ChannelHandlerContext
  ) -> NIODeadline? {
    guard scope.tunnel == nil, let session = scope.session, let served = session.settledScenario,
      served.number == known.served, isSecure == known.isSecure,
      scope.hasAdmin == known.hasAdmin
    else { return nil }
    let now = NIODeadline.now()
    let time = (now - start).nanoseconds
    guard let event = served.player.record(known.answer, after: time) else { return nil }
    context.write(NIOAny(known.response), promise: nil)
    session.feed.notify()
    server.sessions.events.feed.notify()
    server.metrics.count(at: known.place, nanoseconds: time)
    guard let log = server.log else { return now }
    log(
      AccessLogEntry(
        event: event, session: session.id, method: known.method, target: known.target,
        status: known.status, duration: .nanoseconds(time), requestByteCount: 0,
        responseByteCount: known.byteCount))
    return now
  }
}
#endif
