#if Server
import NIOCore

/// The time-outs of a connection.
///
/// Requests do not set timers: one runs as long as the connection is open, and looks at what has happened.
final class ConnectionTimers {
  private weak var handler: HTTP1Handler?
  private var idleTimeout = TimeAmount.zero
  private var headerTimeout = TimeAmount.zero
  private var lastActivity = NIODeadline.now()
  private var idle: Scheduled<Void>?
  private var header: Scheduled<Void>?
  private var end: Scheduled<Void>?

  func begin(_ handler: HTTP1Handler, _ options: ServerOptions) {
    self.handler = handler
    idleTimeout = TimeAmount(options.idleTimeout)
    headerTimeout = TimeAmount(options.headerTimeout)
    touch()
    watch(for: idleTimeout)
  }

  func cancel() {
    for timer in [idle, header, end] { timer?.cancel() }
  }

  /// Something has happened, so that the connection is not idle.
  func touch() {
    lastActivity = .now()
  }

  /// Bytes came that do not make the head of a request yet.
  func headHasBegun() {
    guard header == nil, let loop = handler?.context?.eventLoop else { return }
    header = loop.assumeIsolated().scheduleTask(in: headerTimeout) { [weak self] in
      guard let handler = self?.handler, handler.phase == .receiving, handler.head == nil else {
        return
      }
      handler.refuse(
        Refusal(408, "Request timeout", "The head of the request did not come in time."))
    }
  }

  func headIsWhole() {
    header?.cancel()
    header = nil
  }

  /// Closes the connection after a time, if the client has not.
  func linger(_ context: ChannelHandlerContext, _ time: Duration) {
    end = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
      context.close(promise: nil)
    }
  }

  private func watch(for time: TimeAmount) {
    guard let loop = handler?.context?.eventLoop else { return }
    idle = loop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.look() }
  }

  private func look() {
    guard let handler, let context = handler.context else { return }
    let left = lastActivity + idleTimeout - .now()
    if left > .zero { return watch(for: left) }
    switch handler.phase {
    case .receiving where handler.head != nil:
      handler.refuse(
        Refusal(408, "Request timeout", "The content of the request did not come in time."))
    case .receiving:
      context.close(promise: nil)
    case .answering where context.channel.isWritable, .closing:
      // A delay may be longer than any time-out.
      watch(for: idleTimeout)
    case .answering, .full:
      // The client has not read for too long.
      context.close(promise: nil)
    }
  }
}

/// Notices bytes that do not make a request yet, in front of the parser.
final class ByteWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let handler: HTTP1Handler

  init(_ handler: HTTP1Handler) {
    self.handler = handler
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let before = handler.partCount
    if handler.phase == .answering { handler.hasBytesAhead = true }
    context.fireChannelRead(data)
    if handler.partCount == before, handler.phase == .receiving, handler.head == nil {
      handler.timers.headHasBegun()
    }
  }
}
#endif
