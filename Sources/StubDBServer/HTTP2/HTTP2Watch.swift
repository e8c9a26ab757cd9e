#if TLS
import NIOCore

/// Sees the bytes of a connection: when some came, and whether NIO has ended it because of an error.
final class HTTP2Watch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Whether what comes is dropped, since the connection has ended.
  var dropsInput = false
  private(set) var hasSentEnd = false
  private(set) var lastActivity = NIODeadline.now()
  private var settings = EarlySettings()
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  /// Tells the client that the connection ends soon, with a GOAWAY that excludes no stream.
  ///
  /// Past NIO, which would close the connection at once.
  func announceEnd() {
    let frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    context?.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastActivity = .now()
    guard !dropsInput else { return }
    guard !settings.areSettled else { return context.fireChannelRead(data) }
    let bytes = settings.settled(unwrapInboundIn(data))
    if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    lastActivity = .now()
    context.fireChannelWritabilityChanged()
  }

  /// NIO writes the head of each frame as a separate buffer, and reports errors of streams and of connections alike.
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

/// Has the limits of the server hold from the first stream on.
///
/// Until the client has confirmed them, there are no limits for it, but NIO ends the connection of one that opens more
/// than 100 streams (swift-nio-http2 1.46; `moreStreamsMayComeBeforeTheSettingsAreKnown` fails without this). So NIO
/// gets the confirmation at once, and the client's own is dropped.
/// https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2
struct EarlySettings {
  private static let headSize = 9
  private static let type: UInt8 = 4

  /// Whether bytes need not be looked at any more.
  private(set) var areSettled = false
  /// How many bytes follow that are not the head of a frame; the preface comes first.
  private var rest = 24
  /// The part of a frame's head that has come.
  private var head = ByteBuffer()
  /// Whether the client's settings have begun.
  private var haveBegun = false
  private var isConfirmationDue = false

  /// The bytes for NIO.
  mutating func settled(_ bytes: ByteBuffer) -> ByteBuffer {
    var bytes = bytes
    var out = ByteBuffer()
    while bytes.readableBytes > 0, !areSettled {
      if rest > 0 {
        var part = bytes.readSlice(length: min(rest, bytes.readableBytes)) ?? ByteBuffer()
        rest -= part.readableBytes
        out.writeBuffer(&part)
      } else {
        var part =
          bytes.readSlice(length: min(Self.headSize - head.readableBytes, bytes.readableBytes))
          ?? ByteBuffer()
        head.writeBuffer(&part)
        if head.readableBytes == Self.headSize { takeHead(&out) }
      }
      if rest == 0, isConfirmationDue {
        isConfirmationDue = false
        out.writeBytes([0, 0, 0, Self.type, 1, 0, 0, 0, 0])
      }
    }
    out.writeBuffer(&bytes)
    return out
  }

  /// Takes the head of a frame.
  private mutating func takeHead(_ out: inout ByteBuffer) {
    let bytes = Array(head.readableBytesView)
    let size = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    let (isSettings, isConfirmation) = (bytes[3] == Self.type, bytes[4] & 1 == 1)
    if haveBegun, isSettings, isConfirmation, size == 0 {
      areSettled = true
      return
    }
    // Without settings at the beginning, NIO ends the connection.
    if !haveBegun {
      haveBegun = true
      isConfirmationDue = isSettings && !isConfirmation
      areSettled = !isConfirmationDue
    }
    out.writeBuffer(&head)
    head.clear()
    rest = size
  }
}
#endif
