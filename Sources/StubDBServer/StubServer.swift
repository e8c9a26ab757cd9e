#if Server
import Foundation
import NIOCore
import NIOPosix
package import StubDBCatalog
package import StubDBEngine
public import StubDBPlayback
package import StubDBServing
import StubDBSupport

/// Plays scenarios to everything that speaks HTTP: other processes, other languages, clients that
/// `URLProtocol` does not reach.
///
/// It serves until ``end()``, or until the value is released. Safe to use from any thread.
public final class StubServer: ScenarioPlayback {
  /// The port that it listens on.
  public let port: Int
  /// All ports that it listens on: the first one, that of the admin API if it has its own, and further ones.
  package let ports: [Int]
  /// The port of the admin API, or nil.
  package let adminPort: Int?
  /// What clients of the admin API must send; nil if they need nothing.
  package let adminToken: String?
  /// Whether it speaks TLS too.
  package let isSecure: Bool
  /// The certificate that clients have to trust; nil unless a file of it was requested.
  let authority: TrustedFile?
  package let sessions: SessionTable
  private let context: ServerContext
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any Channel]
  private let hasEnded = Locked(false)
  /// The player of a server without a scenario.
  private let none = Player(nil, options: PlaybackOptions())

  /// Begins to listen.
  ///
  /// Without a scenario, only requests of sessions are answered, which need a catalog. Blocks until it listens, which
  /// takes no longer than looking up the host.
  /// - Throws: ``ServerError`` if it cannot listen there, or if the catalog has not the scenario of a port.
  package init(
    _ scenario: LoadedScenario?, catalog: Catalog? = nil, at address: Address = Address(),
    playing: PlaybackOptions = PlaybackOptions(), origins: [OriginMap.Rule] = [],
    options: ServerOptions = ServerOptions(), observer: Observer = Observer()
  ) throws(ServerError) {
    authority = try Self.authority(options)
    let threadCount = options.threadCount ?? min(4, System.coreCount)
    try Self.requireFiles(for: threadCount)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: threadCount)
    let client = UpstreamClient(options.forwarding)
    let sessions = SessionTable(
      catalog: catalog, given: scenario, playing: playing, rules: origins, options: options,
      callbackSender: CallbackCaller(client, group, options.forwarding))
    let (connections, metrics) = (ConnectionTable(), Metrics())
    let watch = catalog.map { CatalogWatch($0, sessions, metrics, note: observer.note) }
    let admin = options.admin.map {
      AdminAPI(
        sessions, access: AdminGuard($0, host: address.host, publicURL: options.publicURL), $0,
        metrics: metrics, connections: connections, authority: options.authorityPEM,
        watch: options.reloadInterval == nil ? nil : watch,
        shutdown: observer.shutdown)
    }
    let context = ServerContext(
      sessions, admin: admin, connections: connections, metrics: metrics, client: client,
      options: options, log: observer.log)
    do {
      let scopes = try Self.scopes(sessions, address.port, address.ports, options.admin)
      listeners = try Self.listeners(
        group, context, scopes, AcceptPause(observer.note), host: address.host)
    } catch {
      group.shutdownGracefully { _ in }
      throw error as? ServerError ?? ServerError(description: "\(error)")
    }
    (self.sessions, self.context, self.group) = (sessions, context, group)
    (adminToken, isSecure) = (admin?.access.token, options.isSecure)
    let bound = listeners.map { $0.localAddress?.port ?? 0 }
    self.ports = bound
    self.port = bound[0]
    adminPort = admin == nil ? nil : options.admin?.port == nil ? bound[0] : bound[1]
    tellPorts()
    if let watch { look(by: watch) }
  }

  /// Throws if too few files may be open.
  ///
  /// SwiftNIO 2.101 traps where it cannot make an event loop, each of which has three files on Linux.
  private static func requireFiles(for threadCount: Int) throws(ServerError) {
    let count = 3 * threadCount + 8
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    while files.count < count {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        throw ServerError(
          description:
            "too few files may be open for a server, which needs \(count) of its own (see: ulimit -n)"
        )
      }
      files.append(file)
    }
  }

  /// The file of the certificate that clients have to trust; nil unless requested.
  private static func authority(_ options: ServerOptions) throws(ServerError) -> TrustedFile? {
    guard options.writesAuthority, let text = options.authorityPEM else { return nil }
    return try TrustedFile(text)
  }

  /// Tells the ports to what has to know them, after port 0 has become another.
  private func tellPorts() {
    context.admin?.listeningPort.withLock { $0 = port }
    let hasOwnPort = context.options.admin?.port != nil
    let ownPorts = OwnPorts(all: Set(ports), admin: hasOwnPort ? adminPort : nil)
    context.client.ownPorts.withLock { $0 = ownPorts }
  }

  /// Reloads the sessions when the catalog changes, if the options say how often to look.
  private func look(by watch: CatalogWatch) {
    guard let interval = context.options.reloadInterval else { return }
    listeners[0].eventLoop.scheduleRepeatedTask(
      initialDelay: TimeAmount(interval), delay: TimeAmount(interval)
    ) { _ in watch.look() }
  }

  /// Plays the scenario to the requests that name no session.
  public var player: Player { sessions.usual?.player ?? none }

  package var connectionCount: Int { context.connections.count }

  /// What can be asked on the first port, on that of the admin API if it has its own, and on further ones.
  private static func scopes(
    _ sessions: SessionTable, _ port: Int, _ ports: [Port], _ admin: AdminOptions?
  ) throws -> [(Int, ConnectionScope)] {
    let isShared = admin?.port == nil
    let first = (port, ConnectionScope(session: sessions.usual, hasAdmin: isShared))
    let own = (admin?.port).map { [($0, ConnectionScope(hasScenarios: false))] } ?? []
    return try [first] + own
      + ports.map { port in
        var settings = sessions.usual?.settings ?? sessions.maker.settings(of: port.scenario)
        (settings.scenario, settings.overlays) = (port.scenario, [])
        let session = try sessions.make(settings, name: nil, isKept: true)
        return (port.port, ConnectionScope(session: session, hasAdmin: isShared))
      }
  }

  deinit {
    guard !hasEnded.withLock({ $0 }) else { return }
    for listener in listeners { listener.close(promise: nil) }
    sessions.endAll()
    context.client.end()
    group.shutdownGracefully { _ in }
  }

  /// Listens on all ports, or on none.
  private static func listeners(
    _ group: MultiThreadedEventLoopGroup, _ context: ServerContext,
    _ scopes: [(Int, ConnectionScope)], _ pause: AcceptPause, host: String
  ) throws -> [any Channel] {
    var listeners: [any Channel] = []
    for (port, scope) in scopes {
      do {
        listeners.append(
          try bootstrap(group, context, scope)
            .serverChannelInitializer(pause.add).bind(host: host, port: port).wait())
      } catch {
        for listener in listeners { listener.close(promise: nil) }
        throw ServerError(error, host: host, port: port)
      }
    }
    return listeners
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ context: ServerContext, _ scope: ConnectionScope
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 256 << 10))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try ConnectionStart.begin(channel, context, scope)
        }
      }
  }

  /// Ends: no connection is accepted any more, and answers in progress are finished within a limit.
  ///
  /// Blocks until all connections are closed. Ending again does nothing.
  public func end() {
    let isEnded = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return hasEnded
    }
    if isEnded { return }
    authority?.remove()
    // What fails to close is closed already; the rest has to end all the same.
    for listener in listeners { try? listener.close().wait() }
    try? context.connections.end(
      within: context.options.endTimeout, on: listeners[0].eventLoop
    ).wait()
    sessions.endAll()
    context.client.end()
    context.recording?.waitForWrites()
    try? group.syncShutdownGracefully()
  }
}

/// Reports that a server cannot listen.
public struct ServerError: Error, CustomStringConvertible {
  /// What failed, and what to do about it.
  public let description: String

  init(description: String) {
    self.description = description
  }

  init(_ error: any Error, host: String, port: Int) {
    let place = "\(host):\(port)"
    if error is SocketAddressError || error is SocketAddressError.UnknownHost {
      description =
        "cannot listen on \(place): this machine finds no address for the host; --host takes one such as 127.0.0.1, ::1 or 0.0.0.0"
      return
    }
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
