#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import StubDBEngine
import StubDBPlayback
import StubDBSupport

import struct Foundation.Data

/// Sends requests to other servers, each over its own connection.
///
/// It does not use async-http-client: an address is checked between the lookup of its name and the connection, bytes are
/// passed on as they come, on the event loop of the client's connection and with its backpressure, interim responses and
/// broken-off contents are recorded as they were, and that library always needs NIOSSL, which only the trait `TLS` adds.
///
/// https://www.rfc-editor.org/rfc/rfc9112
final class UpstreamClient: Sendable {
  /// The ports of the server, whose admin API is not called.
  let ownPorts = Locked(OwnPorts())
  private let resolver: UpstreamResolver
  private let options: ForwardingOptions

  init(_ options: ForwardingOptions) {
    var options = options
    #if TLS
    if options.encryption == nil, options.allowsPassthrough || options.allowsCallbacks {
      options.encryption = UpstreamEncryption.handlers()
    }
    #endif
    self.options = options
    resolver = UpstreamResolver(
      allowsPrivate: options.allowsPrivateUpstreams, named: options.namedUpstreams,
      lookUp: options.lookUp)
  }

  /// Gives up what waits for the address of a host; to be called before the loops end.
  func end() { resolver.end() }

  /// Sends a request; all events are delivered to the receiver on the event loop.
  ///
  /// With a limit, all of it must not take longer; without one, the other server must not be silent for long.
  /// - Returns: What gives the request up.
  ///
  /// An exchange that `isRecorded` has only codings that can be undone, and its interim responses are delivered.
  func send(
    _ request: StubRequest, via: String?, to receiver: any UpstreamReceiver, on loop: any EventLoop,
    within limit: Duration? = nil, isRecorded: Bool = false
  ) -> any Cancellable {
    let exchange = UpstreamExchange(receiver, loop)
    if let limit { exchange.fail(after: limit) }
    do throws(UpstreamError) {
      let url = try UpstreamURL(request.url)
      let encryption = url.isSecure ? try encryption(for: url.host) : nil
      let (head, content) = Self.message(request, to: url, via: via, isRecorded: isRecorded)
      connect(to: url.host, url.port, target: url.target, on: loop) { [options] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let encryption { try pipeline.addHandlers(try encryption(url.host)) }
          let decoder = HTTPResponseDecoder(
            leftOverBytesStrategy: .dropBytes,
            informationalResponseStrategy: isRecorded ? .forward : .drop,
            limitConfiguration: HTTP1Limits.configuration)
          try pipeline.addHandler(HTTPRequestEncoder(configuration: .ownFraming))
          try pipeline.addHandler(ByteToMessageHandler(decoder))
          try pipeline.addHandler(
            UpstreamHandler(
              head, content, exchange, options, awaitsHandshake: encryption != nil))
        }
      }.whenComplete { result in
        switch result {
        case .success(let channel): exchange.connected(channel)
        case .failure(let error): exchange.fail(UpstreamError(error))
        }
      }
    } catch {
      loop.execute { exchange.fail(error) }
    }
    return exchange
  }

  /// What connections to a host by https need.
  ///
  /// - Throws: An ``UpstreamError`` if the build has no TLS.
  func encryption(for host: String) throws(UpstreamError) -> ForwardingOptions.Encryption {
    guard let encryption = options.encryption else { throw .noEncryption(host) }
    return encryption
  }

  /// The request as it is sent.
  private static func message(
    _ request: StubRequest, to url: UpstreamURL, via: String?, isRecorded: Bool
  ) -> (HTTPRequestHead, Data) {
    let content = request.content ?? Data()
    let takesContent = ["POST", "PUT", "PATCH"].contains(request.method)
    var head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: url.target)
    head.headers = PassedOnFields.request(
      request.headers, to: url,
      contentLength: content.isEmpty && !takesContent ? nil : content.count, via: via)
    if isRecorded { PassedOnFields.limitCodings(of: &head.headers) }
    return (head, content)
  }

  /// Connects to the first address of a host that may be called and accepts, for a request with a target; nil if
  /// anything may be sent.
  func connect(
    to host: String, _ port: Int, target: String?, on loop: any EventLoop,
    _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    resolver.addresses(of: host, port: port, on: loop).flatMap { addresses in
      let own = self.ownPorts.withLock { $0 }
      guard !addresses.contains(where: { own.haveAdmin(at: $0, target: target) }) else {
        return loop.makeFailedFuture(UpstreamError.ownAdmin(host, port))
      }
      return self.connect(to: addresses[...], on: loop, initializer)
    }
  }

  private func connect(
    to addresses: ArraySlice<SocketAddress>, on loop: any EventLoop,
    _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    guard let address = addresses.first else {
      return loop.makeFailedFuture(
        UpstreamError(name: "cannotFindHost", reason: "The host has no address"))
    }
    let rest = addresses.dropFirst()
    return ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(options.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.autoRead, value: false)
      .channelInitializer(initializer)
      .connect(to: address)
      .flatMapError { error in
        rest.isEmpty
          ? loop.makeFailedFuture(error) : self.connect(to: rest, on: loop, initializer)
      }
  }
}

extension HTTPRequestEncoder.Configuration {
  /// The framing is in the head already.
  fileprivate static var ownFraming: Self {
    var configuration = Self()
    configuration.automaticallySetFramingHeaders = false
    return configuration
  }
}

extension UpstreamError {
  /// A build without TLS.
  static func noEncryption(_ host: String) -> UpstreamError {
    UpstreamError(
      name: "secureConnectionFailed",
      reason: "\(host) is called by https, and this stubdb was built without TLS; build it with "
        + "--traits TLS, or give an http origin with --origin")
  }

  /// A call of the server's own admin API.
  fileprivate static func ownAdmin(_ host: String, _ port: Int) -> UpstreamError {
    UpstreamError(
      name: "loop",
      reason: "\(host):\(port) is this server itself, whose admin API cannot be called through it")
  }
}

/// Receives the events of a request to another server, on the event loop of its connection.
protocol UpstreamReceiver: Sendable {
  /// An interim response came, which another one follows.
  func inform(_ head: HTTPResponseHead)
  /// A response begins, and content may follow.
  func begin(_ head: HTTPResponseHead)
  func receive(_ content: ByteBuffer)
  /// Calls the closure once what was received has gone on.
  func afterDelivery(_ next: @escaping @Sendable () -> Void)
  /// The response is complete; the fields behind its content are mostly none.
  func end(_ trailers: HTTPHeaders)
  func fail(_ error: UpstreamError)
}

extension UpstreamReceiver {
  func inform(_ head: HTTPResponseHead) {}
}

/// A request to another server that is in progress.
final class UpstreamExchange: Cancellable {
  private struct State {
    var receiver: (any UpstreamReceiver)?
    var channel: (any Channel)?
    var deadline: Scheduled<Void>?
    var isOver = false
  }

  private let state: NIOLoopBoundBox<State>
  private let loop: any EventLoop

  init(_ receiver: any UpstreamReceiver, _ loop: any EventLoop) {
    self.loop = loop
    state = NIOLoopBoundBox.makeBoxSendingValue(State(receiver: receiver), eventLoop: loop)
  }

  /// Nil once the request is over.
  var receiver: (any UpstreamReceiver)? { state.value.receiver }

  func connected(_ channel: any Channel) {
    if state.value.isOver { channel.close(promise: nil) } else { state.value.channel = channel }
  }

  func end(_ trailers: HTTPHeaders) { finish()?.end(trailers) }

  func fail(_ error: UpstreamError) { finish()?.fail(error) }

  func cancel() {
    loop.execute { _ = self.finish() }
  }

  /// Gives the request up after a time, on any thread.
  func fail(after time: Duration) {
    loop.execute {
      guard !self.state.value.isOver else { return }
      self.state.value.deadline = self.loop.scheduleTask(in: TimeAmount(time)) {
        self.fail(.timedOut("The other server did not answer in time"))
      }
    }
  }

  /// Ends once, and returns the receiver to notify.
  private func finish() -> (any UpstreamReceiver)? {
    let ended = state.value
    guard !ended.isOver else { return nil }
    // Closing the connection calls back at once, which must not look like its loss.
    state.value = State(isOver: true)
    ended.deadline?.cancel()
    ended.channel?.close(promise: nil)
    return ended.receiver
  }
}
#endif
