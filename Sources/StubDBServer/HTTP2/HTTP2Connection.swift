#if TLS
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A connection of HTTP/2: keeps its streams, ends with the server, and closes when nothing happens on it.
///
/// Between NIO's handler of frames and the end of the pipeline; each stream has its own channel.
///
/// https://www.rfc-editor.org/rfc/rfc9113
final class HTTP2Connection: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let options: ServerOptions
  private let watch = HTTP2Watch()
  private var context: ChannelHandlerContext?
  private var streams: [ObjectIdentifier: HTTP2StreamHandler] = [:]
  /// The last stream that the client has opened.
  private var lastStream = HTTP2StreamID.rootStream
  private var isEnding = false
  /// Whether the client knows that the connection ends soon.
  private var isLeaving = false
  /// Whether the time of silence was over when it was last looked at.
  private var isSilent = false
  private var timer: Scheduled<Void>?

  private init(_ options: ServerOptions) {
    self.options = options
  }

  /// Puts the handlers in place.
  static func begin(
    _ channel: any Channel, _ server: ServerContext, _ scope: ConnectionScope, isSecure: Bool
  ) throws {
    let connection = HTTP2Connection(server.options)
    let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
    let operations = channel.pipeline.syncOperations
    try operations.addHandler(connection.watch)
    _ = try operations.configureHTTP2Pipeline(
      mode: .server, connectionConfiguration: connectionLimits,
      streamConfiguration: streamLimits
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        let responder = Responder(server, scope, stream, isSecure: isSecure)
        try stream.pipeline.syncOperations.addHandler(
          HTTP2StreamHandler(responder, bound.value))
      }
    }
    try operations.addHandler(connection)
  }

  /// Clients that ask for many things at once wait for none of them; heads are limited as in HTTP/1.
  private static var connectionLimits: NIOHTTP2Handler.ConnectionConfiguration {
    var limits = NIOHTTP2Handler.ConnectionConfiguration()
    limits.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: 1_000),
      HTTP2Setting(parameter: .maxHeaderListSize, value: HTTP1Limits.listSize),
    ]
    // A head of the largest size comes in this many frames.
    limits.maximumSequentialContinuationFrames =
      HTTP1Limits.listSize / HTTP2StreamHandler.largestFrame
    limits.targetWindowSize = 1 << 20
    return limits
  }

  /// An app that scrolls gives up many requests, but not without end.
  ///
  /// https://nvd.nist.gov/vuln/detail/CVE-2023-44487
  private static var streamLimits: NIOHTTP2Handler.StreamConfiguration {
    var limits = NIOHTTP2Handler.StreamConfiguration()
    limits.streamResetFrameRateLimit.maximumCount = 1_000
    limits.outboundBufferSizeHighWatermark = 2 * HTTP2StreamHandler.largestFrame
    limits.outboundBufferSizeLowWatermark = HTTP2StreamHandler.largestFrame
    return limits
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    watchIdleTime(TimeAmount(options.idleTimeout))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// What is not about a stream needs no answer of ours.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  // MARK: Streams

  func add(_ stream: HTTP2StreamHandler, _ id: HTTP2StreamID?) {
    streams[ObjectIdentifier(stream)] = stream
    if let id { lastStream = max(lastStream, id) }
  }

  func remove(_ stream: HTTP2StreamHandler) {
    streams[ObjectIdentifier(stream)] = nil
    closeIfDone()
  }

  /// Resets the whole connection, as a client would lose it.
  func reset() {
    context?.flush()
    context?.channel.reset()
  }

  // MARK: The end

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ServerEnds: end()
    // There are no halves of connections in HTTP/2.
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Tells the client that the connection ends, and ends it somewhat later, so that what it has sent meanwhile is
  /// answered.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9113#section-6.8
  private func leave() {
    guard !isLeaving, !isEnding, let context else { return }
    isLeaving = true
    watch.announceEnd()
    timer = context.eventLoop.assumeIsolated()
      .scheduleTask(in: TimeAmount(options.lingerTime)) { [weak self] in self?.end() }
  }

  /// Accepts no further streams, and closes once those that are open have their answers.
  private func end() {
    guard !isEnding, let context else { return }
    isEnding = true
    let last = HTTP2Frame.FramePayload.goAway(
      lastStreamID: lastStream, errorCode: .noError, opaqueData: nil)
    context.writeAndFlush(
      wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: last)), promise: nil)
    for stream in streams.values { stream.serverEnds() }
    closeIfDone()
  }

  private func closeIfDone() {
    if isEnding, streams.isEmpty { closeAfterWrites() }
  }

  /// Sends the end and waits for the client's, so that the last frames arrive.
  private func closeAfterWrites() {
    guard !watch.dropsInput, let context else { return }
    watch.dropsInput = true
    context.close(mode: .output, promise: nil)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated()
      .scheduleTask(in: TimeAmount(options.lingerTime)) { context.close(promise: nil) }
  }

  /// NIO has notified the client; an error of a stream leaves the connection as it is.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is any NIOHTTP2Error, !watch.hasSentEnd { return }
    closeAfterWrites()
  }

  // MARK: Silence

  private func watchIdleTime(_ time: TimeAmount) {
    timer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      self?.look()
    }
  }

  private func look() {
    let limit = TimeAmount(options.idleTimeout)
    let left = watch.lastActivity + limit - .now()
    if left > .zero {
      isSilent = false
      return watchIdleTime(left)
    }
    // On a busy machine the client's bytes may be there without having been read.
    guard isSilent else {
      isSilent = true
      return watchIdleTime(ConnectionTimers.lastChance)
    }
    isSilent = false
    if streams.isEmpty { return leave() }
    if streams.values.contains(where: \.isBlocked) {
      context?.close(promise: nil)
      return
    }
    for stream in streams.values { stream.timeOut() }
    // A delay may be longer than any time-out.
    watchIdleTime(limit)
  }
}
#endif
