#if Server
import NIOCore
import NIOHTTP1
import NIOPosix
package import StubDBEngine
package import StubDBPlayback
import StubDBSupport

/// Plays a scenario to everything that speaks HTTP/1.0 or 1.1.
///
/// It serves until ``end()``. Safe to use from any thread.
package final class StubServer: Sendable {
  /// The port that it listens on.
  package let port: Int
  /// The scenario as it is played.
  package let player: Player
  private let served: ServedScenario
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let hasEnded = Locked(false)

  /// Begins to listen; port 0 means any free one.
  ///
  /// Blocks until it listens, which takes no longer than looking up the host.
  /// - Throws: ``ServerError`` if it cannot listen there.
  package init(
    _ scenario: LoadedScenario, host: String = "127.0.0.1", port: Int = 0,
    playing: PlaybackOptions = PlaybackOptions(), origins: [OriginMap.Rule] = [],
    options: ServerOptions = ServerOptions(), log: AccessLog? = nil
  ) throws(ServerError) {
    player = Player(
      scenario, options: playing,
      journalLimit: JournalLimit(entryCount: 10_000, byteCount: 64 << 20),
      contents: StoredContents(limit: 64 << 20))
    let served = ServedScenario(
      player,
      origins: OriginMap(
        origins: scenario.origins, rules: origins,
        takesAbsoluteTargets: options.takesAbsoluteTargets), options: options, log: log)
    self.served = served
    group = MultiThreadedEventLoopGroup(
      numberOfThreads: options.threadCount ?? min(4, System.coreCount))
    do {
      listener = try Self.bootstrap(group, served).bind(host: host, port: port).wait()
    } catch {
      group.shutdownGracefully { _ in }
      throw ServerError(error, host: host, port: port)
    }
    self.port = listener.localAddress?.port ?? port
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ served: ServedScenario
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 256 << 10))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = HTTP1Handler(served)
          let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes, limitConfiguration: HTTP1Limits.configuration)
          try channel.pipeline.syncOperations.addHandlers([
            ByteWatch(handler), ByteToMessageHandler(decoder), handler,
          ])
        }
      }
  }

  /// The number of open connections.
  package var connectionCount: Int { served.connections.count }

  /// Ends: no connection is accepted any more, and answers in progress are finished within a limit.
  ///
  /// Blocks until all connections are closed. Ending again does nothing.
  package func end() {
    let isEnded = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return hasEnded
    }
    if isEnded { return }
    try? listener.close().wait()
    try? served.connections.end(within: served.options.endTimeout, on: listener.eventLoop).wait()
    player.end()
    try? group.syncShutdownGracefully()
  }
}

/// Reports that a server cannot listen.
package struct ServerError: Error, CustomStringConvertible {
  /// What failed, and what to do about it.
  package let description: String

  init(_ error: any Error, host: String, port: Int) {
    let place = "\(host):\(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      description =
        "cannot listen on \(place): another program does; choose another --port, or 0 for any that is free"
    case EACCES:
      description = "cannot listen on \(place): that needs rights of the system's administrator"
    case EADDRNOTAVAIL:
      description = "cannot listen on \(place): this machine does not have the address"
    default:
      description = "cannot listen on \(place): \(error)"
    }
  }
}
#endif
