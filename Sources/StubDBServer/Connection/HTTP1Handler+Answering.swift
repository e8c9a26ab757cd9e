#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBPlayback

import struct Foundation.Data

/// The answer that a connection is giving.
struct AnswerInProgress {
  /// A part of an answer.
  enum Step {
    case bytes(ByteBuffer)
    case content(Data)
    /// Called once the client has taken what comes before.
    case continuation(@Sendable () -> Void)
    case ending(WireEnding)
  }

  /// What plays the scenario; nil for an answer of the server itself.
  var served: ServedScenario?
  var session: Session?
  /// What local redirects get back in front of their target.
  var prefix = ""
  /// The events that are sent; nil for answers with an end.
  var stream: EventStream?
  /// Tells answers apart: events of an earlier one count no more.
  var number = 0
  /// Whether the connection ends after it.
  var isLast = false
  var isHead = false
  /// Whether the client speaks HTTP/1.0.
  var isOldVersion = false
  /// Whether nothing is ever sent.
  var isSilent = false
  /// How the content is framed; nil until the head is sent.
  var framing: HeadWriter.Framing?
  /// What carries it out, if it takes time.
  var exchange: Exchange?
  /// The line of the log; nil without a log.
  var entry: AccessLogEntry?
  /// The entry of the journal; nil until the request is decided.
  var event: ServeEvent?
  var start = NIODeadline.uptimeNanoseconds(0)
}

extension HTTP1Handler {
  /// Content up to this size is copied into one buffer with its head.
  private static let largestCopy = 64 << 10
  /// Larger requests are compared on another thread, because it may take long to parse them.
  private static let largestQuickRequest = 32 << 10

  func beginAnswer(
    to request: StubRequest, from served: ServedScenario, of session: Session, _ prefix: String,
    _ head: HTTPRequestHead, isLast: Bool
  ) {
    begin(head, isLast: isLast, byteCount: request.content?.count ?? 0)
    answer.served = served
    answer.session = session
    answer.prefix = prefix
    guard (request.content?.count ?? 0) > Self.largestQuickRequest else {
      return carryOut(served.player.decide(about: request), request, served.player)
    }
    guard let context else { return }
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let (loop, number, player) = (context.eventLoop, answer.number, served.player)
    BlockingThreads.shared.run {
      let decision = player.decide(about: request)
      loop.execute {
        guard handler.value.answer.number == number else { return }
        handler.value.carryOut(decision, request, player)
      }
    }
  }

  func beginRefusal(_ refusal: Refusal, of head: HTTPRequestHead?) {
    begin(head, isLast: true, byteCount: 0)
    guard
      case .response(let head, let content) = FailureOnWire.problem(
        refusal.status, refusal.title, refusal.detail)
    else { return }
    answer.entry?.remark = refusal.title
    give(head, content)
  }

  func begin(_ head: HTTPRequestHead?, isLast: Bool, byteCount: Int) {
    phase = .answering
    answer = AnswerInProgress(number: answer.number &+ 1, isLast: isLast)
    answer.isHead = head?.method == .HEAD
    answer.isOldVersion = head?.version.minor == 0
    guard server.log != nil else { return }
    answer.start = .now()
    answer.entry = AccessLogEntry(
      method: head?.method.rawValue ?? "-", target: head?.uri ?? "-", duration: .zero,
      requestByteCount: byteCount, responseByteCount: 0)
  }

  private func carryOut(
    _ decision: Player.Decision, _ request: StubRequest, _ player: Player
  ) {
    if case .failure(.ended) = decision, let served = answer.session?.served,
      served !== answer.served
    {
      // The catalog has changed meanwhile, and a later run decides.
      answer.served = served
      return carryOut(served.player.decide(about: request), request, served.player)
    }
    let event = Self.event(of: decision)
    answer.event = event
    answer.entry?.event = event
    if let event = player.immediateEvent(of: decision, decoded: false) {
      return deliver(event)
    }
    guard let context else { return }
    let sink = ConnectionSink(self, context.eventLoop, answer: answer.number)
    guard let exchange = Exchange(player, patience: .ofServer, sink: sink) else {
      return deliver(.failure(.ended))
    }
    answer.exchange = exchange
    exchange.carryOut(decision, request)
  }

  private static func event(of decision: Player.Decision) -> ServeEvent? {
    switch decision {
    case .answer(_, let event), .unmatched(let event): event
    case .closures, .failure: nil
    }
  }

  // MARK: Events

  /// Takes an event of an answer; does nothing if another answer is being given.
  func deliver(_ event: ResponseEvent, of number: Int) {
    if number == answer.number, phase == .answering { deliver(event) }
  }

  private func deliver(_ event: ResponseEvent) {
    switch event {
    case .whole(let head, let content):
      give(head, content)
    case .head(let head):
      pending.append(.bytes(begun(head, capacity: 512)))
      send()
    case .content(let content):
      append(content)
      send()
    case .finish:
      end(.complete)
    case .failure(let failure):
      give(failure)
    }
  }

  /// Nothing more is sent by an answer.
  func fallSilent(of number: Int) {
    if number == answer.number, phase == .answering { end(.silence) }
  }

  /// Calls the continuation once the client has taken what was sent.
  func afterDelivery(of number: Int, _ next: @escaping @Sendable () -> Void) {
    guard number == answer.number, phase == .answering else { return }
    pending.append(.continuation(next))
    send()
  }

  private func give(_ failure: ResponseFailure) {
    guard let served = answer.served else { return end(.close) }
    switch FailureOnWire(failure, unmatchedStatus: served.unmatchedStatus) {
    case .response where answer.framing != nil:
      // Half of the response is there, so that a second one would be taken for its content.
      end(.close)
    case .response(let head, let content):
      if case .unmatched(let event, _) = failure { answer.entry?.event = event }
      answer.entry?.remark = Self.remark(failure)
      give(head, content)
    case .ending(.silence, let remark):
      fallSilent(remark: remark)
    case .ending(.garbage, let remark):
      answer.entry?.remark = remark
      if answer.framing == nil {
        pending.append(.bytes(ByteBuffer(staticString: "\u{1}\u{2}not HTTP\r\n\r\n")))
      }
      end(.close)
    case .ending(let ending, let remark):
      answer.entry?.remark = remark
      end(ending)
    case .substitute(let ending, let remark):
      answer.entry?.remark = remark
      if let event = answer.event { served.player.run.remark(remark, on: event) }
      end(ending)
    }
  }

  private static func remark(_ failure: ResponseFailure) -> String? {
    switch failure {
    case .unmatched: "no stub answers"
    case .refusedPassthrough: "passthrough refused"
    case .unreadableContent(let message), .refused(let message): message
    default: nil
    }
  }

  // MARK: Sending

  /// Gives a response that is there as a whole; most go out in one buffer.
  func give(_ head: ResponseHead, _ content: Data) {
    var head = head
    if head.contentLength == nil { head.contentLength = content.count }
    guard content.count <= Self.largestCopy else {
      pending.append(.bytes(begun(head, capacity: 512)))
      append(content)
      return end(.complete)
    }
    var out = begun(head, capacity: 256 + content.count)
    if !answer.isHead { write(content, to: &out) }
    if answer.framing == .chunked, !answer.isHead { out.writeStaticString("0\r\n\r\n") }
    context?.write(wrapOutboundOut(out), promise: nil)
    if !isReading { context?.flush() }
    finish()
  }

  /// The head as bytes, which begins the response.
  func begun(_ head: ResponseHead, capacity: Int) -> ByteBuffer {
    let head = withPrefix(head)
    let framing = HeadWriter.framing(
      head, isHead: answer.isHead, isOldVersion: answer.isOldVersion)
    answer.framing = framing
    // After an interim status as the last word, the client would go on waiting for another.
    if head.status < 200 || HeadWriter.asksToClose(head.headers) { answer.isLast = true }
    answer.entry?.status = head.status
    var out = context?.channel.allocator.buffer(capacity: capacity) ?? ByteBuffer()
    HeadWriter(
      head: head, framing: framing, closes: answer.isLast,
      keepsOldConnection: answer.isOldVersion && !answer.isLast
    ).write(to: &out)
    return out
  }

  /// The head, whose redirect within the server leads to the same session.
  private func withPrefix(_ head: ResponseHead) -> ResponseHead {
    guard !answer.prefix.isEmpty, let target = head.headers[.location], target.hasPrefix("/"),
      !target.hasPrefix("//")
    else { return head }
    var head = head
    head.headers[.location] = answer.prefix + target
    return head
  }

  func append(_ content: Data) {
    if !answer.isHead, !content.isEmpty { pending.append(.content(content)) }
  }

  private func write(_ content: Data, to out: inout ByteBuffer) {
    guard !content.isEmpty else { return }
    answer.entry?.responseByteCount += content.count
    guard answer.framing == .chunked else {
      out.writeBytes(content)
      return
    }
    out.writeString(String(content.count, radix: 16))
    out.writeStaticString("\r\n")
    out.writeBytes(content)
    out.writeStaticString("\r\n")
  }

  func end(_ ending: WireEnding) {
    pending.append(.ending(ending))
    send()
  }

  /// Sends what is pending, as far as the client reads it.
  func send() {
    guard phase == .answering, let context else { return }
    let number = answer.number
    while number == answer.number, phase == .answering, let step = pending.popFirst() {
      switch step {
      case .bytes(let bytes):
        context.write(wrapOutboundOut(bytes), promise: nil)
      case .content(let content):
        // In slices: the bytes of large content are shared by all clients that get it.
        let slice = content.prefix(Self.largestCopy)
        if slice.count < content.count {
          pending.prepend(.content(content.dropFirst(slice.count)))
        }
        var out = context.channel.allocator.buffer(capacity: slice.count + 16)
        write(slice, to: &out)
        context.writeAndFlush(wrapOutboundOut(out), promise: nil)
      case .continuation(let next):
        context.flush()
        guard context.channel.isWritable else {
          pending.prepend(step)
          return
        }
        next()
      case .ending(let ending):
        context.flush()
        return finish(ending)
      }
      if !context.channel.isWritable {
        context.flush()
        if !context.channel.isWritable { return }
      }
    }
    context.flush()
  }

  private func finish(_ ending: WireEnding) {
    switch ending {
    case .complete:
      if answer.framing == .chunked, !answer.isHead {
        context?.writeAndFlush(wrapOutboundOut(ByteBuffer(staticString: "0\r\n\r\n")), promise: nil)
      }
      finish()
    case .reset:
      conclude()
      resetAfterWrites()
    case .close, .garbage:
      conclude()
      closeAfterWrites()
    case .silence:
      fallSilent(remark: nil)
    }
  }

  /// The answer is complete: goes on with the next request, or closes.
  private func finish() {
    let isLast = answer.isLast || isEnding
    conclude()
    if isLast { closeAfterWrites() } else { receiveNext() }
  }

  /// Sends nothing more, until the client goes.
  private func fallSilent(remark: String?) {
    answer.isSilent = true
    answer.entry?.remark = remark ?? "never"
    // Its end cannot be told from half a connection's, and nothing is owed to the client.
    if isInputClosed || isEnding { context?.close(promise: nil) }
  }

  /// Ends the answer, and logs it.
  private func conclude() {
    timers.touch()
    pending.removeAll()
    answer.exchange?.cancel()
    answer.exchange = nil
    answer.stream?.end()
    answer.stream = nil
    answer.served = nil
    answer.session = nil
    answer.event = nil
    releaseContent()
    guard let log = server.log, var entry = answer.entry else { return }
    answer.entry = nil
    entry.duration = .nanoseconds((NIODeadline.now() - answer.start).nanoseconds)
    log(entry)
  }

  /// Gives the answer up, because the client has gone.
  func dropAnswer() {
    guard phase == .answering else { return }
    if !answer.isSilent { answer.entry?.remark = "the client has gone" }
    conclude()
    answer.number &+= 1
  }
}

/// A connection as a front end, for one answer.
final class ConnectionSink: ResponseSink {
  private let handler: NIOLoopBound<HTTP1Handler>
  private let loop: any EventLoop
  private let number: Int

  init(_ handler: HTTP1Handler, _ loop: any EventLoop, answer number: Int) {
    self.handler = NIOLoopBound(handler, eventLoop: loop)
    self.loop = loop
    self.number = number
  }

  func tell(_ event: ResponseEvent) {
    loop.execute { self.handler.value.deliver(event, of: self.number) }
  }

  func fallSilent() {
    loop.execute { self.handler.value.fallSilent(of: self.number) }
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    loop.execute { self.handler.value.afterDelivery(of: self.number, next) }
  }
}
#endif
