#if TLS
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import StubDBPlayback

import struct Foundation.Data

extension HTTP2StreamHandler: ResponseWriter {
  var isReady: Bool { context?.channel.isWritable == true }

  var takesStreams: Bool { true }

  func give(_ head: ResponseHead, _ content: Data) {
    let isEmpty = isHead || content.isEmpty || !Self.mayHaveContent(head.status)
    guard isEmpty || content.count > Self.largestFrame else {
      writeHead(head, isLast: false)
      return writeLast(content)
    }
    if isEmpty, head.status >= 200 {
      writeHead(head, isLast: true)
      if !isRequestWhole { write(.rstStream(.noError)) }
      return conclude()
    }
    begin(head)
    append(content)
    end(.complete)
  }

  func begin(_ head: ResponseHead) {
    writeHead(head, isLast: false)
    context?.flush()
  }

  func inform(_ head: ResponseHead) {
    writeHead(head, isLast: false)
    context?.flush()
  }

  func append(_ trailers: HTTPFields) { self.trailers = trailers }

  func append(_ content: Data) {
    if !isHead, !content.isEmpty { pending.append(.content(content)) }
    send()
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    pending.append(.continuation(next))
    send()
  }

  func end(_ ending: WireEnding) {
    pending.append(.ending(ending))
    send()
  }

  private static func mayHaveContent(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 304
  }

  // MARK: Frames

  func write(_ payload: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>? = nil) {
    context?.write(wrapOutboundOut(payload), promise: promise)
  }

  private func writeHead(_ head: ResponseHead, isLast: Bool) {
    hasBegun = head.status >= 200
    // No protocol is changed on a stream. https://www.rfc-editor.org/rfc/rfc9113#section-8.6
    guard head.status != 101 else { return }
    var fields = HPACKHeaders()
    fields.reserveCapacity(head.headers.count + 2)
    fields.add(name: ":status", value: String(head.status))
    for field in head.headers where !Self.isAboutConnection(field.name) {
      fields.add(name: field.name.canonicalName, value: field.value)
    }
    // END_STREAM ends the content; Content-Length is sent because clients show progress.
    if case .length(let length?) = HeadWriter.framing(head, isHead: isHead, isOldVersion: false) {
      fields.add(name: "content-length", value: String(length))
    }
    write(.headers(.init(headers: fields, endStream: isLast)))
  }

  /// Whether a field is an error in HTTP/2, or one that only the server can know.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2
  private static func isAboutConnection(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName {
    case "connection", "content-length", "http2-settings", "keep-alive", "proxy-connection", "te",
      "transfer-encoding", "upgrade":
      true
    default: false
    }
  }

  private func write(
    _ content: Data, isLast: Bool, promise: EventLoopPromise<Void>? = nil
  ) {
    responder.note(content)
    var bytes = context?.channel.allocator.buffer(capacity: content.count) ?? ByteBuffer()
    bytes.writeBytes(content)
    write(.data(.init(data: .byteBuffer(bytes), endStream: isLast)), promise: promise)
  }

  /// Sends what is pending, as far as the client reads it.
  func send() {
    while phase == .answering, let context {
      // What follows content may be the end of the stream, which fits into the same frame.
      guard context.channel.isWritable, let step = pending.popFirst() else { break }
      switch step {
      case .content(let content):
        let slice = content.prefix(Self.largestFrame)
        if slice.count < content.count {
          pending.prepend(.content(content.dropFirst(slice.count)))
        }
        write(slice, isLast: false)
        context.flush()
      case .continuation(let next): next()
      case .ending(let ending): return finish(ending)
      }
    }
    context?.flush()
  }

  private func finish(_ ending: WireEnding) {
    switch ending {
    // Interim responses were all of the answer.
    case .complete where !hasBegun: resetStream(.internalError)
    case .complete where !trailers.isEmpty:
      var fields = HPACKHeaders()
      for field in trailers where !Self.isAboutConnection(field.name) {
        fields.add(name: field.name.canonicalName, value: field.value)
      }
      write(.headers(.init(headers: fields, endStream: true)))
      conclude()
    case .complete: writeLast(Data())
    case .close: resetStream(.internalError)
    case .garbage: resetStream(.protocolError)
    case .silence:
      context?.flush()
      responder.fallSilent()
    case .reset:
      context?.flush()
      phase = .ended
      responder.conclude()
      connection.reset()
    }
  }

  /// Writes the last content.
  ///
  /// A client that has not sent all of its request is asked to stop, once it has the answer.
  /// https://www.rfc-editor.org/rfc/rfc9113#section-8.1
  private func writeLast(_ content: Data) {
    var written: EventLoopPromise<Void>?
    if !isRequestWhole {
      written = context?.eventLoop.makePromise()
      written?.futureResult.assumeIsolated().whenComplete { _ in
        self.write(.rstStream(.noError))
        self.context?.flush()
      }
    }
    write(content, isLast: true, promise: written)
    conclude()
  }

  /// The answer is complete.
  private func conclude() {
    phase = .ended
    context?.flush()
    content.release()
    responder.conclude()
  }

  /// Gives the stream up once the client has taken what was sent.
  private func resetStream(_ code: NIOHTTP2.HTTP2ErrorCode) {
    guard let context else { return }
    phase = .ended
    content.release()
    responder.conclude()
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in
      guard let context = self.context else { return }
      context.writeAndFlush(self.wrapOutboundOut(.rstStream(code)), promise: nil)
    }
    guard hasBegun else { return written.succeed() }
    // Behind the content that the client has yet to take.
    write(Data(), isLast: false, promise: written)
    context.flush()
  }
}
#endif
