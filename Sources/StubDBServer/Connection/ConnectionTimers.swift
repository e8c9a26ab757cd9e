#if Server
import NIOCore
import NIOHTTP1

/// The time-outs of a connection.
///
/// Requests do not set timers: one runs as long as the connection is open, and looks at what has happened.
final class ConnectionTimers {
  /// How long the client's bytes are waited for once its time is over, because a busy machine may not have read them.
  static let lastChance = TimeAmount.milliseconds(100)

  private weak var handler: HTTP1Handler?
  private var idleTimeout = TimeAmount.zero
  private var headerTimeout = TimeAmount.zero
  private var lastActivity = NIODeadline.now()
  /// Whether the time of silence was over when it was last looked at.
  private var isSilent = false
  private var idle: Scheduled<Void>?
  private var header: Scheduled<Void>?
  private var end: Scheduled<Void>?
  /// What the parser made of the bytes so far.
  private var parsed = Parsed()

  private struct Parsed {
    /// Counts the parts that came, to notice bytes that do not make one.
    var count = 0
    /// Whether no request is half received.
    var isBetweenRequests = true
    /// Whether the request before had no length, so that a blank line was its end.
    var endsWithBlankLine = false
    /// Whether the beginning of another head is there.
    var isHeadBegun = false
    /// How many bytes of the first line of a request have come; nil once its end has.
    var lineByteCount: Int? = 0
    /// The bytes within content that have made no part of it.
    var silentByteCount = 0
  }

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

  /// The parser has found a part of a request.
  func note(_ part: HTTPServerRequestPart) {
    parsed.count &+= 1
    switch part {
    case .head(let head):
      parsed.isBetweenRequests = false
      parsed.isHeadBegun = false
      parsed.endsWithBlankLine = !head.headers.contains(name: "content-length")
    case .body: break
    case .end:
      parsed.isBetweenRequests = true
      parsed.lineByteCount = 0
    }
  }

  /// Bytes came, and the parser gets them next.
  func noteAhead(_ bytes: ByteBuffer) {
    guard let before = parsed.lineByteCount else { return }
    let end = bytes.readableBytesView.firstIndex(of: 0x0A)
    lineByteCount = before + (end.map { $0 - bytes.readerIndex } ?? bytes.readableBytes)
    parsed.lineByteCount = end == nil ? lineByteCount : nil
  }

  /// The length of the first line of the request that is received, or was last.
  ///
  /// Not known where it comes with the end of the request before.
  private(set) var lineByteCount = 0

  /// Bytes came, and the parser has had them.
  ///
  /// The parser does not report that a head has begun. One has if bytes made no part, or if the last ones are not
  /// the blank line that a request ends with. Behind content with a length this is noticed at the next bytes only.
  func note(_ bytes: ByteBuffer, partCount before: Int) {
    guard parsed.isBetweenRequests, bytes.readableBytes > 0 else {
      return noteContent(bytes.readableBytes, madeNoPart: parsed.count == before)
    }
    if parsed.count == before {
      parsed.isHeadBegun = true
    } else if parsed.endsWithBlankLine, bytes.readableBytes >= 4 {
      parsed.isHeadBegun = !bytes.endsWithBlankLine
    }
    awaitHead()
  }

  /// Refuses the sizes and extensions of chunks without an end, which the parser takes.
  private func noteContent(_ byteCount: Int, madeNoPart: Bool) {
    parsed.silentByteCount = madeNoPart ? parsed.silentByteCount + byteCount : 0
    guard parsed.silentByteCount > HTTP1Limits.listSize, let handler, handler.phase == .receiving
    else { return }
    handler.refuse(
      Refusal(
        400, "Bad request",
        "The size or the extension of a chunk has more than \(HTTP1Limits.listSize >> 10) KiB."))
  }

  var partCount: Int { parsed.count }

  /// Begins the time for the rest of a head, if no request is being answered.
  func awaitHead() {
    guard parsed.isHeadBegun, header == nil, let handler, handler.phase == .receiving,
      handler.head == nil, let loop = handler.context?.eventLoop
    else { return }
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
    if left > .zero {
      isSilent = false
      return watch(for: left)
    }
    guard isSilent else {
      isSilent = true
      return watch(for: Self.lastChance)
    }
    isSilent = false
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

/// Sees the bytes of a connection in front of the parser, for time-outs of what makes no request yet.
final class ArrivalWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let handler: HTTP1Handler

  init(_ handler: HTTP1Handler) {
    self.handler = handler
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let (bytes, timers) = (unwrapInboundIn(data), handler.timers)
    let before = timers.partCount
    timers.noteAhead(bytes)
    handler.bytesCame()
    context.fireChannelRead(data)
    timers.note(bytes, partCount: before)
  }
}

extension ByteBuffer {
  /// Whether the last line has nothing but its end, which may lack the carriage return; false for less than 3 bytes.
  fileprivate var endsWithBlankLine: Bool {
    guard let last = getInteger(at: writerIndex - 2, as: UInt16.self) else { return false }
    return last == 0x0A0A
      || last == 0x0D0A && getInteger(at: writerIndex - 3, as: UInt8.self) == 0x0A
  }
}
#endif
