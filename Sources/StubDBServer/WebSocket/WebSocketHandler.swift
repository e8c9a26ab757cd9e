#if Server
import NIOCore
import NIOWebSocket
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

/// A connection that has become a WebSocket: carries out what its ``WebSocketPlay`` says.
///
/// Between NIO's frames and the socket. All of it runs on the event loop of the connection.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Larger messages are compared on another thread, because it may take long to parse them.
  private static let largestQuickMessage = 32 << 10

  let responder: Responder
  var context: ChannelHandlerContext?
  var play: WebSocketPlay
  /// What is to be sent, in order.
  var outgoing = CircularBuffer<OutgoingFrame>()
  var isSending = false
  /// Whether the frame that closes the connection, or a reset, was sent.
  var isOutputClosed = false
  private let answer: WebSocketAnswer
  private let event: ServeEvent
  private let player: Player
  private var assembler: MessageAssembler
  private var contentShare = ContentBudget.Share()
  /// The bytes that have come and make no frame yet.
  private var byteCount = 0
  private var timer: (any Cancellable)?
  private var idle: Scheduled<Void>?
  private var end: Scheduled<Void>?
  private var lastActivity = NIODeadline.now()
  private var isPinged = false
  private var isReadHeld = false
  /// What the journal and the log say of it by now.
  private var lastRemark = ""

  init(
    _ answer: WebSocketAnswer, of responder: Responder, _ event: ServeEvent, _ player: Player
  ) {
    (self.answer, self.responder, self.event, self.player) = (answer, responder, event, player)
    play = answer.play
    assembler = MessageAssembler(limit: responder.server.options.largestMessage)
  }

  var options: ServerOptions { responder.server.options }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    watch(for: TimeAmount(options.idleTimeout))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  /// Begins the script, once the handshake is complete.
  func begin() {
    carryOut(play.begin())
    context?.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    play.clientHasGone()
    conclude()
    for timer in [idle, end] { timer?.cancel() }
    context.fireChannelInactive()
  }

  // MARK: Reading

  /// Lets the kernel keep what comes while the client has to wait, so that it cannot fill the memory.
  func read(context: ChannelHandlerContext) {
    if play.isFull || !context.channel.isWritable {
      isReadHeld = true
    } else {
      context.read()
    }
  }

  func resumeReading() {
    guard isReadHeld, let context else { return }
    isReadHeld = false
    read(context: context)
  }

  /// Bytes came, which make a frame or the beginning of one.
  func received(byteCount: Int) {
    (lastActivity, isPinged) = (.now(), false)
    self.byteCount += byteCount
    do throws(Refusal) {
      try responder.server.contents.reserve(
        &contentShare, for: self.byteCount + assembler.byteCount)
    } catch {
      fail(1013, "the server holds as much as it may")
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    byteCount = 0
    do throws(MessageAssembler.Failure) {
      switch try assembler.add(unwrapInboundIn(data)) {
      case .message(let message):
        responder.server.contents.release(&contentShare)
        // So that the session does not end for want of requests.
        _ = responder.answer.session?.use()
        carryOut(play.received(message))
      case .ping(let data): pong(data)
      case .close(let code): carryOut(play.clientCloses(code))
      case nil: break
      }
    } catch {
      fail(error.code, error.reason)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    lastActivity = .now()
    if context.channel.isWritable {
      send()
      resumeReading()
    }
    context.fireChannelWritabilityChanged()
  }

  private func fail(_ code: Int, _ reason: String) {
    carryOut(play.fail(code, reason))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error as? NIOWebSocketError {
    case .invalidFrameLength: fail(1009, "a frame has more than \(options.largestMessage) bytes")
    case .fragmentedControlFrame, .multiByteControlFrameLength:
      fail(1002, "a control frame is in parts, or too long")
    case nil: context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      play.clientHasGone()
      context.close(promise: nil)
    case is ServerEnds: serverEnds()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Closes the connection because the server, or the session, ends.
  func serverEnds() {
    if play.isSilent { return context?.close(promise: nil) ?? () }
    fail(1001, "the server is ending")
  }

  // MARK: The script

  func carryOut(_ actions: [WebSocketPlay.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let isAwaited):
        outgoing.append(.message(message.content, message.isText, isFirst: true, isAwaited))
      case .wait(let time, let number): wait(time, number)
      case .compare(let message, let frame): compare(message, frame)
      case .close(let code, let reason): outgoing.append(.close(code, reason))
      case .end: outgoing.append(.end)
      case .reset: outgoing.append(.reset)
      case .fallSilent:
        outgoing.removeAll()
        responder.fallSilent()
        remark()
      case .record(let record): run.record(record, on: event)
      case .problem(let text): run.noteUnexpectedMessage(text, on: event)
      }
    }
    if play.isClosing { remark() }
    send()
    resumeReading()
  }

  /// The run at present, which has taken over the journal if the catalog has changed meanwhile.
  private var run: ScenarioRun { responder.answer.session?.player.run ?? player.run }

  private func remark() {
    guard responder.answer.isOwed, lastRemark != play.summary else { return }
    lastRemark = play.summary
    responder.answer.entry?.remark = play.summary
    run.remark(play.summary, on: event)
  }

  /// Compares a message at once, or on another thread if that may take long.
  private func compare(_ message: WebSocketMessage, _ frame: Int) {
    guard let frames = answer.frames else { return carryOut(play.compared(.unmet([]))) }
    var quickSize = Self.largestQuickMessage
    if case .expect(let patterns, _) = answer.script.frames[frame].kind {
      quickSize = min(quickSize, PatternCost.size(of: patterns))
    }
    guard message.content.count > quickSize, let context else {
      return carryOut(play.compared(frames.compare(message.content, withFrame: frame)))
    }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let loop = context.eventLoop
    BlockingThreads.shared.run {
      let verdict = frames.compare(message.content, withFrame: frame)
      loop.execute { handler.value.carryOut(handler.value.play.compared(verdict)) }
    }
  }

  private func wait(_ time: Duration, _ number: Int) {
    guard let context else { return }
    timer?.cancel()
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let loop = context.eventLoop
    timer = player.schedule(after: time, for: ObjectIdentifier(self)) {
      loop.execute { handler.value.carryOut(handler.value.play.timeHasPassed(number)) }
    }
  }

  // MARK: The end

  /// Closes the connection after a time, if the client has not.
  func closeLater() {
    guard let context, end == nil else { return }
    end = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(options.lingerTime)) {
      self.context?.close(promise: nil)
    }
  }

  private func conclude() {
    timer?.cancel()
    outgoing.removeAll()
    responder.server.contents.release(&contentShare)
    remark()
    responder.conclude()
  }

  // MARK: Idle clients

  /// Asks a client that says nothing whether it is still there, and gives up one that does not answer.
  private func watch(for time: TimeAmount) {
    guard let context else { return }
    idle = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.look() }
  }

  private func look() {
    guard let context else { return }
    let time = TimeAmount(options.idleTimeout)
    let left = lastActivity + time - .now()
    if left > .zero { return watch(for: left) }
    if !play.isSilent {
      // It does not read, or does not answer.
      guard !isPinged, !play.isClosing, context.channel.isWritable else {
        return context.close(promise: nil)
      }
      isPinged = true
      ping()
    }
    watch(for: time)
  }
}

/// Counts bytes in front of the parser of frames.
final class WebSocketByteWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let handler: WebSocketHandler

  init(_ handler: WebSocketHandler) {
    self.handler = handler
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    handler.received(byteCount: unwrapInboundIn(data).readableBytes)
    context.fireChannelRead(data)
  }
}

extension ScenarioRun {
  /// Notes that a WebSocket did not go as its script says.
  fileprivate func noteUnexpectedMessage(_ reason: String, on event: ServeEvent) {
    let stub = "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario?.rawValue ?? "")\""
    let problem = VerificationProblem(
      kind: .unexpectedMessage, message: "The WebSocket of \(stub): \(reason)",
      scenario: event.scenario ?? scenario.name, stubKey: event.stubKey, request: event.request)
    note(problem)
  }
}
#endif
