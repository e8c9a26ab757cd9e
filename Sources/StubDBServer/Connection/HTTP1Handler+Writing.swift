#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket
import StubDBPlayback

import struct Foundation.Data

/// A response as it is written to a connection of HTTP/1.
struct HTTP1Response {
  /// A part that is yet to be sent.
  enum Step {
    case bytes(ByteBuffer)
    case content(Data)
    /// Called once the client has taken what comes before.
    case continuation(@Sendable () -> Void)
    case ending(WireEnding)
  }

  /// Whether the connection ends after it.
  var isLast = false
  var isHead = false
  /// Whether the client speaks HTTP/1.0.
  var isOldVersion = false
  /// How the content is framed; nil until the head is written.
  var framing: HeadWriter.Framing?
  /// Usually empty, when it takes no memory: most responses are written at once.
  var pending: [Step] = []
  /// The fields behind chunked content.
  var trailers: HTTPFields = [:]

  init() {}

  /// The end of chunked content.
  var lastChunk: ByteBuffer {
    var out = ByteBuffer(staticString: "0\r\n")
    for field in trailers {
      out.writeString("\(field.name.rawName): \(field.value)\r\n")
    }
    out.writeStaticString("\r\n")
    return out
  }

  /// The response to a request; nil for one without a head.
  init(to head: HTTPRequestHead?, isLast: Bool) {
    self.isLast = isLast
    isHead = head?.method == .HEAD
    isOldVersion = head?.version.minor == 0
  }
}

extension HTTP1Handler: ResponseWriter {
  /// Content up to this size is copied into one buffer with its head.
  private static let largestCopy = 64 << 10

  var isReady: Bool { context?.channel.isWritable == true }

  var takesStreams: Bool { !response.isOldVersion }

  /// Gives a response that is there as a whole; most go out in one buffer.
  func give(_ head: ResponseHead, _ content: Data) {
    guard content.count <= Self.largestCopy else {
      response.pending.append(.bytes(begun(head, capacity: 512)))
      append(content)
      return end(.complete)
    }
    var out = begun(head, capacity: 256 + content.count)
    if !response.isHead { write(content, to: &out) }
    if response.framing == .chunked, !response.isHead { out.writeStaticString("0\r\n\r\n") }
    context?.write(wrapOutboundOut(out), promise: nil)
    if !isReading { context?.flush() }
    finish()
  }

  func begin(_ head: ResponseHead) {
    response.pending.append(.bytes(begun(head, capacity: 512)))
    send()
  }

  func inform(_ head: ResponseHead) {
    guard !response.isOldVersion else { return }
    var out = ByteBuffer()
    HeadWriter(head: head, framing: .length(nil), closes: false, keepsOldConnection: false)
      .write(to: &out)
    response.pending.append(.bytes(out))
    send()
  }

  func append(_ trailers: HTTPFields) { response.trailers = trailers }

  func append(_ content: Data) {
    if !response.isHead, !content.isEmpty { response.pending.append(.content(content)) }
    send()
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    response.pending.append(.continuation(next))
    send()
  }

  func end(_ ending: WireEnding) {
    if ending == .garbage, response.framing == nil {
      response.pending.append(.bytes(ByteBuffer(staticString: "\u{1}\u{2}not HTTP\r\n\r\n")))
    }
    response.pending.append(.ending(ending))
    send()
  }

  /// Leaves the connection to a WebSocket; what the client has sent ahead goes there too.
  func upgrade(_ head: ByteBuffer, to webSocket: WebSocketHandler) -> Bool {
    guard let context, !response.isOldVersion, !isEnding, !isInputClosed else { return false }
    let pipeline = context.pipeline.syncOperations
    do {
      let parser = try pipeline.context(
        handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let watch = try pipeline.context(handlerType: ArrivalWatch.self)
      let decoder = WebSocketFrameDecoder(maxFrameSize: server.options.largestMessage)
      try pipeline.addHandlers([
        WebSocketByteWatch(webSocket), ByteToMessageHandler(decoder), WebSocketFrameEncoder(),
        webSocket,
      ])
      context.writeAndFlush(wrapOutboundOut(head), promise: nil)
      timers.cancel()
      content.release()
      phase = .closing
      pipeline.removeHandler(context: context, promise: nil)
      pipeline.removeHandler(context: watch, promise: nil)
      pipeline.removeHandler(context: parser, promise: nil)
      return true
    } catch {
      return false
    }
  }

  /// The head as bytes, which begins the response.
  private func begun(_ head: ResponseHead, capacity: Int) -> ByteBuffer {
    let framing = HeadWriter.framing(
      head, isHead: response.isHead, isOldVersion: response.isOldVersion)
    response.framing = framing
    // After an interim status as the last word, the client would go on waiting for another.
    if head.status < 200 || framing == .untilClose || HeadWriter.asksToClose(head.headers) {
      response.isLast = true
    }
    var out = context?.channel.allocator.buffer(capacity: capacity) ?? ByteBuffer()
    HeadWriter(
      head: head, framing: framing, closes: response.isLast,
      keepsOldConnection: response.isOldVersion && !response.isLast
    ).write(to: &out)
    return out
  }

  private func write(_ content: Data, to out: inout ByteBuffer) {
    guard !content.isEmpty else { return }
    responder.note(content)
    guard response.framing == .chunked else {
      out.writeBytes(content)
      return
    }
    out.writeString(String(content.count, radix: 16))
    out.writeStaticString("\r\n")
    out.writeBytes(content)
    out.writeStaticString("\r\n")
  }

  /// Sends what is pending, as far as the client reads it.
  func send() {
    guard phase == .answering, let context else { return }
    let number = responder.answer.number
    while responder.owes(number), !response.pending.isEmpty {
      let step = response.pending.removeFirst()
      switch step {
      case .bytes(let bytes):
        context.write(wrapOutboundOut(bytes), promise: nil)
      case .content(let content):
        // In slices: the bytes of large content are shared by all clients that get it.
        let slice = content.prefix(Self.largestCopy)
        if slice.count < content.count {
          response.pending.insert(.content(content.dropFirst(slice.count)), at: 0)
        }
        var out = context.channel.allocator.buffer(capacity: slice.count + 16)
        write(slice, to: &out)
        context.writeAndFlush(wrapOutboundOut(out), promise: nil)
      case .continuation(let next):
        context.flush()
        guard context.channel.isWritable else {
          response.pending.insert(step, at: 0)
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
      if response.framing == .chunked, !response.isHead {
        context?.writeAndFlush(wrapOutboundOut(response.lastChunk), promise: nil)
      }
      finish()
    case .reset:
      conclude()
      resetAfterWrites()
    case .close, .garbage:
      conclude()
      closeAfterWrites()
    case .silence:
      responder.fallSilent()
      // Its end looks like a half-closed connection, and no response is pending.
      if isInputClosed || isEnding { context?.close(promise: nil) }
    }
  }

  /// The answer is complete: resumes with the next request, or closes.
  private func finish() {
    let isLast = response.isLast || isEnding
    conclude()
    if isLast { closeAfterWrites() } else { receiveNext() }
  }

  private func conclude() {
    timers.touch()
    response.pending.removeAll()
    content.release()
    responder.conclude()
  }
}
#endif
