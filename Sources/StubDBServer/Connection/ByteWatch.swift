#if Server
import NIOCore
import NIOHTTP1

/// Sees the bytes of a connection in front of the parser: answers requests that are known byte by byte, and notices
/// bytes that do not make a request yet.
///
/// A known request costs neither parsing nor looking for the stub. All others take the usual way, as does whatever
/// follows something that is not known.
final class ByteWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let handler: HTTP1Handler
  private let requests = KnownRequests.current
  /// Whether the handlers behind this one have had bytes in this read.
  private var hasPassedOn = false

  init(_ handler: HTTP1Handler) {
    self.handler = handler
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard handler.takesKnownRequests else { return passOn(bytes, context) }
    var start = NIODeadline.now()
    handler.timers.touch(start)
    while bytes.readableBytes > 0 {
      guard handler.takesKnownRequests else { return passOn(bytes, context) }
      let lookup = bytes.withUnsafeReadableBytes(requests.look)
      if let known = lookup.known {
        guard let end = handler.responder.answer(known, since: start, in: context) else {
          requests.forget(known)
          continue
        }
        bytes.moveReaderIndex(forwardBy: lookup.byteCount)
        start = end
        waitForReader(context)
      } else if requests.isWorthwhile(lookup), let head = bytes.readSlice(length: lookup.byteCount)
      {
        learn(head, lookup, context, isWorthKeeping: true)
        start = .now()
      } else if let (head, fields) = bytes.withUnsafeReadableBytes({ requests.head(lookup, $0) }) {
        hasPassedOn = true
        bytes.moveReaderIndex(forwardBy: lookup.byteCount)
        handler.take(head, fields)
        start = .now()
      } else if requests.areFieldsWorthwhile(lookup),
        let head = bytes.readSlice(length: lookup.byteCount)
      {
        learn(head, lookup, context, isWorthKeeping: false)
        start = .now()
      } else {
        return passOn(bytes, context)
      }
    }
  }

  /// Has the usual handlers take bytes.
  private func passOn(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    hasPassedOn = true
    let before = handler.timers.partCount
    handler.timers.noteAhead(bytes)
    if handler.phase == .answering { handler.hasBytesAhead = true }
    context.fireChannelRead(wrapInboundOut(bytes))
    handler.timers.note(bytes, partCount: before)
  }

  /// Has the usual handlers answer a request that has come before, and remembers its fields, and the answer if it is
  /// always the same.
  private func learn(
    _ head: ByteBuffer, _ lookup: KnownRequests.HeadLookup, _ context: ChannelHandlerContext,
    isWorthKeeping: Bool
  ) {
    let observation = RequestObservation()
    let before = handler.timers.partCount
    handler.responder.observation = observation
    passOn(head, context)
    handler.responder.observation = nil
    // A head and an end, so that the bytes are a whole request.
    let isWhole = handler.takesKnownRequests && handler.timers.partCount == before &+ 2
    head.withUnsafeReadableBytes {
      requests.keepFields(isWhole ? observation.head : nil, lookup, $0)
    }
    guard isWorthKeeping else { return }
    requests.keep(isWhole ? KnownRequest(head, observation, handler.responder) : nil, lookup)
  }

  /// Waits if the client does not read; what it sends meanwhile is held behind the parser.
  private func waitForReader(_ context: ChannelHandlerContext) {
    if context.channel.isWritable { return }
    context.flush()
    if !context.channel.isWritable { handler.phase = .full }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard hasPassedOn else { return context.flush() }
    hasPassedOn = false
    context.fireChannelReadComplete()
  }
}
#endif
