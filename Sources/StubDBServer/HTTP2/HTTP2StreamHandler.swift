#if TLS
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import StubDBPlayback

import struct Foundation.Data

/// A stream of HTTP/2: takes one request, and sends its answer.
///
/// All of it runs on the event loop of the connection.
final class HTTP2StreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// The content that is sent at once: more is not taken by clients that keep the usual limit.
  static let largestFrame = 16 << 10

  /// What the stream is doing.
  enum Phase {
    case receiving
    case answering
    /// Nothing more is sent.
    case ended
  }

  /// A part of the answer that is yet to be sent.
  enum Step {
    case content(Data)
    /// Called once the client has taken what comes before.
    case continuation(@Sendable () -> Void)
    case ending(WireEnding)
  }

  let responder: Responder
  let connection: HTTP2Connection
  var context: ChannelHandlerContext?
  var phase = Phase.receiving
  private var server: ServerContext { responder.server }
  private var head: HTTPRequestHead?
  var content: RequestContent
  /// Whether the client has sent all of its request.
  private(set) var isRequestWhole = false
  private(set) var isHead = false
  var pending = CircularBuffer<Step>()
  /// The fields behind the content.
  var trailers: HTTPFields = [:]
  /// Whether the head of the response was sent, and not only interim ones.
  var hasBegun = false

  init(_ responder: Responder, _ connection: HTTP2Connection) {
    (self.responder, self.connection) = (responder, connection)
    content = RequestContent(responder.server)
    responder.writer = self
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    connection.add(self, id)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    phase = .ended
    responder.drop()
    pending.removeAll()
    content.release()
    context = nil
    connection.remove(self)
  }

  // MARK: The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      isRequestWhole = frame.endStream
      // The second one holds fields behind the content, which no scenario asks for.
      if head == nil { begin(frame.headers) }
    case .data(let frame):
      isRequestWhole = frame.endStream
      if case .byteBuffer(let bytes) = frame.data { take(bytes) }
    default: return
    }
    if isRequestWhole, phase == .receiving { respond() }
  }

  private func begin(_ fields: HPACKHeaders) {
    let head = HTTPRequestHead(fields)
    self.head = head
    isHead = head.method == .HEAD
    do throws(Refusal) {
      guard fields.count <= HTTP1Limits.fieldCount else { throw Refusal.tooManyFields }
      try head.check(server.options)
    } catch {
      return refuse(error)
    }
    guard !isRequestWhole, head.awaitsContinue else { return }
    write(.headers(.init(headers: [":status": "100"])))
    context?.flush()
  }

  private func take(_ bytes: ByteBuffer) {
    guard phase == .receiving, head != nil else { return }
    do throws(Refusal) {
      try content.append(bytes)
    } catch {
      refuse(error)
    }
  }

  private func respond() {
    guard let head else { return }
    phase = .answering
    responder.answer(head, content.take())
  }

  /// Answers with the refusal, and takes nothing more of the request.
  private func refuse(_ refusal: Refusal) {
    phase = .answering
    content.release()
    responder.refuse(refusal, head)
  }

  // MARK: Events of the connection

  /// Whether the client has not read what was sent.
  var isBlocked: Bool { phase == .ended || context?.channel.isWritable == false }

  /// Gives up a request whose content does not come.
  func timeOut() {
    guard phase == .receiving else { return }
    refuse(Refusal(408, "Request timeout", "The content of the request did not come in time."))
  }

  /// Gives up what would never end.
  func serverEnds() {
    if responder.answer.isSilent {
      context?.close(promise: nil)
    } else if responder.answer.stream != nil {
      responder.endEvents()
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      send()
      responder.sendEvents()
    }
    context.fireChannelWritabilityChanged()
  }

  /// NIO has reset the stream, or the client has.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

extension HTTPRequestHead {
  /// A request as HTTP/1 would have it, with the authority as its `Host`.
  ///
  /// Clients may split `Cookie` into several fields. https://www.rfc-editor.org/rfc/rfc9113#section-8.2.3
  init(_ fields: HPACKHeaders) {
    var (method, path, authority) = ("", "", String?.none)
    var headers = HTTPHeaders()
    headers.reserveCapacity(fields.count)
    var cookies: [String] = []
    for (name, value, _) in fields {
      switch name {
      case ":method": method = value
      case ":path": path = value
      case ":authority": authority = value
      case ":scheme", ":protocol": break
      case "cookie": cookies.append(value)
      case "host" where authority != nil: break
      default: headers.add(name: name, value: value)
      }
    }
    if !cookies.isEmpty { headers.add(name: "cookie", value: cookies.joined(separator: "; ")) }
    if let authority { headers.add(name: "host", value: authority) }
    // CONNECT has no path.
    self.init(
      version: .http2, method: HTTPMethod(rawValue: method),
      uri: path.isEmpty ? authority ?? "" : path, headers: headers)
  }
}
#endif
