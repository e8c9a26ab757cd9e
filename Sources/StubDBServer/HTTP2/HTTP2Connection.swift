#if TLS
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A connection of HTTP/2: keeps its streams, ends with the server, and closes when nothing happens on it.
///
/// Between NIO's handler of frames and the end of the pipeline; each stream has a channel of its own.
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
  private var timer: Scheduled<Void>?

  private init(_ options: ServerOptions) {
    self.options = options
  }

  /// Puts the handlers in place.
  static func begin(
    _ channel: any Channel, _ server: ServerContext, _ entrance: Entrance, isSecure: Bool
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
        let responder = Responder(server, entrance, stream, isSecure: isSecure)
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
    guard !watch.isDeaf, let context else { return }
    watch.isDeaf = true
    context.close(mode: .output, promise: nil)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated()
      .scheduleTask(in: TimeAmount(options.lingerTime)) { context.close(promise: nil) }
  }

  /// NIO has told the client; an error of a stream leaves the connection as it is.
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
    if left > .zero { return watchIdleTime(left) }
    if streams.isEmpty { return end() }
    if streams.values.contains(where: \.isBlocked) {
      context?.close(promise: nil)
      return
    }
    for stream in streams.values { stream.timeOut() }
    // A delay may be longer than any time-out.
    watchIdleTime(limit)
  }
}

/// Sees the bytes of a connection: when some came, and whether NIO has ended it because of an error.
private final class HTTP2Watch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// Whether what comes is dropped, since the connection has ended.
  var isDeaf = false
  private(set) var hasSentEnd = false
  private(set) var lastActivity = NIODeadline.now()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastActivity = .now()
    if !isDeaf { context.fireChannelRead(data) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    lastActivity = .now()
    context.fireChannelWritabilityChanged()
  }

  /// NIO writes the head of each frame as a buffer of its own, and tells errors of streams and of connections alike.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = unwrapOutboundIn(data)
    if bytes.readableBytes >= 17,
      bytes.getInteger(at: bytes.readerIndex + 3, as: UInt8.self) == 7,
      bytes.getInteger(at: bytes.readerIndex + 5, as: UInt32.self) == 0
    {
      hasSentEnd = true
    }
    context.write(data, promise: promise)
  }
}
#endif
