#if Server
import NIOCore
import NIOHTTP1

/// A connection of HTTP/1.0 or 1.1: takes requests one after another, and answers each before the next.
///
/// Between NIO's parser of requests and the socket. All of it runs on the event loop of the connection.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What the connection is doing.
  enum Phase {
    /// Waiting for a request, or for the rest of one.
    case receiving
    /// A request is being answered; what comes meanwhile is held.
    case answering
    /// The client does not read what was sent, so its next request waits.
    case full
    /// The last answer was sent; what the client still sends is dropped.
    case closing
  }

  let server: ServerContext
  let responder: Responder
  let timers = ConnectionTimers()
  var context: ChannelHandlerContext?
  var phase = Phase.receiving
  /// The head of the request that is received.
  private(set) var head: HTTPRequestHead?
  var content: RequestContent
  /// Parts of later requests; most clients send none, so that it begins small.
  private var held = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 1)
  private var isReadHeld = false
  /// Whether a tunnel is being opened, until which the kernel keeps what the client sends.
  var isOpeningTunnel = false
  private var isTakingHeld = false
  /// Why what follows the held parts is not a request.
  private var refusal: Refusal?
  /// Whether parts came that the end of reading follows; bytes are then flushed together.
  private(set) var isReading = false
  private(set) var isInputClosed = false
  private(set) var isEnding = false
  /// Whether bytes came ahead, while a request is answered, that the parser may keep to itself.
  private var hasBytesAhead = false
  var response = HTTP1Response()

  init(_ responder: Responder) {
    server = responder.server
    content = RequestContent(server)
    self.responder = responder
    responder.writer = self
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    timers.begin(self, server.options)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    timers.cancel()
    responder.drop()
    response.pending.removeAll()
    content.release()
    phase = .closing
    context.fireChannelInactive()
  }

  // MARK: Reading

  /// Lets the kernel keep what comes while requests are held, so that a client cannot fill the memory.
  ///
  /// One read ahead is let through, to notice a client that has gone.
  func read(context: ChannelHandlerContext) {
    if isOpeningTunnel
      || (phase == .answering || phase == .full)
        && (!held.isEmpty || refusal != nil || hasBytesAhead)
    {
      isReadHeld = true
    } else {
      context.read()
    }
  }

  /// Bytes came, which the parser gets next.
  func bytesCame() {
    if phase == .answering { hasBytesAhead = true }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = true
    let part = unwrapInboundIn(data)
    timers.note(part)
    switch phase {
    case .receiving: take(part)
    case .answering, .full: held.append(part)
    case .closing: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    context.flush()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    timers.touch()
    if context.channel.isWritable {
      switch phase {
      case .answering:
        send()
        responder.sendEvents()
      case .full: receiveNext()
      case .receiving, .closing: break
      }
    }
    context.fireChannelWritabilityChanged()
  }

  private func take(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head):
      timers.headIsWhole()
      self.head = head
      begin(head)
    case .body(let bytes):
      timers.touch()
      guard head != nil else { return }
      do throws(Refusal) {
        try content.append(bytes)
      } catch {
        refuse(error)
      }
    case .end:
      if let head { respond(to: head) }
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    do throws(Refusal) {
      try head.check(server.options)
    } catch {
      return refuse(error)
    }
    guard head.awaitsContinue else { return }
    context?.writeAndFlush(
      wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
  }

  private func respond(to head: HTTPRequestHead) {
    self.head = nil
    // The parser reads nothing behind a request that asks for an upgrade, as Java's client does with its first one.
    let isLast =
      !head.isKeepAlive || isEnding || head.method == .CONNECT
      || head.headers.contains(name: "upgrade")
    phase = .answering
    response = HTTP1Response(to: head, isLast: isLast)
    responder.answer(head, content.take())
  }

  // MARK: The next request

  /// Goes on with what was held, once an answer has been sent.
  func receiveNext() {
    guard phase != .closing, let context else { return }
    (phase, hasBytesAhead) = (.receiving, false)
    // Called for one of the held requests: the loop below goes on.
    if isTakingHeld { return }
    isTakingHeld = true
    defer { isTakingHeld = false }
    while phase == .receiving {
      guard context.channel.isWritable else {
        context.flush()
        if context.channel.isWritable { continue }
        phase = .full
        return
      }
      guard let part = held.popFirst() else { break }
      take(part)
    }
    guard phase == .receiving else { return }
    if let refusal { return refuse(refusal) }
    if isInputClosed || isEnding && head == nil { return closeAfterWrites() }
    timers.touch()
    timers.awaitHead()
    resumeReading()
  }

  func resumeReading() {
    guard isReadHeld, !isOpeningTunnel else { return }
    isReadHeld = false
    context?.read()
  }

  /// Answers with the refusal, and ends the connection: the next request cannot be delimited.
  func refuse(_ refusal: Refusal) {
    self.refusal = nil
    let head = head
    self.head = nil
    content.release()
    phase = .answering
    response = HTTP1Response(to: head, isLast: true)
    responder.refuse(refusal, head)
  }

  // MARK: The end

  /// Sends the end, and waits for the client's.
  ///
  /// Closing with unread input would make a reset that overtakes the last answer.
  func closeAfterWrites() {
    guard phase != .closing, let context else { return }
    phase = .closing
    held.removeAll()
    content.release()
    resumeReading()
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
      guard let context = self.context else { return }
      if self.isInputClosed { return context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
      self.timers.linger(context, self.server.options.lingerTime)
    }
  }

  /// Resets the connection once what was written has left.
  func resetAfterWrites() {
    guard phase != .closing, let context else { return }
    phase = .closing
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
      self.context?.channel.reset()
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      // The last parts come outside of a read.
      isReading = false
      context.flush()
    case is ServerEnds:
      isEnding = true
      response.isLast = true
    default:
      return context.fireUserInboundEventTriggered(event)
    }
    switch phase {
    case .receiving where isInputClosed || head == nil: closeAfterWrites()
    // Nothing more is owed to a client that gets no answer.
    case .answering where responder.answer.isSilent: context.close(promise: nil)
    case .answering where responder.answer.stream != nil: responder.endEvents()
    case .closing where isInputClosed: context.close(promise: nil)
    case .receiving, .answering, .full, .closing: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What follows the bytes that were refused; the answers that are owed come first.
    if case ByteToMessageDecoderError.dataReceivedInErrorState = error { return }
    guard
      let refusal = Refusal(
        error, limits: server.options, lineByteCount: timers.lineByteCount)
    else {
      return context.close(promise: nil)
    }
    switch phase {
    case .receiving: refuse(refusal)
    case .answering, .full: self.refusal = self.refusal ?? refusal
    case .closing: break
    }
  }
}
#endif
